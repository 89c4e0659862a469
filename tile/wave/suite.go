package wave

import (
	"fmt"
	"io"
	"slices"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// A Suite is a waveform as vectors.
type Suite struct {
	Name   string
	File   string // the waveform's
	Digest string // SHA-256 of the file, in hex
	Wave   *Wave
	Fit    Fit       // of the rule that counts, over the whole waveform
	Both   bool      // the other rule would fit as well
	Parts  [][]Piece // a vector each

	Released int // steps at which the bench drives less than the test did: Write counts them
}

// Parts cuts the pieces of a rule where rst_n goes low, if the tile's own gates says that each part stands alone: a
// vector for each test of the waveform. Otherwise, and if there is one reset alone, all is one vector.
func (w *Wave) Parts(t tile.Tile, rule Rule) ([][]Piece, error) {
	whole := [][]Piece{w.Pieces[rule]}
	parts := cutAtResets(t, w.Pieces[rule])
	if len(parts) == 1 || len(parts) > golden.MostVectors {
		return whole, nil
	}
	for _, p := range parts {
		f, err := measure(t, rule, p)
		if err != nil {
			return nil, err
		}
		if f.Wrong > 0 {
			return whole, nil
		}
	}
	return parts, nil
}

// cutAtResets begins a part at each step that resets after one that does not.
func cutAtResets(t tile.Tile, pieces []Piece) (parts [][]Piece) {
	reset := tile.Reset(t).Reset
	from := 0
	for i := 1; i < len(pieces); i++ {
		if pieces[i].Reset == reset && pieces[i-1].Reset != reset {
			parts, from = append(parts, pieces[from:i]), i
		}
	}
	parts = append(parts, pieces[from:])
	return slices.DeleteFunc(parts, func(p []Piece) bool { return !checks(p) })
}

// checks says whether a part has anything to show.
func checks(part []Piece) bool {
	return slices.ContainsFunc(part, func(p Piece) bool { return p.Out.Mask|p.IO.Mask != 0 })
}

// Write writes the vectors in the format of package golden, with where they come from. Levels that the tile's own
// reference does not know are left out: they depend on the state at power-up.
func (s *Suite) Write(w io.Writer, t tile.Tile) error {
	_, err := fmt.Fprintf(w, "# Made of a waveform by bench import: %s, SHA-256 %s, scope %s.\n# "+
		"Inputs that move with a "+
		"rising clk come %s it.\nsuite %s\n\ndocument %s\nsection \"%s\"\n", s.File, s.Digest, s.Wave.Scope,
		s.Fit.Rule, s.Name,
		s.File, s.Wave.Scope)
	for i, part := range s.Parts {
		if err != nil {
			break
		}
		err = s.part(w, t, i, part)
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
		p.Out.Mask &^= shows[n].OutX
		p.IO.Mask &^= shows[n].IOX
		p.Out.Level &= p.Out.Mask
		p.IO.Level &= p.IO.Mask
		if _, err = fmt.Fprintf(w, "  %s\n", golden.StepText(steps[n], p.Out, p.IO)); err != nil {
			return err
		}
	}
	return nil
}

// asked are the steps of a part as a bench may ask them, and what the reference shows at them. Where the tile may drive
// a line that the test drove, as it does in some states of its power-up, the bench does not.
func (s *Suite) asked(t tile.Tile, part []Piece) ([]transport.Step, []transport.Sample, error) {
	steps := stepsOf(t, part)
	if turner, turns := t.(tile.Turner); turns {
		if err := turner.Turn(steps); err != nil {
			return nil, nil, err
		}
	}
	for n := range part {
		step := &steps[n+1]
		if step.Drive != part[n].Drive {
			s.Released++
		}
		step.IO &= step.Drive
	}
	shows := make([]transport.Sample, len(steps))
	if err := tile.Expect(t, steps, shows); err != nil {
		return nil, nil, err
	}
	return steps[1:], shows[1:], nil
}
