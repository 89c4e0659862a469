// Package utf is the first tile: the chip that converts between UTF-8, UTF-16 and UTF-32. Two packages beside this
// one define it:
//
//   - utfbench/model: the chip, exact in every bit at every clock edge, even behind wires.
//   - utfbench/golden/vectors: the responses demanded by five documents.
//
// sequence.go holds the procedures of the data sheet as steps, words.go the words for a step, and dialect.go,
// operation.go and table.go the operations of the chip's vectors. Other files hold the probe before any vector
// (recognise.go), the steps that distinguish faulty wires from a faulty chip (cable.go), and the cases of a sweep
// (space.go): every code point in every pairing of forms, every UTF-8 input of up to four bytes, and every short
// sequence of operations. points.go, bytes.go and ops.go contain these spaces; case.go builds their steps.
package utf

import (
	_ "embed"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"utfbench/fault"
	"utfbench/golden"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/transport"
)

// A Tile is the UTF chip in a revision.
type Tile model.Revision

// The revisions: see model.Revision.
const (
	TT09 = Tile(model.TT09)
	TT08 = Tile(model.TT08)
)

// Name is the name of the design.
const Name = "utf"

var (
	_ tile.Tile           = TT09
	_ tile.Namer          = TT09
	_ tile.StepDescriber  = TT09
	_ tile.WiredReference = reference{}
	_ tile.FabricatedTile = TT09
	_ tile.VectorSource   = TT09
	_ tile.Recogniser     = TT09
	_ tile.WiringTester   = TT09
	_ tile.SpaceLister    = TT09
	_ tile.NetlistTile    = TT09
)

func (t Tile) Name() string { return Name }

func (t Tile) Revision() string { return model.Revision(t).String() }

// String returns the revision.
func (t Tile) String() string { return t.Revision() }

func (t Tile) Others() []tile.Tile { return []tile.Tile{Tile(model.Revision(t).Other())} }

func (t Tile) New() tile.Reference { return reference{t.chip()} }

func (t Tile) chip() *model.Chip { return model.New(model.Revision(t)) }

// reference is a chip that can be connected to wires.
type reference struct{ *model.Chip }

func (r reference) Run(steps []transport.Step, samples []transport.Sample) error {
	if err := transport.RejectLinger(steps); err != nil {
		return err
	}
	r.Chip.Run(steps, samples)
	return nil
}

func (r reference) FaultChip() fault.Chip { return model.NewWired(r.Chip) }

func (t Tile) Idle() uint8 { return model.Idle }

// Drives implements tile.Tile. The chip drives all of uio while READ is high, even in reset (docs/chip.md, "Package").
func (t Tile) Drives(s transport.Step) uint8 {
	if s.In&model.READ != 0 {
		return 0xFF
	}
	return 0
}

func (t Tile) Lint(steps []transport.Step) error {
	for i, s := range steps {
		switch drives := s.Drive | transport.LingeringLines(steps, i); {
		case s.In&model.READ != 0 && drives != 0:
			return &tile.IllegalStepError{Step: i, Reason: fmt.Sprintf("bench and chip would both drive uio (ui is "+
				"%02X: READ is high, so the chip drives; the bench must not drive %02X)", s.In, drives)}
		case model.LatchesFloating(s):
			return &tile.IllegalStepError{Step: i, Reason: fmt.Sprintf("the chip would take a byte of which only the "+
				"bits %02X are driven", s.Drive)}
		}
	}
	return nil
}

//go:embed tt09.v
var netlist string

// Netlist implements tile.NetlistTile. Yosys synthesised it for sky130_fd_sc_hd from the rules of the registers.
func (t Tile) Netlist() string {
	if t == TT09 {
		return netlist
	}
	return ""
}

func (t Tile) Project() string { return "tt_um_rebeccargb_hardware_utf8" }

func (t Tile) RevisionOfCommit(commit string) (tile.Tile, bool) {
	rev, known := model.RevisionOfCommit(commit)
	return Tile(rev), known
}

func (t Tile) Dialect() golden.Dialect { return Dialect }

func (t Tile) Vectors() fs.FS { return golden.FS() }

var suites = sync.OnceValues(func() ([]*golden.Suite, error) { return golden.Load(golden.FS(), Dialect) })

// Suites returns the built-in vectors. They are parsed once, in 40 ms of CPU, not for each job of a lab.
func (Tile) Suites() ([]*golden.Suite, error) {
	all, err := suites()
	return slices.Clone(all), err
}

//go:embed words.txt
var words string

func (Tile) GlossaryText() string { return words }
