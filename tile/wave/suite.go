package wave

import (
	"context"
	"fmt"
	"io"
	"slices"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// A Suite is a waveform converted to vectors.
type Suite struct {
	Name      string
	File      string // of the waveform
	Digest    string // SHA-256 of the file, in hex
	Wave      *Wave
	Fit       Fit       // of the selected rule, over the whole waveform
	Ambiguous bool      // the other rule would fit as well
	Parts     [][]Piece // one per vector

	Release bool // no step lingers

	CheckedBits    int // output bits that the vectors check, counted by Write
	LingeringSteps int // lingering steps, counted by Write
}

// Parts cuts the pieces of fit's rule wherever a reset begins, to get one vector for each test in the waveform. It
// returns a single part unless the parts fit the tile's gates and have as many known bits as the whole.
func (w *Wave) Parts(t tile.Tile, fit Fit) ([][]Piece, error) {
	whole := [][]Piece{w.Pieces[fit.Rule]}
	parts := cutAtResets(t, w.Pieces[fit.Rule])
	if len(parts) == 1 || len(parts) > golden.MaxVectors {
		return whole, nil
	}
	known := 0
	for _, p := range parts {
		f, err := measure(t, fit.Rule, p)
		if err != nil {
			return nil, err
		}
		if known += f.KnownBits; f.WrongSteps > 0 {
			return whole, nil
		}
	}
	if known < fit.KnownBits {
		return whole, nil
	}
	return parts, nil
}

// cutAtResets begins a part at each step that begins a reset, and drops parts without expected bits.
func cutAtResets(t tile.Tile, pieces []Piece) (parts [][]Piece) {
	reset := tile.ResetStep(t).Reset
	from := 0
	for i := 1; i < len(pieces); i++ {
		if pieces[i].Reset == reset && pieces[i-1].Reset != reset {
			parts, from = append(parts, pieces[from:i]), i
		}
	}
	parts = append(parts, pieces[from:])
	return slices.DeleteFunc(parts, func(p []Piece) bool { return !checks(p) })
}

// settle separates clocks from changes of inputs if lines of the tile change direction, so that the steps can linger.
func (s *Suite) settle(t tile.Tile) {
	turner, turns := t.(tile.Turner)
	if _, may := t.(lingerer); s.Release || !may || !turns || turner.DrivenLines() == 0 {
		return
	}
	for i, part := range s.Parts {
		if all := settled(part); len(all) <= maxPieces {
			s.Parts[i] = all
		}
	}
}

// settled inserts a step without a clock before each clock at which inputs change.
func settled(part []Piece) (all []Piece) {
	var last transport.Step
	for _, p := range part {
		before := p.Step
		if before.Clocks = last.Clocks; before != last && p.Clocks > 0 {
			before.Clocks = 0
			all = append(all, Piece{Step: before})
		}
		all, last = append(all, p), p.Step
	}
	return all
}

func checks(part []Piece) bool {
	return slices.ContainsFunc(part, func(p Piece) bool { return p.Out.Mask|p.IO.Mask != 0 })
}

// Write writes the vectors in the format of package golden, with their source, and counts the checked bits.
func (s *Suite) Write(w io.Writer, t tile.Tile) error {
	_, err := fmt.Fprintf(w, "# Made of a waveform by bench import: %s, SHA-256 %s, scope %s.\n# Inputs that move "+
		"with a rising clk come %s it.\nsuite %s\n\ndocument %s\nsection \"%s\"\n", s.File, s.Digest, s.Wave.Scope,
		s.Fit.Rule, s.Name, s.File, s.Wave.Scope)
	for i, part := range s.Parts {
		if err != nil {
			break
		}
		err = s.part(w, t, i, part)
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "\n# Output bits that are checked: %d. Bits that waveform and gates know, but a bench "+
			"cannot: %d.\n", s.CheckedBits, s.UncheckedBits())
	}
	return err
}

func (s *Suite) part(w io.Writer, t tile.Tile, i int, part []Piece) error {
	steps, shows, err := s.asked(t, part)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(w, "\nvector wave%03d \"%d steps of the waveform\"\n  expects reference\n", i+1,
		len(part)); err != nil {
		return err
	}
	for n, p := range part {
		s.CheckedBits += p.keep(shows[n], steps[n].Drive)
		if steps[n].Linger {
			s.LingeringSteps++
		}
		if _, err = fmt.Fprintf(w, "  %s\n", golden.StepText(steps[n], p.Out, p.IO)); err != nil {
			return err
		}
	}
	return nil
}

// keep drops all expected bits that the reference does not confirm or that the bench drives, and counts the others.
func (p *Piece) keep(shows transport.Sample, drive uint8) int {
	p.Out.Mask &^= shows.OutX | (shows.Out ^ p.Out.Level)
	p.IO.Mask &^= shows.IOX | (shows.IO ^ p.IO.Level) | drive
	p.Out.Level &= p.Out.Mask
	p.IO.Level &= p.IO.Mask
	return (transport.Outputs(p.IO.Mask)<<8 | transport.Outputs(p.Out.Mask)).Count()
}

// UncheckedBits counts the bits that both the waveform and the tile's gates know but the vectors do not check. They
// depend on the test's levels on uio lines that the bench must release, since the tile begins or ends to drive them.
func (s *Suite) UncheckedBits() int { return max(0, s.Fit.KnownBits-s.CheckedBits) }

// A lingerer is a tile.Turner that knows where a bench can drive lines up to the edge at which the chip takes over.
type lingerer interface {
	// Linger is like ReleaseDriven, but makes steps linger.
	Linger(ctx context.Context, steps []transport.Step) error
}

// asked returns a part's steps, in which no line is driven that the tile may drive, and the reference's outputs.
func (s *Suite) asked(t tile.Tile, part []Piece) ([]transport.Step, []transport.Sample, error) {
	steps := stepsOf(t, part)
	for n := range steps {
		if _, turns := t.(tile.Turner); !turns {
			steps[n].Drive &^= t.Drives(steps[n])
		}
	}
	if turner, turns := t.(tile.Turner); turns {
		turn := turner.ReleaseDriven
		if l, may := t.(lingerer); may && !s.Release {
			turn = l.Linger
		}
		if err := turn(context.Background(), steps); err != nil {
			return nil, nil, err
		}
	}
	for n := range steps {
		steps[n].IO &= steps[n].Drive
	}
	shows := make([]transport.Sample, len(steps))
	if err := tile.Expect(t, steps, shows); err != nil {
		return nil, nil, err
	}
	return steps[1:], shows[1:], nil
}
