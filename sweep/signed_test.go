package sweep

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// signing is a mock that generates the steps of a series itself, as boards do.
type signing struct {
	transport.Transport
	signed, carried int // steps
	glitch          int // number, from 1, of the series with a wrong signature; its transferred samples are right
}

func (s *signing) Sign(ctx context.Context, runs []transport.Series) (int, error) {
	for i := range runs {
		r := &runs[i]
		if err := r.Check(); err != nil {
			return i, err
		}
		var steps []transport.Step
		for c := range r.Count {
			steps = r.AppendCase(steps, c)
		}
		got := make([]transport.Sample, len(steps))
		if n, err := s.Transport.Apply(ctx, steps, got); err != nil || n < len(steps) {
			return i, err
		}
		s.signed += len(steps)
		s.glitch--
		r.SameSignature = slices.Equal(got, r.Want) && s.glitch != 0
	}
	return len(runs), nil
}

func (s *signing) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	s.carried += len(steps)
	return s.Transport.Apply(ctx, steps, samples)
}

func some(t *testing.T, w *BlockRunner, numbers ...int) (blocks []Block) {
	t.Helper()
	for _, n := range numbers {
		blocks = append(blocks, testkit.Must(w.Run(t.Context(), n))(t))
	}
	return blocks
}

// signedBlocks lists blocks of each space: with forms of every length, with surrogates, and beyond the code points.
var signedBlocks = map[string][]int{"codepoints": {0, 2, 54, 63, 64, 1087, 1088}, "bytes": {0, 40}}

// The series of a block contain exactly the steps of its cases, each case once.
func TestStretchesAreTheCases(t *testing.T) {
	for name := range signedBlocks {
		for _, rev := range []utf.Tile{utf.TT08, utf.TT09} {
			space, _ := open(t, tile.Scope{Space: name, Revision: rev.Revision()})
			var made, want []transport.Step
			for block := 0; block < space.Blocks(); block += 7 * stride {
				seen := make([]bool, space.Cases(block))
				for _, s := range space.(tile.StretchLister).Stretches(block) {
					for i := range s.Count {
						n := s.CaseNumber(i)
						made, want = s.AppendCase(made[:0], i), space.Append(want[:0], block, n)
						if seen[n] || !slices.Equal(made, want) {
							t.Fatalf("%s: %s, seen before %v:\nmade %+v\nwant %+v", name, space.Case(block, n),
								seen[n], made, want)
						}
						seen[n] = true
					}
				}
				if slices.Contains(seen, false) {
					t.Fatalf("%s: block %d has cases of no run", name, block)
				}
			}
		}
	}
}

// A signing chip confirms all cases, no samples are transferred, and the blocks equal those of an unsigned sweep.
func TestSignedIsCarried(t *testing.T) {
	for name, blocks := range signedBlocks {
		for _, rev := range []utf.Tile{utf.TT08, utf.TT09} {
			space, _ := open(t, tile.Scope{Space: name, Revision: rev.Revision()})
			for i, r := range blocks {
				if i%stride != 0 {
					continue
				}
				chip := &signing{Transport: mock.Open(mock.Config{Tile: rev})}
				got := some(t, NewBlockRunner(space, rev, chip), r)
				want := some(t, NewBlockRunner(space, rev, mock.Open(mock.Config{Tile: rev})), r)
				if chip.carried != 0 || chip.signed == 0 {
					t.Errorf("%s %v: %d steps signed and %d carried; want none carried", name, r,
						chip.signed, chip.carried)
				}
				for i := range got {
					if got[i].Signed != got[i].Cases {
						t.Errorf("%s block %d: %d of %d cases signed", name, got[i].Number, got[i].Signed, got[i].Cases)
					}
					got[i].Signed = 0
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s %v:\nsigned  %+v\ncarried %+v", name, r, got, want)
				}
			}
		}
	}
}

// Cases with a wrong signature are repeated step by step, so a faulty chip's blocks are the same as without signatures.
func TestSignedFaultIsCarried(t *testing.T) {
	for i, text := range []string{"v6=stuck0", "uo2=stuck1", "retry=stuck1"} {
		if i%stride != 0 {
			continue
		}
		f := testkit.Must(model.Bits.Parse(text))(t)
		for name, blocks := range signedBlocks {
			space, rev := open(t, tile.Scope{Space: name})
			faulty := func() *mock.Transport { return mock.Open(mock.Config{Tile: rev, Faults: []fault.Fault{f}}) }
			got := some(t, NewBlockRunner(space, rev, &signing{Transport: faulty()}), blocks[0])
			want := some(t, NewBlockRunner(space, rev, faulty()), blocks[0])
			for i := range got {
				if g := got[i]; g.UnsteadyStretches != 0 || g.Signed+g.Failed > g.Cases {
					t.Errorf("%s: %s block %d: %d unsteady, %d of %d signed, %d failed", text, name, g.Number,
						g.UnsteadyStretches, g.Signed, g.Cases, g.Failed)
				}
				got[i].Signed = 0
				if g, w := got[i], want[i]; !reflect.DeepEqual(g, w) {
					t.Errorf("%s: %s:\nsigned  %+v\ncarried %+v", text, name, g, w)
				}
			}
		}
	}
}

// A single wrong signature makes a stretch unsteady although all repeated samples are right.
func TestUnsteady(t *testing.T) {
	space, rev := open(t, tile.Scope{Space: "codepoints"})
	chip := &signing{Transport: mock.Open(mock.Config{Tile: rev}), glitch: 15}
	blocks := some(t, NewBlockRunner(space, rev, chip), 0, 1)
	for _, b := range blocks {
		want := 0
		if b.Number == 0 { // its 15th series is the third with two-byte forms
			want = 1
		}
		if b.UnsteadyStretches != want || b.Failed != 0 || (b.Signed == b.Cases) != (want == 0) {
			t.Errorf("block %d: %d unsteady, %d failed, %d of %d signed; want %d unsteady", b.Number,
				b.UnsteadyStretches, b.Failed, b.Signed, b.Cases, want)
		}
	}
	if chip.carried == 0 {
		t.Error("nothing was carried")
	}
}
