package diagnose

import (
	"context"
	"testing"

	"utfbench/fault"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A keeper is a board whose undriven pins keep their last level, as a floating CMOS input does for a while.
type keeper struct {
	chip *mock.Transport
	kept uint8
}

func (k *keeper) String() string { return k.chip.String() }
func (k *keeper) Close() error   { return k.chip.Close() }

func (k *keeper) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := k.chip.Apply(ctx, steps, samples)
	for i := range samples[:n] {
		s, got := steps[i], &samples[i]
		k.kept = k.kept&^s.Drive | s.IO&s.Drive
		got.IO |= k.kept & got.IOX
		got.OutX, got.IOX = 0, 0
		k.kept = got.IO
	}
	return n, err
}

// An open line is named even if the chip's end floats low or high and the board's end keeps its last level.
func TestOpenLinesWhoseEndsFloatApart(t *testing.T) {
	for i := range 8 {
		for _, level := range []string{"low", "high"} {
			text := fault.Lines[fault.UIO+i] + "=open:" + level
			f, err := model.Bits.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			tr := &keeper{chip: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})}
			r := check(t, tr)
			if r.Verdict != BadWires || len(r.SuspectsByLine()) != 1 ||
				r.SuspectsByLine()[0].Lines[0] != fault.Lines[fault.UIO+i] {
				t.Errorf("%s: %s, %s, %v", text, r.Verdict, r.Reason, names(r))
			}
		}
	}
}
