// Package tile defines the bench's knowledge of a design: the samples of a good chip, the steps that must not reach a
// chip, and the terms in which people describe it. Code that judges, explains or prints takes a [Tile] and knows no
// design except the factory test, which every chip carries; the code that opens a target selects the tile.
//
// The interface Tile has the methods that every tile needs. Small interfaces define optional abilities, as
// transport.Signer does for transports. A tile without one of them works, but lacks a feature:
//
//   - [Namer] and [BusNamer] name pins, and [StepDescriber] describes steps. Without them lines have their own names.
//   - [Glossary] has terms of its own, for bench explain.
//   - [Resetter] needs a reset other than one clock with rst_n low.
//   - [Turner] drives lines of uio that depend on its state.
//   - [Deducer] deduces levels that depend on the power-up state from earlier samples.
//   - [WiredReference] can be connected to faulty wires: for the mock's faults, the wiring check, diagnose.
//   - [FabricatedTile] has a name on the shuttles, and a revision for each commit.
//   - [VectorSource] has vectors, and operations for a file of vectors.
//   - A [Recogniser] can be distinguished from other designs; a [WiringTester] has steps that move every line.
//   - [SpaceLister] has spaces that can be proven case by case.
//
// tile/utf is the first tile; tile/gates makes a tile of any netlist.
package tile

import (
	"context"
	"fmt"
	"io"
	"strings"

	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/transport"
)

// A Tile is a revision of a design. It is immutable and safe for concurrent use; tiles of one revision are equal (==).
type Tile interface {
	// Name returns the design's name, as used in recordings and commands. Revision returns the name of this revision,
	// or "" if it is the only one. Others returns the other revisions.
	Name() string
	Revision() string
	Others() []Tile

	// New returns a good chip before its first reset.
	New() Reference

	// Idle returns the idle levels of ui.
	Idle() uint8

	// Drives returns the lines of uio that the chip may drive at the end of a step, in any state; bit i is line i.
	Drives(s transport.Step) uint8

	// Lint returns an *IllegalStepError for steps that must not reach a chip, because bench and chip might both drive a
	// line or the chip would sample an undriven level. The steps begin with a reset.
	Lint(steps []transport.Step) error
}

// A Reference predicts a good chip's samples. Levels that depend on an unknown state, as before the first reset, are
// unknown.
//
// A reference with resources to release is an io.Closer: its creator calls CloseReference.
type Reference interface {
	// Run applies steps in order and fills samples, which must be at least as long. An error means that the reference
	// cannot continue; it is the bench's fault, never the chip's. A model in memory neither fails nor allocates.
	Run(steps []transport.Step, samples []transport.Sample) error
}

// Expect fills samples with the samples of a good chip that starts in an unknown state.
func Expect(t Tile, steps []transport.Step, samples []transport.Sample) error {
	r := t.New()
	defer CloseReference(r)
	return r.Run(steps, samples)
}

// batch is the number of steps after which Run checks its context: a fraction of a second in a large netlist.
const batch = 256

// Run applies steps to a chip in memory until ctx is done. It returns their number, and the chip's error or ctx.Err().
func Run(ctx context.Context, chip Reference, steps []transport.Step,
	samples []transport.Sample) (good int, err error) {
	for good < len(steps) {
		if stopped := ctx.Err(); stopped != nil {
			return good, stopped
		}
		to := min(good+batch, len(steps))
		if err := chip.Run(steps[good:to], samples[good:to]); err != nil {
			return good, err
		}
		good = to
	}
	return good, err
}

// A CheckpointFollower is a reference whose unknown levels are taken from the vectors' checkpoints.
type CheckpointFollower interface {
	Reference
	FollowCheckpoints()
}

// SilentReference is a reference that predicts no level.
type SilentReference struct{}

// FollowCheckpoints implements CheckpointFollower.
func (SilentReference) FollowCheckpoints() {}

// Run implements Reference.
func (SilentReference) Run(steps []transport.Step, samples []transport.Sample) error {
	for i := range steps {
		samples[i] = transport.Sample{OutX: 0xFF, IOX: 0xFF}
	}
	return nil
}

// CloseReference closes a reference, or a chip behind wires, if it is an io.Closer. r may be nil.
func CloseReference(r any) {
	if c, ok := r.(io.Closer); ok {
		c.Close()
	}
}

// A Turner is a tile whose state determines which lines of uio it drives, so that Drives cannot be exact.
type Turner interface {
	// ReleaseDriven makes the bench release each line of uio that the chip drives at a step. Steps begin with a reset.
	// Errors come from the reference or ctx.
	ReleaseDriven(ctx context.Context, steps []transport.Step) error

	// DrivenLines returns the lines of uio that the chip drives in some state.
	DrivenLines() uint8
}

// Levels is a set of output levels: 0 on the lines in Low, 1 on the lines in High.
type Levels struct{ Low, High transport.Outputs }

// A Prover is a tile that can prove that its design never drives an output to a level.
type Prover interface {
	// ImpossibleLevels returns the subset of levels that the design drives in no state after a reset of one clock.
	ImpossibleLevels(levels Levels) Levels
}

