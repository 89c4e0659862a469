package transport

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The number of a line is its bit in the masks, and names are unique.
func TestLines(t *testing.T) {
	if len(Lines) != LineN {
		t.Fatalf("%d lines; want %d", len(Lines), LineN)
	}
	for n, want := range map[int]string{UI: "ui0", UI + 7: "ui7", UO: "uo0", UIO - 1: "uo7", UIO: "uio0",
		Clk - 1: "uio7", Clk: "clk", RstN: "rst_n"} {
		if Lines[n] != want || slices.Index(Lines, want) != n {
			t.Errorf("line %d is %s; want %s there alone", n, Lines[n], want)
		}
	}
	sum := 0 // the sum equals the union only if no masks overlap
	for _, mask := range []int{MaskUI, MaskUO, MaskUIO, MaskClk, MaskRstN} {
		sum += mask
	}
	if sum != 1<<LineN-1 {
		t.Errorf("the masks are %026b together; want each line in one", sum)
	}
}

// Outputs.Names returns the names of the lines, uo first.
func TestOutputs(t *testing.T) {
	if got := outputs(0x81, 0x24).Names(); !slices.Equal(got, []string{"uo0", "uo7", "uio2", "uio5"}) {
		t.Errorf("names %v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		out, io := rapid.Byte().Draw(t, "out"), rapid.Byte().Draw(t, "io")
		both := outputs(out, io)
		if o, i := both.Bytes(); o != out || i != io || len(both.Names()) != both.Count() {
			t.Fatalf("%04x is %02x and %02x, %d lines, of which %v are named", both, o, i, both.Count(), both.Names())
		}
	})
}

func drawSample(t *rapid.T, name string) Sample {
	b := rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, name)
	return Sample{Out: b[0] &^ b[1], OutX: b[1], IO: b[2] &^ b[3], IOX: b[3]}
}

// Differ treats each combination of known and unknown bits as its comment says.
func TestDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got, want := drawSample(t, "got"), drawSample(t, "want")
		diff := got.Differ(want)
		for i := range 16 {
			bit := Outputs(1) << i
			expect := want.Unknown()&bit == 0 && (got.Unknown()&bit != 0 || got.Levels()&bit != want.Levels()&bit)
			if expect != (diff&bit != 0) {
				t.Fatalf("bit %d of %+v against %+v: differs %v, want %v", i, got, want, diff&bit != 0, expect)
			}
		}
	})
}

// Levels and Unknown return uo in the low byte and uio in the high byte.
func TestSampleBits(t *testing.T) {
	s := Sample{Out: 0x01, OutX: 0x10, IO: 0x20, IOX: 0x02}
	if s.Levels() != 0x2001 || s.Unknown() != 0x0210 {
		t.Errorf("levels %04x, unknown %04x; want 2001 and 0210", s.Levels(), s.Unknown())
	}
}

// mute is a transport whose Apply fills no sample and returns a given number and error.
type mute struct {
	Transport
	good int
	err  error
}

func (m mute) String() string                                       { return "mute" }
func (m mute) Apply(context.Context, []Step, []Sample) (int, error) { return m.good, m.err }

// Apply returns an error for a short response without one, and passes other responses through.
func TestApply(t *testing.T) {
	steps, samples := make([]Step, 3), make([]Sample, 4)
	if n, err := Apply(t.Context(), mute{good: 2}, steps, samples); n != 2 || err == nil ||
		!strings.Contains(err.Error(), "mute answered 2 of 3 steps without an error") {
		t.Errorf("2 of 3: %d, %v", n, err)
	}
	for _, m := range []mute{{good: 3}, {good: 1, err: ErrClosed}} {
		if n, err := Apply(t.Context(), m, steps, samples); n != m.good || err != m.err {
			t.Errorf("%+v: %d, %v", m, n, err)
		}
	}
}
