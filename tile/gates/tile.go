package gates

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport"
)

// A Tile is a project with a design as its reference. Its samples hold only levels known by ternary evaluation.
type Tile struct {
	DescribedTile
	Design *Design
	RTL    *RTL // source of the gates; nil for a netlist
	digest string

	idle     sync.Pool // of *Chip
	deducing sync.Pool // of *deducer
	drawing  sync.Mutex
	cable    []transport.Step
}

// An RTL describes the source of synthesised gates; see package yosys.
type RTL struct {
	Yosys         string   // version
	FilesRead     []string // all files that Yosys read
	UnlistedFiles []string // files read that are not sources of the project

	// Undriven lists names that are neither declared nor driven, which Verilog allows.
	Undriven []project.Finding

	// Copy returns the RTL as the text of one module with this name, to replace the tile in a user's simulation. If it
	// cannot, the error gives the reason.
	Copy func(ctx context.Context, name string) (text string, err error)
	// Mutate returns the design with up to n mutations of the RTL, drawn from a seed and all inactive.
	Mutate func(ctx context.Context, n int, seed uint64) (*Design, []Mutation, error)
}

// A Mutation is a small change of RTL. It is active while the output of its cell is 1; a good design has 0 there.
type Mutation struct{ Place, Change string }

func (m Mutation) String() string { return m.Place + ": " + m.Change }

// MutationCell is the type of the cells that activate mutations. They are in the order of the mutations.
const MutationCell = "mutation"

var (
	_ tile.Tile           = (*Tile)(nil)
	_ tile.Namer          = (*Tile)(nil)
	_ tile.Resetter       = (*Tile)(nil)
	_ tile.FabricatedTile = (*Tile)(nil)
	_ tile.Turner         = (*Tile)(nil)
	_ tile.Prover         = (*Tile)(nil)
	_ tile.VectorSource   = (*Tile)(nil)
	_ tile.WiringTester   = (*Tile)(nil)
	_ tile.CellSearcher   = (*Tile)(nil)
	_ tile.Enumerable     = (*Tile)(nil)
	_ tile.BatchSimulator = (*Tile)(nil)
	_ tile.WiredReference = (*reference)(nil)
)

// New returns the tile of a project with a compiled design. digest is the hex digest of the design's sources.
func New(p *project.Project, d *Design, digest string) *Tile {
	t := &Tile{DescribedTile: DescribedTile{About: p}, Design: d, digest: digest}
	t.idle.New = func() any { return d.NewChip(nil) }
	t.deducing.New = func() any { return t.newDeducer() }
	return t
}

// TileOf returns t or the tile that it wraps if that is a *Tile, else nil.
func TileOf(t tile.Tile) *Tile {
	g, _ := tile.WithReference(t).(*Tile)
	return g
}

// FaultTile returns the gate-level tile for faults of t: t itself, the netlist beside its model, or nil.
func FaultTile(t tile.Tile) (_ *Tile, beside bool) {
	if own := TileOf(t); own != nil {
		return own, false
	}
	own, is := tile.WithReference(t).(tile.NetlistTile)
	if !is || own.Netlist() == "" {
		return nil, false
	}
	made, err := OpenText(&project.Project{Netlist: "the netlist of " + t.Name()}, []byte(own.Netlist()))
	if err != nil {
		panic(err) // the netlist is part of the program
	}
	return made, true
}

// Open reads and compiles the netlist of a project.
func Open(p *project.Project) (*Tile, error) {
	text, err := files.Verilog.Read(p.Netlist)
	if err != nil {
		return nil, err
	}
	return OpenText(p, text)
}

// OpenText compiles the text of a project's netlist.
func OpenText(p *project.Project, netlist []byte) (*Tile, error) {
	d, digest, err := compile(p.Netlist, p.Top, netlist, nil)
	if err != nil {
		return nil, err
	}
	if err := d.CheckJudgeable(p.Netlist); err != nil {
		return nil, err
	}
	p.Top = cmp.Or(p.Top, d.Circuit.Name())
	return New(p, d, digest), nil
}

// OpenFile reads and compiles a netlist, with faults in its cells. top may be "". The digest is the file's.
func OpenFile(path, top string, faults []CellFault) (d *Design, digest string, err error) {
	text, err := files.Verilog.Read(path)
	if err != nil {
		return nil, "", err
	}
	return compile(path, top, text, faults)
}

func compile(path, top string, text []byte, faults []CellFault) (d *Design, digest string, err error) {
	c, macros, err := ReadNetlist(Source{path, string(text), top}, faults)
	if err != nil {
		return nil, "", err
	}
	if d, err = Compile(c); err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	d.Macros = macros
	return d, fmt.Sprintf("%x", sha256.Sum256(text)), nil
}

// Digest returns the digest of the design's sources, in hex; see New.
func (t *Tile) Digest() string { return t.digest }

