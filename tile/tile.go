// Package tile says what the bench has to know of a design: what a right one shows at each step, what must not be put
// on its lines, and the words in which people speak of it. Everything that judges, explains or shows takes a [Tile] and
// knows no design; whoever opens a target chooses one.
//
// A tile has to have what the interface Tile says, and no more. Everything else is a small interface beside it, which a
// tile may have too, as transport.Signer is beside transport.Transport. If one is missing, a feature is missing, but
// the tile works:
//
//   - [Namer] names pins, and [Speaker] says in words what a step asks. Without them they have the names of lines.
//   - [Explained] has words of its own, for bench explain.
//   - [Resetter] is reset by another step than one clock with rst_n low.
//   - [Turner] is for a reference that cannot say by a step alone what the chip drives.
//   - [Deducer] knows what a chip must show after what it has shown, where its state at power-up decides.
//   - [Wired] lets faulty wires be put in front of the reference: the mock's faults, the wiring check, diagnose.
//   - [Fabricated] says what a shuttle calls it, and which revision was made of which commit.
//   - [Versed] has vectors and words of its own for a file of vectors.
//   - [Smoked] has a short list of them that finds as much.
//   - [Prober] and [Recogniser] ask a chip whether it lives and whether it is this design; [Cabled] has steps that move
//     every line.
//   - [Observer] tells what is special at a step, for what failures have in common.
//   - [Swept] has spaces that can be proved case by case.
//
// The package knows no transport but the contract. tile/utf is the first tile, and tile/gates any tile by its gates.
package tile

import (
	"fmt"
	"io"

	"utfbench/fault"
	"utfbench/transport"
)

// A Tile is a design in one of its revisions. It never changes, so that any number of goroutines may ask it, and tiles
// of the same design and revision are equal (==).
type Tile interface {
	// Name is the design's, in lower case, as recordings and commands have it; Revision tells versions of it apart, ""
	// where there is one. Others are the same design in its other revisions.
	Name() string
	Revision() string
	Others() []Tile

	// New is a right chip before its first reset.
	New() Reference

	// Idle returns the idle levels of ui.
	Idle() uint8

	// Drives are the lines of uio that the chip may drive at the end of a step, in any state; bit i is of uio i.
	Drives(s transport.Step) uint8

	// Lint is an *Illegal for steps that must not reach a chip, since bench and chip might both drive a line or the
	// chip would take a level that nobody drives. Steps begin with a reset.
	Lint(steps []transport.Step) error
}

// A Reference is a right chip: steps in, samples out. What nobody can know of its state, as before the first reset, is
// unknown in the samples.
//
// A reference that holds more than memory, as a simulation does, is an io.Closer: whoever made it calls Done.
type Reference interface {
	// Run does steps in order and fills samples, which is at least as long. An error says why the reference cannot
	// answer any more, which is the bench's fault and never the chip's; a model in memory has none, and allocates
	// nothing.
	Run(steps []transport.Step, samples []transport.Sample) error
}

// Expect fills samples with a good chip's, from an unknown state.
func Expect(t Tile, steps []transport.Step, samples []transport.Sample) error {
	r := t.New()
	defer Done(r)
	return r.Run(steps, samples)
}

// A Deferrer is a reference that takes unknown levels from the vectors' checkpoints.
type Deferrer interface {
	Reference
	Defers()
}

// Silent is a reference that knows nothing.
type Silent struct{}

// Defers implements Deferrer.
func (Silent) Defers() {}

// Run implements Reference.
func (Silent) Run(steps []transport.Step, samples []transport.Sample) error {
	for i := range steps {
		samples[i] = transport.Sample{OutX: 0xFF, IOX: 0xFF}
	}
	return nil
}

// A Walk runs a reference step by step, keeping its state.
type Walk struct {
	Reference

	step   [1]transport.Step
	sample [1]transport.Sample
}

