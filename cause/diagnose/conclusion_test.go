package diagnose

import (
	"strings"
	"testing"
	"time"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// mistaken is a chip with a logic error: it inverts the flags NORMAL and CONTROL of the value 7F.
type mistaken struct{ chip *model.Chip }

func (m mistaken) step(s transport.Step) transport.Sample {
	got := m.chip.Step(s)
	if m.chip.Registers().V == 0x7F && s.In&model.ERRS == 0 {
		got.Out ^= model.PropNormal | model.PropControl
	}
	return got
}

// mistakes returns a run of some vectors on a mistaken chip, in rounds; if speeds are given, round n is at speeds[n].
func mistakes(t *testing.T, rounds int, simulated bool, speeds ...*transport.Timing) *Run {
	c := &Run{Tile: utf.TT09, Simulated: simulated, Runs: len(speeds)}
	chip := mistaken{model.New(model.TT09)}
	for n := range rounds {
		if speeds != nil {
			c.BeginRun(speeds[n])
		}
		for i, j := range allJobs(t) {
			if i%testkit.Pick(8, 2) != 0 || utf.TT09.Lint(j.Vector.Steps) != nil || j.Vector.Revision == "tt08" {
				continue
			}
			var got []transport.Sample
			for _, s := range j.Vector.Steps {
				got = append(got, chip.step(s))
			}
			c.Add(j.Vector.Name, j.Vector.Steps, got)
		}
	}
	return c
}

// The wires are not blamed if a chip misses every edge, since it may be too slow for the pulses of clk. It is too slow
// if it passes with long pulses, and not if it fails with them.
func TestNoClock(t *testing.T) {
	pulses := transport.Pulses{Usual: 200 * time.Nanosecond, Long: 20 * time.Microsecond, LongPasses: true}
	for text, want := range map[string]Conclusion{"fmax=1MHz": Unclear, "clk=stuck0": Unclear, "ui5=stuck0": Wire} {
		c := run(t, text, suite(t, "guide")[:60])
		f := diagnosed(t, c)
		if f.Conclusion != want || strings.Contains(f.Reason(), "too slow for its pulses") != (want == Unclear) ||
			f.Facts != nil {
			t.Errorf("%s: %s, %s", text, f.Conclusion, f.Reason())
		}
		if c.Pulses = &pulses; want == Unclear {
			want = Timing
		}
		f = diagnosed(t, c)
		if f.Conclusion != want || want == Timing && (f.TieCount != 1 || f.best().Time.UpTo != 2*pulses.Long) {
			t.Errorf("%s, and long pulses pass: %s, %s", text, f.Conclusion, f.best())
		}
		c.Pulses = &transport.Pulses{Usual: pulses.Usual, Long: pulses.Long}
		if f = diagnosed(t, c); f.Conclusion != Wire || f.best().Kind() != Wire {
			t.Errorf("%s, and long pulses fail: %s, %s", text, f.Conclusion, f.best())
		}
	}
}

// A random flip of ERRS would explain each sample, but all errors occur at one value, which excludes chance.
func TestLogic(t *testing.T) {
	cases := []struct {
		rounds    int
		simulated bool
	}{{1, true}, {1, false}, {2, false}}
	for _, e := range cases[:testkit.Pick(1, len(cases))] {
		c := mistakes(t, e.rounds, e.simulated)
		f := diagnosed(t, c)
		want := Unexplained
		if e.simulated {
			want = Logic
		}
		if n := c.FailedExecutions; f.Conclusion != want || n == 0 || f.Facts == nil || f.FailedExecutions != n {
			t.Errorf("%+v: %s, %d steady, %d executions; %s", e, f.Conclusion, f.SteadyVectors,
				c.FailedExecutions, f.Reason())
		}
	}
}

// At speed, late inputs may look like wrong logic. Errors step by step exclude them, and repeated errors exclude noise.
func TestLogicAtSpeed(t *testing.T) {
	fast := at(50, 24, 25)
	for _, speeds := range [][]*transport.Timing{{fast}, {fast, nil, fast, nil}}[:testkit.Pick(1, 2)] {
		f, alone := diagnosed(t, mistakes(t, len(speeds), false, speeds...)), len(speeds) == 1
		want := map[bool]Conclusion{true: Unclear, false: Unexplained}[alone]
		if f.Conclusion != want || f.NeedsSlowRun() != alone || strings.Contains(f.Reason(), "--at") != alone ||
			len(f.Facts) == 0 {
			t.Errorf("%d runs: %s, %s", len(speeds), f.Conclusion, f.Reason())
		}
	}
}

// The conclusion for a simulation blames no line, intermittent or permanent, since a simulation has no wires.
func TestSimulationHasNoWires(t *testing.T) {
	for fault, want := range map[string]Conclusion{"uo3=stuck1": Logic, "ui1=flip:1e-2:1": Logic,
		"v3=stuck1": Register} {
		c := run(t, fault, suite(t, "guide"))
		c.Simulated = true
		if f := diagnosed(t, c); f.Conclusion != want {
			t.Errorf("%s: %s, %s", fault, f.Conclusion, f.Reason())
		}
	}
}

// The cost of an intermittent line covers only the kept executions, like the costs of permanent faults. The cost of the
// whole run would exceed that of a list of the few errors that were kept.
func TestRoundsBeyondTheKept(t *testing.T) {
	f := testkit.Must(model.Bits.Parse("uo2=flip:1e-3:3"))(t)
	c := &Run{Tile: utf.TT09, Runs: 2000}
	r := driver.Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}}),
		Rules: driver.Rules{Count: 3}, Report: adding(t, c)}
	if _, err := r.Run(t.Context(), suite(t, "guide")); err != nil {
		t.Fatal(err)
	}
	found := diagnosed(t, c)
	if found.Conclusion != Intermittent || 4*found.SimulatedSteps > found.TotalSteps {
		t.Fatalf("%s, %d of %d steps, %v", found.Conclusion, found.SimulatedSteps, found.TotalSteps, found.Causes[0])
	}
	if p := found.Causes[0].Faults[0].Probability; p < 0.5e-3 || p > 2e-3 {
		t.Errorf("in a step with probability %g", p)
	}
}

// For a single error, no cause that explains no bit is named, such as a flip of probability 0, nor are wires blamed.
func TestNoCauseWithoutAnExplainedBit(t *testing.T) {
	for _, speed := range []*transport.Timing{nil, at(50, 24, 25)} {
		c := &Run{Tile: utf.TT09}
		c.BeginRun(speed)
		for i, j := range allJobs(t)[:testkit.Pick(40, 200)] {
			got := make([]transport.Sample, len(j.Vector.Steps))
			search.PanicOn(tile.Expect(utf.TT09, j.Vector.Steps, got))
			if i == 7 {
				got[5].Out ^= 4
			}
			search.PanicOn(c.Add(j.Vector.Name, j.Vector.Steps, got))
		}
		f := diagnosed(t, c)
		for _, cause := range f.Causes {
			if cause.ExplainedBits == 0 {
				t.Errorf("at %v: %s explains %d of %d bits", speed, cause, cause.ExplainedBits, cause.DifferingBits)
			}
		}
		if c.FailedExecutions != 1 || f.TieCount == 0 || f.Conclusion != Unclear {
			t.Errorf("at %v: %d failed, %d ties, %s", speed, c.FailedExecutions, f.TieCount, f.Conclusion)
		}
	}
}