// Revision implements tile.Tile. It consists of the origin of the gates and the first digits of the digest.
func (t *Tile) Revision() string {
	if t.RTL == nil {
		return tile.GatesPrefix + t.digest[:10]
	}
	return tile.RTLPrefix + t.digest[:10]
}

// Dialect implements tile.VectorSource. Vectors consist of plain steps.
func (t *Tile) Dialect() golden.Dialect {
	return golden.PlainDialect{Reset: t.ResetStep(), RevisionNames: tile.Revisions(t)}
}

// RevisionOfCommit implements tile.FabricatedTile. There is one revision.
func (t *Tile) RevisionOfCommit(string) (tile.Tile, bool) { return t, true }

// DrivenUIO returns the lines of uio that the design may drive in some state, and the lines that it always drives.
func (t *Tile) DrivenUIO() (may, always uint8) {
	return t.Design.may, t.Design.always
}

// Drives implements tile.Tile. ReleaseDriven is more precise.
func (t *Tile) Drives(transport.Step) uint8 {
	may, _ := t.DrivenUIO()
	return may
}

func (t *Tile) DrivenLines() uint8 {
	may, always := t.DrivenUIO()
	return may &^ always
}

func (t *Tile) New() tile.Reference { return &reference{tile: t} }

// A reference takes a chip from the pool at its first step, and Close returns it.
type reference struct {
	tile  *Tile
	chip  *Chip
	frame Frame
}

func (r *reference) Run(steps []transport.Step, samples []transport.Sample) error {
	if r.chip == nil {
		r.chip = r.tile.take()
	}
	for i := range steps {
		r.frame.Set(&steps[i])
		r.chip.Step(&r.frame)
		samples[i] = r.chip.Sample(0)
	}
	return nil
}

// Close returns the chip to the pool.
func (r *reference) Close() error {
	if r.chip != nil {
		r.tile.idle.Put(r.chip)
		r.chip = nil
	}
	return nil
}

func (t *Tile) take() *Chip {
	c := t.idle.Get().(*Chip)
	c.CopyFrom(t.Design.fresh())
	return c
}

// Lint implements tile.Tile. It rejects a step in which bench and chip may both drive a line. Most vectors drive no
// line that the chip may ever drive, so they need no simulation.
func (t *Tile) Lint(steps []transport.Step) error {
	if !slices.ContainsFunc(steps, func(s transport.Step) bool { return s.Drive&t.Design.may != 0 }) {
		return nil
	}
	c := t.take()
	defer t.idle.Put(c)
	var f Frame
	for i := range steps {
		f.Set(&steps[i])
		c.Step(&f)
		if lines := c.clashes(); lines != 0 {
			return &tile.IllegalStepError{Step: i, Reason: fmt.Sprintf("bench and chip may both drive %s: uio_oe has "+
				"them as outputs there, and the bench must not drive %02X", transport.Outputs(lines)<<8, lines)}
		}
	}
	return nil
}

func (t *Tile) ReleaseDriven(ctx context.Context, steps []transport.Step) error {
	return t.turn(ctx, steps, false)
}

// Linger is like ReleaseDriven, but makes steps linger: if the chip may begin to drive lines at a step's first edge,
// the bench keeps the previous step's levels on them until then.
func (t *Tile) Linger(ctx context.Context, steps []transport.Step) error {
	return t.turn(ctx, steps, true)
}

func (t *Tile) turn(ctx context.Context, steps []transport.Step, lingers bool) error {
	_, always := t.DrivenUIO()
	c, before := t.take(), t.take()
	defer t.idle.Put(c)
	defer t.idle.Put(before)
	var f Frame
	for i := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		steps[i].Drive &^= always
		f.Set(&steps[i])
		if lingers && i > 0 && steps[i].Clocks > 0 {
			if c.mayLinger(before, &f, &steps[i-1], &steps[i]) {
				continue
			}
			f.Set(&steps[i])
		}
		steps[i].Drive = c.careful(before, &f)
	}
	return nil
}

// mayLinger applies a step, lingering if necessary, unless that causes contention, and reports whether it applied it.
func (c *Chip) mayLinger(before *Chip, f *Frame, last, s *transport.Step) bool {
	before.CopyFrom(c)
	c.Step(f)
	lines := c.clashes()
	if lines == 0 {
		return true
	}
	c.CopyFrom(before)
	if lines&^last.Drive|lines&(last.IO^s.IO) != 0 {
		return false
	}
	trial := *s
	trial.Drive, trial.Linger = s.Drive&^lines, true
	f.Set(&trial)
	if c.Step(f); c.clashes() != 0 {
		c.CopyFrom(before)
		return false
	}
	*s = trial
	return true
}

// clashes returns the lines of uio that vector 0 and the bench may both have driven in the last step.
func (c *Chip) clashes() (lines uint8) {
	for i, clash := range c.Contention {
		lines |= uint8(clash&1) << i
	}
	return lines
}
