package wave

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// calibrating is the maximum number of steps that Calibrate compares under each rule.
const calibrating = 100_000

// A Fit counts the differences between the waveform and a tile's gates, with the test's levels applied by one rule.
type Fit struct {
	Rule               Rule
	Steps              int       // with expected bits
	WrongSteps         int       // steps that differ
	KnownBits          int       // bits known to both waveform and reference
	UnknownToReference int       // bits known to the waveform only
	First              *Mismatch // the first difference; nil if there is none
}

// A Mismatch is a step at which the reference differs from the waveform.
type Mismatch struct {
	Index          int // index into the pieces
	Lines          transport.Outputs
	OnlyWaveDrives transport.Outputs // lines that the waveform drives and the gates do not
	OnlyGatesDrive transport.Outputs // lines that the gates drive and the waveform does not
	Got            transport.Sample  // in the waveform
	Want           transport.Sample  // of the reference
}

// Calibrate chooses the rule under which the gates fit the beginning of the waveform; both reports that either does. If
// neither fits, the waveform is of other sources, and the error is a *NoFitError. Other errors come from the reference.
func (w *Wave) Calibrate(t tile.Tile) (best Fit, both bool, err error) {
	var fits [2]Fit
	for rule := range fits {
		pieces := w.Pieces[rule]
		if fits[rule], err = measure(t, Rule(rule), pieces[:min(len(pieces), calibrating)]); err != nil {
			return best, false, err
		}
	}
	switch {
	case fits[AfterEdge].WrongSteps > 0 && fits[BeforeEdge].WrongSteps > 0:
		return fits[AfterEdge], false, &NoFitError{fits[:], w, t.Name()}
	case fits[AfterEdge].WrongSteps > 0:
		return fits[BeforeEdge], false, nil
	}
	return fits[AfterEdge], fits[BeforeEdge].WrongSteps == 0 && w.Oddities.EdgeChanges > 0, nil
}

// measure applies the tile's reset and then all pieces to the reference, and compares.
func measure(t tile.Tile, rule Rule, pieces []Piece) (Fit, error) {
	f := Fit{Rule: rule}
	p, err := newPlayer(t)
	if err != nil {
		return f, err
	}
	defer p.free()
	p.step(tile.ResetStep(t))
	for i, piece := range pieces {
		shows, drives := p.step(piece.Step)
		f.compare(i, piece, shows, drives)
	}
	if m, may := p.chip.(fault.FallibleChip); may {
		return f, m.Err()
	}
	return f, nil
}

// stepsOf returns the steps of pieces after the tile's reset, as in a vector.
func stepsOf(t tile.Tile, pieces []Piece) []transport.Step {
	steps := make([]transport.Step, 0, len(pieces)+1)
	steps = append(steps, tile.ResetStep(t))
	for _, p := range pieces {
		steps = append(steps, p.Step)
	}
	return steps
}

// compare compares the reference's outputs after a step with the waveform, except unknown ones, and counts the step.
func (f *Fit) compare(i int, p Piece, shows transport.Sample, drives uint8) {
	if p.Out.Mask|p.IO.Mask == 0 {
		return
	}
	f.Steps++
	want := transport.Sample{Out: p.Out.Level, OutX: ^p.Out.Mask, IO: p.IO.Level, IOX: ^p.IO.Mask}
	open := shows.Unknown() &^ want.Unknown()
	f.UnknownToReference += open.Count()
	f.KnownBits += 16 - (want.Unknown() | open).Count()
	released := transport.Outputs(p.IO.Mask&^drives) << 8
	driven := transport.Outputs(p.Undriven&drives&^shows.IOX) << 8
	if lines := shows.Differ(want)&^open | released | driven; lines != 0 {
		if f.WrongSteps++; f.First == nil {
			f.First = &Mismatch{i, lines, released, driven, want, shows}
		}
	}
}

// A NoFitError reports that a waveform fits neither rule, or not the given one.
type NoFitError struct {
	Fits []Fit
	wave *Wave
	tile string
}