// A Deducer is a tile that can deduce, from a chip's samples, levels that depend on the power-up state.
type Deducer interface {
	// Deduce fills unknown levels of want with levels that follow from the samples of earlier steps. Where no good chip
	// could show got, want differs from it. Steps start in an unknown state; the samples have no X.
	Deduce(steps []transport.Step, got, want []transport.Sample) Deduction
}

// A Deduction counts the deduced levels.
type Deduction struct {
	Bits     int  // filled
	CutShort bool // the search was given up early: more might follow
}

// Deduce calls the tile's Deduce if it is a Deducer.
func Deduce(t Tile, steps []transport.Step, got, want []transport.Sample) (d Deduction) {
	if t, may := t.(Deducer); may {
		d = t.Deduce(steps, got, want)
	}
	return d
}

// WiredReference is a reference that can be connected to wires, on which levels may be unknown. If its chip is also a
// fault.Registers, register bits may be stuck.
type WiredReference interface {
	Reference

	// FaultChip returns the same chip, not a copy.
	FaultChip() fault.Chip
}

// BatchSimulator is a tile that simulates many chips behind wires in little more than the time of one.
type BatchSimulator interface {
	Tile

	// RunConcurrently runs the workers that next returns, some of them concurrently, until next returns nil.
	RunConcurrently(next func() Worker)

	// StepCost returns the cost of a step of one such chip, in multiples of a step of a model in memory.
	StepCost() int
}

// A Worker connects chips to wires, one at a time. Each call of chip returns a new chip that replaces the previous one.
type Worker func(chip func() fault.Chip)

// A CellSearcher is a tile that can search its gates for a fault.
type CellSearcher interface {
	// FindStuckPin returns a stuck pin with which a chip, after its power-up, may show all samples and surely shows the
	// wrong bits, or "". A sample has X where its level does not matter. Errors come from ctx.
	FindStuckPin(ctx context.Context, steps []transport.Step, got []transport.Sample,
		wrong []transport.Outputs) (string, error)
}

// FabricatedTile is a tile on one or more shuttles.
type FabricatedTile interface {
	// Project returns its name in the shuttles' index.
	Project() string

	// RevisionOfCommit returns the revision for a commit of the design; known is false for an unexamined commit.
	RevisionOfCommit(commit string) (t Tile, known bool)
}

// An IllegalStepError reports a step that must not reach a chip.
type IllegalStepError struct {
	Step   int // index
	Reason string
}

// UnknownDirectionReason is the Reason of an IllegalStepError if the directions of uio are unknown.
const UnknownDirectionReason = "the direction of uio is unknown: `uio_outputs` in bench-tile.yaml must name the " +
	"lines that are outputs"

func (e *IllegalStepError) Error() string {
	return fmt.Sprintf("step %d (the reset is step 1): %s", e.Step+1, e.Reason)
}

// A Resetter is a tile that needs a reset other than one clock with rst_n low.
type Resetter interface{ ResetStep() transport.Step }

// ResetStep returns the step that resets a tile: one clock with rst_n low at idle levels, unless it is a Resetter.
func ResetStep(t Tile) transport.Step {
	if r, ok := t.(Resetter); ok {
		return r.ResetStep()
	}
	return transport.Step{In: t.Idle(), Reset: true, Clocks: 1}
}

// Revisions returns the names of all revisions of a design, t's first.
func Revisions(t Tile) []string {
	all := []string{t.Revision()}
	for _, o := range t.Others() {
		all = append(all, o.Revision())
	}
	return all
}

// WithRevision returns the tile in the named revision, or t itself for "". The error reports bad input.
func WithRevision(t Tile, revision string) (Tile, error) {
	own, known := FindRevision(t, revision)
	switch {
	case revision == "":
		return t, nil
	case !known:
		return nil, failure.Usagef("--revision %q: allowed are %s", revision, strings.Join(Revisions(t), ", "))
	}
	return own, nil
}

// FindRevision finds a revision of the design by name.
func FindRevision(t Tile, name string) (Tile, bool) {
	for _, o := range append([]Tile{t}, t.Others()...) {
		if o.Revision() == name {
			return o, true
		}
	}
	return nil, false
}

// WiredChip returns a chip of the tile for connection to wires, or nil.
func WiredChip(t Tile) fault.Chip {
	if w, ok := t.New().(WiredReference); ok {
		return w.FaultChip()
	}
	return nil
}

// RegisterBits returns the names of a tile's register bits, or nil if they are unknown.
func RegisterBits(t Tile) fault.BitNames {
	c := WiredChip(t)
	defer CloseReference(c)
	if r, ok := c.(fault.Registers); ok {
		return r.Bits()
	}
	return nil
}

// RevisionOf returns the revision of a design, given its name and commit. It returns "unknown" for an unexamined
// commit, and "" if the design is not the tile's.
func RevisionOf(t Tile, design, commit string) string {
	own, is := t.(FabricatedTile)
	if !is || design != own.Project() {
		return ""
	}
	if r, known := own.RevisionOfCommit(commit); known {
		return r.Revision()
	}
	return "unknown"
}