// Step returns the reference's sample at one more step. The error is the reference's.
func (w *Walk) Step(s transport.Step) (transport.Sample, error) {
	w.step[0] = s
	err := w.Run(w.step[:], w.sample[:])
	return w.sample[0], err
}

// Done frees the resources other than memory of a reference, or a chip behind wires. It may be nil.
func Done(r any) {
	if c, ok := r.(io.Closer); ok {
		c.Close()
	}
}

// A Turner is a tile whose state decides which lines of uio it drives, so that Drives cannot tell from a step.
type Turner interface {
	// Turn takes the bench off each line of uio that the chip drives at a step. Steps begin with a reset. The error is
	// the reference's.
	Turn(steps []transport.Step) error

	// Turns are the lines of uio that the chip drives now and then.
	Turns() uint8
}

// A Deducer is a tile with bits that depend on the power-up state, which it can deduce from a chip's samples.
type Deducer interface {
	// Deduce fills unknown levels of want with those that follow from the samples of earlier steps. If no good chip
	// shows a sample, want differs from it. Steps begin from an unknown state; the samples have no X.
	Deduce(steps []transport.Step, got, want []transport.Sample) Deduction
}

// A Deduction counts the deduced levels.
type Deduction struct {
	Bits  int  // that were filled
	Short bool // the search was given up early: more might follow
}

// Deduce calls the tile's, if it is a Deducer.
func Deduce(t Tile, steps []transport.Step, got, want []transport.Sample) (d Deduction) {
	if t, may := t.(Deducer); may {
		d = t.Deduce(steps, got, want)
	}
	return d
}

// Wired is a reference that can stand at the end of wires, where levels may be unknown. A chip that is a
// fault.Registers as well has bits that may be stuck.
type Wired interface {
	Reference

	// Wired is the same chip, not a second one.
	Wired() fault.Chip
}

// Fabricated is a tile that was made.
type Fabricated interface {
	// Project is its name in the shuttles' index.
	Project() string

	// OfCommit is the revision that a commit of the design is; known is false if nobody has read that commit.
	OfCommit(commit string) (t Tile, known bool)
}

// An Illegal is a step that must not reach a chip.
type Illegal struct {
	Step int // index
	Why  string
}

func (e *Illegal) Error() string { return fmt.Sprintf("step %d: %s", e.Step+1, e.Why) }

// Resetter is a tile that another step resets than one clock with rst_n low.
type Resetter interface{ ResetStep() transport.Step }

// Reset returns the step that resets a tile: one clock with rst_n low at idle levels, unless it is a Resetter.
func Reset(t Tile) transport.Step {
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

// ByRevision finds a revision of the design by name.
func ByRevision(t Tile, name string) (Tile, bool) {
	for _, o := range append([]Tile{t}, t.Others()...) {
		if o.Revision() == name {
			return o, true
		}
	}
	return nil, false
}

// Wire returns a chip of the tile for the end of wires, or nil.
func Wire(t Tile) fault.Chip {
	if w, ok := t.New().(Wired); ok {
		return w.Wired()
	}
	return nil
}

// Registers returns a reference's registers, in the order of Bits; 0 if unknown.
func Registers(r Reference) uint64 {
	if w, ok := r.(Wired); ok {
		if r, ok := w.Wired().(fault.Registers); ok {
			return r.Registers()
		}
	}
	return 0
}

// Bits names the register bits of a tile, none where nothing can be known of them.
func Bits(t Tile) fault.Bits {
	c := Wire(t)
	defer Done(c)
	if r, ok := c.(fault.Registers); ok {
		return r.Bits()
	}
	return nil
}

// RevisionOf returns the revision of a design by its name and commit, "unknown" if nobody has read that commit, and ""
// if the design is not the tile.
func RevisionOf(t Tile, design, commit string) string {
	own, is := t.(Fabricated)
	if !is || design != own.Project() {
		return ""
	}
	if r, known := own.OfCommit(commit); known {
		return r.Revision()
	}
	return "unknown"
}
