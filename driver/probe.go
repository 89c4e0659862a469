package driver

import (
	"context"
	"fmt"
	"strings"

	"utfbench/tile"
	"utfbench/transport"
)

// A Finding is the result of a probe.
type Finding struct {
	OK    bool
	Text  string // one line of text
	Trace        // steps with expected and actual samples
}

// applyProbe applies a probe to a chip and compares the samples with the tile's reference.
func applyProbe(ctx context.Context, tr transport.Transport, t tile.Tile, p tile.Probe) (Finding, error) {
	trace, err := applySteps(ctx, tr, p.Steps)
	if err != nil {
		return Finding{}, err
	}
	if err := trace.Expect(t); err != nil {
		return Finding{}, err
	}
	i, differs := trace.firstDifference()
	if !differs {
		return Finding{true, fmt.Sprintf("%d steps as expected", len(trace.Steps)), trace}, nil
	}
	text := fmt.Sprintf("%s: wrong on %s", trace.describeDifference(i), transport.Differ(trace.Got, trace.Want))
	if p.Guess != nil {
		if guess := p.Guess(trace.Got, trace.Want); guess != "" {
			text += ": " + guess
		}
	}
	return Finding{false, text, trace}, nil
}

// applySteps applies the steps of a probe, without comparing samples.
func applySteps(ctx context.Context, tr transport.Transport, steps []transport.Step) (Trace, error) {
	t := Trace{Steps: steps, Got: make([]transport.Sample, len(steps))}
	_, err := transport.Apply(ctx, tr, t.Steps, t.Got)
	return t, err
}

func (t *Trace) firstDifference() (i int, differs bool) {
	for i := range t.Got {
		if t.Differ(i) != 0 {
			return i, true
		}
	}
	return 0, false
}

func (t *Trace) describeDifference(i int) string {
	got, want := t.Got[i], t.Want[i]
	return fmt.Sprintf("at step %d, %s, uo is %s and uio %s, not %s and %s", i+1, tile.Describe(t.Tile, t.Steps[i]),
		tile.Binary(got.Out, got.OutX), tile.Binary(got.IO, got.IOX), tile.Binary(want.Out, want.OutX),
		tile.Binary(want.IO, want.IOX))
}

// A ChipRecognition is the result of recognising a chip; OK means that it is the expected design.
type ChipRecognition struct {
	Finding

	// LikelyMiswired means that the chip is not OK, but probably has this design behind one or two bad wires.
	LikelyMiswired bool
}

// Recognise checks, without risk to the chip, whether it has t's design in any revision; see tile.Recogniser. A
// rejected chip has another design or none, or is too faulty. If the tile is not a tile.Recogniser, the result is OK.
// Errors come from the transport or the reference.
func Recognise(ctx context.Context, tr transport.Transport, t tile.Tile) (ChipRecognition, error) {
	r, can := t.(tile.Recogniser)
	if !can {
		return ChipRecognition{Finding: Finding{OK: true,
			Text: "nothing tells " + t.Name() + " from another design"}}, nil
	}
	f, err := applyProbe(ctx, tr, t, r.Signature())
	return ChipRecognition{f, err == nil && !f.OK && r.IsSimilar(transport.Differ(f.Got, f.Want))}, err
}

// DetectRevision determines which revision of t's design a recognised chip has. If the chip matches none, the finding
// is not OK. Errors come from the transport or the reference.
func DetectRevision(ctx context.Context, tr transport.Transport, t tile.Tile) (tile.Tile, Finding, error) {
	r, can := t.(tile.Recogniser)
	if !can || len(t.Others()) == 0 {
		return t, Finding{OK: true}, nil
	}
	trace, err := applySteps(ctx, tr, r.RevisionSteps())
	if err != nil {
		return t, Finding{}, err
	}
	var why []string
	for _, rev := range append([]tile.Tile{t}, t.Others()...) {
		if err := trace.Expect(rev); err != nil {
			return t, Finding{}, err
		}
		i, differs := trace.firstDifference()
		if !differs {
			return rev, Finding{true, fmt.Sprintf("%d steps as %s", len(trace.Steps), rev.Revision()), trace}, nil
		}
		why = append(why, fmt.Sprintf("not as %s: %s", rev.Revision(), trace.describeDifference(i)))
	}
	return t, Finding{false, strings.Join(why, "; "), trace}, nil
}
