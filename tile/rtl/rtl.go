// Package rtl is a tile whose reference is its author's own Verilog, in a simulation beside the chip.
//
// The reference is verilog.PowerUps: the design several times, which wakes up in different states and takes the same
// steps. What all of them show is known, and what depends on the state at power-up is unknown, and never a FAIL. If a
// chip differs, it is asked once more with many more states (see Tile.Doubt) before that is believed.
//
// Which lines of uio the chip drives is what the design's own uio_oe says, step by step. What project says of the tile,
// by its author's words, is in package project.
package rtl

import (
	"context"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"sync"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// How many states the reference wakes up in: as a rule, and where a chip differs.
const (
	states = 8
	doubts = 64
	crowds = 4 // behind wires, where a chip is simulated for each of a thousand hypotheses
)

// A Tile is a design by its Verilog.
type Tile struct {
	project.Described
	device verilog.Config // its own sources, as a device
	config verilog.Config // and those that it is compared with
	design *verilog.Reference

	may    uint8 // the lines of uio that it may drive, in any state
	always uint8 // those that it drives at all times

	mu              sync.Mutex
	usual, doubtful pool
	drawing         sync.Once
	cable           []transport.Step
	undrawn         error     // why there is none
	crowd           *exchange // of chips at the end of wires
	seen            memory
}

var (
	_ tile.Tile       = (*Tile)(nil)
	_ tile.Namer      = (*Tile)(nil)
	_ tile.Resetter   = (*Tile)(nil)
	_ tile.Fabricated = (*Tile)(nil)
	_ tile.Doubter    = (*Tile)(nil)
	_ tile.Turner     = (*Tile)(nil)
	_ tile.Versed     = (*Tile)(nil)
	_ tile.Cabled     = (*Tile)(nil)
	_ tile.Wired      = (*reference)(nil)
)

// Open builds the reference of a project, or finds it built. What a user said of the simulation is in c: its macros and
// folders are added to the project's, and its simulator is the reference's. Close it.
func Open(ctx context.Context, p *project.Project, c verilog.Config) (*Tile, error) {
	t := &Tile{Described: project.Described{About: p}, device: Config(p, c), usual: pool{states: states},
		doubtful: pool{states: doubts},
		seen:     memory{seed: maphash.MakeSeed(), views: map[uint64]verilog.View{}}}
	t.config = t.device
	if p.Reference != nil {
		t.config.Sources = p.Reference
	}
	t.device.Simulator = ""
	var err error
	if t.design, err = verilog.BuildReference(ctx, t.config); err != nil {
		return nil, err
	}
	err = t.look()
	if err == nil {
		err = t.cross(ctx)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Config is how the sources of a project are simulated.
func Config(p *project.Project, c verilog.Config) verilog.Config {
	c.Sources, c.Top, c.Dir = p.Paths(), p.Top, p.Data
	c.Defines = append(p.Defines[:len(p.Defines):len(p.Defines)], c.Defines...)
	c.Includes = append(append(p.SourceFolders(), p.Include...), c.Includes...)
	return c
}

// look finds out which lines of uio the design drives, by steps with random levels on ui, unless its author says it.
// What it drives in states that these steps do not reach is found when a vector reaches one: see Lint.
func (t *Tile) look() error {
	const steps = 4000
	rng := rand.New(rand.NewPCG(1, 1))
	asked := []transport.Step{t.ResetStep()}
	for len(asked) < steps {
		s := transport.Step{In: uint8(rng.Uint32()), Clocks: uint8(rng.IntN(3)), Reset: t.About.Reset.High}
		if rng.IntN(100) == 0 {
			s = t.ResetStep()
		}
		asked = append(asked, s)
	}
	t.always = 0xFF
	err := t.ask(&t.usual, asked, func(_ int, views []verilog.View) {
		for _, v := range views {
			t.may |= v.Enable | v.EnableX
			t.always &= v.Enable &^ v.EnableX
		}
	})
	if own := t.About.Outputs; own != nil {
		t.may, t.always = *own|t.may, t.always&*own
	}
	return err
}

// Driven are the lines of uio that the design may drive, as far as it was seen, and those that it always drives.
func (t *Tile) Driven() (may, always uint8) { return t.may, t.always }

// Digest is the SHA-256 of the design, in hex.
func (t *Tile) Digest() string {
	_, digest := t.design.Design()
	return digest
}

// Copy is what the chip is compared with, as a text that can be in somebody's simulation: see verilog.Copy.
func (t *Tile) Copy(ctx context.Context, prefix string) (text, top string, err error) {
	c := t.config
	if c.Simulator = ""; slices.Contains(verilog.Installed(), "iverilog") {
		c.Simulator = "icarus"
	}
	return verilog.Copy(ctx, c, prefix)
}

// Simulation is how the tile's own sources are simulated as a device.
func (t *Tile) Simulation() verilog.Config { return t.device }

// Revision implements tile.Tile: the beginning of the design's digest, so that a run says against which sources it was
// judged.
func (t *Tile) Revision() string { return tile.OfSources + t.Digest()[:10] }

// Others implements tile.Tile.
func (t *Tile) Others() []tile.Tile { return nil }

// Drives implements tile.Tile. It is what was seen in any state: which lines it drives in this one, Turn says.
func (t *Tile) Drives(transport.Step) uint8 { return t.may }

// Dialect implements tile.Versed: vectors are steps.
func (t *Tile) Dialect() golden.Dialect {
	return golden.Plain{Reset: t.ResetStep(), Of: tile.Revisions(t)}
}

// OfCommit implements tile.Fabricated: there is one revision. Whether the sources are those of a commit, project.Is
// says.
func (t *Tile) OfCommit(string) (tile.Tile, bool) { return t, true }

// Close ends all simulations. References that were not given back end with them.
func (t *Tile) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range []*pool{&t.usual, &t.doubtful} {
		for _, sim := range p.idle {
			sim.Close()
		}
		p.idle = nil
	}
	if t.crowd != nil {
		close(t.crowd.questions)
		t.crowd = nil
	}
	return nil
}
