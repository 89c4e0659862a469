// Package gates makes tiles with gates as their reference: the fabricated netlist, or Yosys' synthesis of the RTL,
// evaluated by package sim.
//
// # Words
//
//   - A circuit has nets and primitive cells. netlist.go reads it from a fabricated netlist, package yosys from RTL.
//   - A [Design] is the circuit of a tile with its pads, compiled.
//   - A [Chip] is a powered design, in 64 vectors or as 64 chips side by side; a [Frame] is a step of all of them.
//   - A level is known if every good chip shows it, whatever its power-up state and the levels of floating lines.
//   - A level is deduced if all power-up states that explain the chip's earlier samples agree on it (deduce.go).
//   - A wired chip is a design without pads, connected to wires that may be faulty (wired.go).
//   - A [Follower] is the reference for a test that applies its steps one by one.
package gates

import (
	"fmt"
	"slices"
	"sync"

	"utfbench/internal/failure"
	"utfbench/tile/gates/sim"
)

// A Design is a tile's circuit with its pads, compiled. It is immutable.
type Design struct {
	Circuit *sim.Circuit
	Macros  []CellCount // parts that no kit has; their outputs are unknown
	prog    *sim.Program

	ui, uo, uio, out, oe, level, drive [8]sim.Net
	clk, rst                           sim.Net

	onInput, onBus, onClk, onFloat *sim.Cone

	still  bool       // nothing depends on clk, and there is no state
	enable [8]sim.Set // possible levels of uio_oe
	drives bool       // the design may drive some line of uio

	may, always uint8 // lines of uio that the design may drive in some state, and that it always drives

	once struct{ fresh, wired sync.Once }
	chip *Chip // ternary, after power-up
	bare *bare
}

// Compile compiles the circuit of a tile with pads for uio. A pad drives its line while uio_oe is 1, the bench may
// drive it too, and uio_in reads it.
func Compile(c *sim.Circuit) (*Design, error) {
	if err := c.CheckTile(); err != nil {
		return nil, err
	}
	d := &Design{Circuit: c, clk: c.Port("clk")[0], rst: c.Port("rst_n")[0]}
	for to, port := range map[*[8]sim.Net]string{&d.ui: "ui_in", &d.uo: "uo_out", &d.uio: "uio_in",
		&d.out: "uio_out", &d.oe: "uio_oe"} {
		copy(to[:], c.Port(port))
	}
	c.Begin("ena", "", 0)
	c.Add(sim.Buf, c.Port("ena")[0], sim.One)
	for i := range 8 {
		d.level[i], d.drive[i] = c.Net(fmt.Sprintf("uio%d", i)), c.Net(fmt.Sprintf("the bench's driver of uio%d", i))
		c.Begin(fmt.Sprintf("pad of uio%d", i), "", 0)
		c.Add(sim.Tri, d.uio[i], d.driven(i), d.oe[i])
		c.Add(sim.Tri, d.uio[i], d.level[i], d.drive[i])
	}
	if err := d.compile(nil); err != nil {
		return nil, err
	}
	for i, oe := range d.enable {
		d.may |= uint8(oe.Hi&1) << i
		d.always |= uint8(^oe.Lo&1) << i
	}
	return d, nil
}

// driven returns the net that a pad drives onto its line. For a pad that is never enabled that is Zero, so that uio_out
// may depend on uio_in without forming a loop.
func (d *Design) driven(i int) sim.Net {
	if slices.ContainsFunc(d.Circuit.Cells, func(c sim.Cell) bool {
		return c.Out == d.oe[i] && c.Kind == sim.Buf && c.In[0] == sim.Zero
	}) {
		return sim.Zero
	}
	return d.out[i]
}

// CheckJudgeable returns an error if no cell drives an output, as in the placeholder RTL of an analog tile.
func (d *Design) CheckJudgeable(name string) error {
	for _, c := range d.Circuit.Cells[:len(d.Circuit.Cells)-padCells] {
		for i := range d.uo {
			if c.Kind != sim.Unknown && (c.Out == d.uo[i] || c.Out == d.out[i]) {
				return nil
			}
		}
	}
	return failure.Usagef("%s: no digital cell drives an output, so there is nothing to compare, as with an analog "+
		"tile: if the netlist that was fabricated has such cells, give --tile that NAME.v; if not, give vectors and "+
		"--no-reference", name)
}

func (d *Design) compile(forces []sim.Force) (err error) {
	inputs := []sim.Net{d.clk, d.rst}
	for _, bus := range [][8]sim.Net{d.ui, d.level, d.drive} {
		inputs = append(inputs, bus[:]...)
	}
	if d.prog, err = sim.CompileForced(d.Circuit, inputs, 1, forces); err != nil {
		return err
	}
	const clk, rst, ui, drive = 1 << 0, 1 << 1, 0xFF << 2, 0xFF << 18
	d.onClk, d.onInput = d.prog.Cone(clk, false), d.prog.Cone(rst|ui, false)
	d.onBus, d.onFloat = d.prog.Cone(drive, false), d.prog.Cone(0, true) // levels reach only what drivers do
	d.still = d.prog.IsStateless() && d.onClk.Empty()
	possible := d.prog.PossibleLevels()
	for i, oe := range d.oe {
		d.enable[i] = possible(oe)
		d.drives = d.drives || d.enable[i].Hi != 0
	}
	return nil
}

// WithForces returns the design with forces. c is its circuit with the cells and nets that the forces need.
func (d *Design) WithForces(c *sim.Circuit, forces []sim.Force) (*Design, error) {
	forced := &Design{Circuit: c, Macros: d.Macros, ui: d.ui, uo: d.uo, uio: d.uio, out: d.out, oe: d.oe,
		level: d.level, drive: d.drive, clk: d.clk, rst: d.rst, may: d.may, always: d.always}
	return forced, forced.compile(forces)
}

// Program returns the compiled circuit.
func (d *Design) Program() *sim.Program { return d.prog }

// IsCombinational reports whether a design has no state, no loop, and no shared nets except the pads.
func (d *Design) IsCombinational() bool { return d.prog.IsCombinational(d.uio[:]...) }