func (e *NoFitError) Error() string {
	var b strings.Builder
	b.WriteString("the tile's gates do not do what this waveform shows: ")
	first := e.differ(e.Fits[0])
	if n := len(e.Fits); n > 1 && first == e.differ(e.Fits[n-1]) {
		b.WriteString(first)
	} else {
		for i, f := range e.Fits {
			if i > 0 {
				b.WriteString("; ")
			}
			fmt.Fprintf(&b, "if inputs that change at an edge come %s it, %s", f.Rule, e.differ(f))
		}
	}
	return b.String() + ": " + e.cause()
}

// cause returns the likeliest cause, judged by the oddities of the waveform.
func (e *NoFitError) cause() string {
	o := e.wave.Oddities
	switch {
	case slices.ContainsFunc(e.Fits, func(f Fit) bool { return f.WrongSteps*100 < f.Steps }) && o.EdgeChanges > 0:
		return "does the test bench change an input at the edge of clk with =, in place of <= or a delay?"
	case o.UnknownChanges > 0:
		return fmt.Sprintf("inputs become unknown %d times, where the gates get 0 on ui, and RTL takes such an input "+
			"of an if for false", o.UnknownChanges)
	case o.IrregularPeriods > 0:
		return fmt.Sprintf("the clock is irregular (%d periods differ from the usual one), so edges may be missing",
			o.IrregularPeriods)
	case o.HighChanges > 0:
		return fmt.Sprintf("inputs change while clk is high %d times, and in a step they change while it is low",
			o.HighChanges)
	}
	return fmt.Sprintf("is it of other sources of %s, or of another tile (--tile)?", e.tile)
}

// differ describes the steps that differ under one rule, with the levels at the first one.
func (e *NoFitError) differ(f Fit) string {
	g := f.First
	levels := func(s transport.Sample) string {
		return "uo " + tile.Binary(s.Out, s.OutX) + " uio " + tile.Binary(s.IO, s.IOX)
	}
	at, lines := e.wave.at(f.Rule, g.Index), strings.Join(g.Lines.Names(), ", ")
	what := "where the waveform shows " + levels(g.Got) + ", and the gates " + levels(g.Want)
	switch g.Lines {
	case g.OnlyWaveDrives:
		what = "which the waveform drives and the gates do not"
	case g.OnlyGatesDrive:
		what = "which the gates drive and the waveform does not"
	}
	return fmt.Sprintf("%d of %d steps differ, the first at %s on %s, %s", f.WrongSteps, f.Steps, at, lines, what)
}

// A player applies steps to a tile's reference with separate uio_in and uio_out, as in a simulation: the tile reads the
// test's levels on uio, even on lines that it drives itself.
type player struct {
	chip fault.Chip
	in   fault.Levels
	free func()
}

// newPlayer returns the player of a tile after power-up. Call free at the end.
func newPlayer(t tile.Tile) (*player, error) {
	ref := t.New()
	wired, is := ref.(tile.WiredReference)
	if !is {
		tile.CloseReference(ref)
		return nil, failure.Usagef("%s has no gates here to compare a waveform with", t.Name())
	}
	return &player{chip: wired.FaultChip(), in: fault.Levels{X: fault.MaskUIO},
		free: func() { tile.CloseReference(ref) }}, nil
}

// step applies a step, ui before uio, and returns the tile's outputs and the lines of uio that it may drive.
func (p *player) step(s transport.Step) (shows transport.Sample, drives uint8) {
	p.in.V = p.in.V&fault.MaskUIO | uint32(s.In)<<fault.UI
	if !s.Reset {
		p.in.V |= fault.MaskRst
	}
	p.settle()
	p.in.V = p.in.V&^fault.MaskUIO | uint32(s.IO)<<fault.UIO
	p.in.X = uint32(^s.Drive) << fault.UIO
	p.settle()
	for range s.Clocks {
		high := p.in
		high.V |= fault.MaskClk
		p.chip.ClockEdge(high)
		p.settle()
	}
	out, lines := p.chip.Drives(p.in)
	return transport.Sample{Out: uint8(out.V >> fault.UO), OutX: uint8(out.X >> fault.UO),
		IO: uint8(out.V >> fault.UIO), IOX: uint8(out.X >> fault.UIO)}, uint8(lines >> fault.UIO)
}

func (p *player) settle() {
	if s, is := p.chip.(fault.AsynchronousChip); is {
		s.Settle(p.in)
	}
}
