package compare

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/utf"
)

// A fake is a chip with given results.
type fake struct {
	results []*driver.Result
	outcome report.Outcome
	ask     func(context.Context) error // called before the results; may be nil
	closed  atomic.Int32
}

func (f *fake) Ask(ctx context.Context, to report.Reporter) error {
	if f.ask != nil {
		if err := f.ask(ctx); err != nil {
			return err
		}
	}
	run := report.Run{Transport: "fake",
		Identity: report.Identity{Chip: report.Chip{Kind: "gpio"}, Revision: "tt09"}}
	if err := to.Start(run); err != nil {
		return err
	}
	o := f.outcome
	o.Tally = &driver.Tally{}
	for _, r := range f.results {
		o.Tally.Steps += r.Steps
		if err := to.Result(r); err != nil {
			return err
		}
	}
	return to.End(o)
}

func (f *fake) Close() { f.closed.Add(1) }

func (f *fake) target(name, device string) Target {
	return Target{Name: name, Device: device, Open: func(context.Context) (Chip, error) { return f, nil }}
}

func resultOf(name string, v driver.Verdict) *driver.Result {
	return &driver.Result{Vector: &golden.Vector{Name: name, Line: 7}, File: "a.vec", Tile: utf.TT09, Verdict: v,
		Steps: 10, Iteration: 1}
}

// wrong returns a vector that is FAIL at a step, from 1, on lines of uo and uio.
func wrong(name string, step int, out, io uint8) *driver.Result {
	r := resultOf(name, driver.Fail)
	r.First = &driver.Mismatch{Index: step - 1, OutDiff: out, IODiff: io}
	return r
}

func because(r *driver.Result, reason string) *driver.Result {
	r.Reason = reason
	return r
}

func run(t *testing.T, m *Matrix) *Table {
	t.Helper()
	m.Timeout = time.Minute
	m.Refuse = func(error) bool { return false }
	return testkit.Must(m.Run(t.Context()))(t)
}

func TestByDevice(t *testing.T) {
	for devices, want := range map[string]string{
		"":        "[[0]]",
		",,":      "[[0] [1] [2]]",
		"a,b,a":   "[[0 2] [1]]",
		"a,,a,,b": "[[0 2] [1] [3] [4]]",
	} {
		var targets []Target
		for d := range strings.SplitSeq(devices, ",") {
			targets = append(targets, Target{Device: d})
		}
		if got := fmt.Sprint(byDevice(targets)); got != want {
			t.Errorf("%q: %s; want %s", devices, got, want)
		}
	}
}

// Two targets without a common device run concurrently: each waits for the other. Two on one device are never open
// together.
func TestAtTheSameTime(t *testing.T) {
	meet, open := make(chan bool), atomic.Int32{}
	var targets []Target
	for i, device := range []string{"", "", "a", "a", "a"} {
		f := &fake{results: []*driver.Result{resultOf("s/v", driver.Pass)}}
		target := f.target(fmt.Sprint(i), device)
		switch {
		case i == 0:
			f.ask = func(context.Context) error { meet <- true; return nil }
		case i == 1:
			f.ask = func(context.Context) error { <-meet; return nil }
		default:
			target.Open = func(context.Context) (Chip, error) {
				if open.Add(1) != 1 {
					t.Error("two targets of one device are open")
				}
				return f, nil
			}
			f.ask = func(context.Context) error { open.Add(-1); return nil }
		}
		targets = append(targets, target)
	}
	if v := run(t, &Matrix{Targets: targets}).Verdict(); v != driver.Pass {
		t.Error(v)
	}
}

// A target's failure does not affect the others; every opened target is closed exactly once.
func TestTrouble(t *testing.T) {
	pulled := errors.New("no answer: was the cable pulled?")
	well := func() []*driver.Result { return []*driver.Result{resultOf("s/v", driver.Pass)} }
	for _, c := range []struct {
		chip *fake
		err  error // from opening it
		want driver.Verdict
		says string
	}{
		{&fake{results: well()}, nil, driver.Pass, "A and B pass"},
		{nil, pulled, driver.Error, "B passes; A could not be tested: " + pulled.Error()},
		{nil, errors.New("\x1b[2Jforged"), driver.Error, `B passes; A could not be tested: \x1b[2Jforged`},
		{&fake{ask: func(context.Context) error { return pulled }}, nil, driver.Error,
			"B passes; A could not be tested: " + pulled.Error()},
		{&fake{results: well(), outcome: report.Outcome{Trouble: "cut"}}, nil, driver.Error,
			"B passes; A broke off: cut"},
		{&fake{results: []*driver.Result{wrong("s/v", 3, 0x20, 0)}, outcome: report.Outcome{Trouble: "cut"}}, nil,
			driver.Error, "B passes; A fails from step 3 of s/v (uo5 NONCHAR) and broke off: cut"},
		{&fake{results: []*driver.Result{because(resultOf("s/v", driver.Wiring), "uo3 is open")}}, nil, driver.Wiring,
			"B passes; A was not judged, since uo3 is open"},
		{&fake{results: []*driver.Result{resultOf("s/v", driver.Skipped)}}, nil, driver.Skipped,
			"B passes; A was not tested: no vector applies"},
		{&fake{results: []*driver.Result{because(resultOf("s/v", driver.Error), "no legal step")}}, nil, driver.Error,
			"B passes; A could not be judged in s/v: no legal step"},
		{&fake{results: []*driver.Result{because(resultOf("s/a", driver.Error), "x"), wrong("s/v", 3, 0x20, 1)}}, nil,
			driver.Error, "B passes; A fails from step 3 of s/v (uo5 NONCHAR, uio0) " +
				"and could not be judged in 1 vector"},
		{&fake{results: []*driver.Result{resultOf("s/v", driver.Pass), wrong("s/v", 3, 0x20, 0)}}, nil, driver.Flaky,
			"B passes; A fails now and then from step 3 of s/v (uo5 NONCHAR)"},
	} {
		b := &fake{results: well()}
		a := Target{Name: "A", Open: func(context.Context) (Chip, error) { return c.chip, c.err }}
		done := 0
		table := run(t, &Matrix{Targets: []Target{a, b.target("B", "")}, Done: func() { done++ }})
		if got := table.Columns[0].Verdict(); got != c.want || table.Conclusion() != c.says {
			t.Errorf("%s, %s\nwant %s, %s", got, table.Conclusion(), c.want, c.says)
		}
		if got := table.Columns[1].Verdict(); got != driver.Pass || b.closed.Load() != 1 || done == 0 {
			t.Errorf("%s: the other is %s, closed %d times, %d done", c.says, got, b.closed.Load(), done)
		}
		if c.chip != nil && c.err == nil && c.chip.closed.Load() != 1 {
			t.Errorf("%s: closed %d times", c.says, c.chip.closed.Load())
		}
	}
}

// A target that is too slow to open or to respond is ERROR, and never bad input.
func TestLate(t *testing.T) {
	waits := func(ctx context.Context) error { <-ctx.Done(); return errors.New("stopped") }
	slow, well := &fake{ask: waits}, &fake{results: []*driver.Result{resultOf("s/v", driver.Pass)}}
	never := Target{Name: "never", Open: func(ctx context.Context) (Chip, error) { return nil, waits(ctx) }}
	m := Matrix{Targets: []Target{never, slow.target("slow", ""), well.target("well", "")},
		Timeout: 20 * time.Millisecond, Refuse: func(error) bool { return true }}
	table := testkit.Must(m.Run(t.Context()))(t)
	const says = "well passes; never could not be tested: not open within 20ms: give a longer --timeout: stopped; " +
		"slow could not be tested: no response within 20ms: give a longer --timeout"
	if table.Conclusion() != says || table.Verdict() != driver.Error || table.Interrupted() {
		t.Error(table.Conclusion())
	}
}

// Bad input, or an interrupt before the first run, runs nothing.
func TestNothingIsRun(t *testing.T) {
	bad := errors.New("no such file")
	for _, interrupt := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		f := &fake{ask: func(context.Context) error { t.Error("it was asked"); return nil }}
		opens := Target{Name: "bad\x1b", Open: func(context.Context) (Chip, error) {
			if interrupt {
				cancel()
			}
			return nil, bad
		}}
		m := Matrix{Targets: []Target{f.target("A", ""), opens}, Timeout: time.Minute,
			Refuse: func(err error) bool { return errors.Is(err, bad) }}
		table, err := m.Run(ctx)
		want := map[bool]string{false: `bad\x1b: no such file`, true: context.Canceled.Error()}[interrupt]
		if table != nil || err == nil || err.Error() != want || f.closed.Load() > 1 {
			t.Errorf("%v, %v; want %s; closed %d times", table, err, want, f.closed.Load())
		}
		cancel()
	}
}

// An interrupt stops running targets, and those that wait for their device are not opened.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{ask: func(ctx context.Context) error { cancel(); <-ctx.Done(); return ctx.Err() }}
	waits := Target{Name: "waits", Device: "a", Open: func(context.Context) (Chip, error) {
		t.Error("it was opened")
		return nil, errors.New("opened")
	}}
	m := Matrix{Targets: []Target{f.target("A", "a"), waits}, Timeout: time.Minute,
		Refuse: func(error) bool { return true }}
	table, err := m.Run(ctx)
	if err != nil || !table.Interrupted() || table.Conclusion() != "A and waits were stopped" || f.closed.Load() != 1 {
		t.Errorf("%+v, %v", table, err)
	}
}

// The author's names of uio lines stand beside them.
func TestNamesOfBus(t *testing.T) {
	r := wrong("s/v", 3, 1, 0x18)
	r.Tile = gates.Described{About: &project.Project{Pins: map[string]string{"uo0": "carry", "uio3": "tx (serial)"}}}
	if got := answer(r).At(); got != "step 3 (uo0 carry, uio3 tx, uio4)" {
		t.Error(got)
	}
}

// A vector of several iterations has one verdict, independent of their order.
func TestGraver(t *testing.T) {
	verdicts := map[string]driver.Verdict{"p": driver.Pass, "f": driver.Fail, "e": driver.Error, "a": driver.Aborted}
	for all, want := range map[string]driver.Verdict{"p": driver.Pass, "ppp": driver.Pass, "pf": driver.Flaky,
		"fp": driver.Flaky, "fpf": driver.Flaky, "ff": driver.Fail, "pfe": driver.Error, "efp": driver.Error,
		"pa": driver.Aborted, "fa": driver.Fail} {
		c := newColumn("A")
		for _, v := range strings.Split(all, "") {
			r := resultOf("s/v", verdicts[v])
			if v == "f" {
				r = wrong("s/v", 4, 1, 0)
			}
			if err := c.Result(r); err != nil {
				t.Fatal(err)
			}
		}
		if got := c.Verdict(); got != want {
			t.Errorf("%s: %s; want %s", all, got, want)
		}
	}
}

// If nothing is refused, each target runs as soon as it is open, without waiting for others.
func TestEachAsItIsOpen(t *testing.T) {
	asked := make(chan bool)
	first := &fake{results: []*driver.Result{resultOf("s/v", driver.Pass)},
		ask: func(context.Context) error { close(asked); return nil }}
	second := &fake{results: []*driver.Result{resultOf("s/v", driver.Pass)}}
	waits := Target{Name: "B", Open: func(context.Context) (Chip, error) { <-asked; return second, nil }}
	taken := errors.New("somebody has it")
	refused := Target{Name: "C", Open: func(context.Context) (Chip, error) { return nil, taken }}
	m := Matrix{Targets: []Target{first.target("A", ""), waits, refused}, Timeout: time.Minute}
	table := testkit.Must(m.Run(t.Context()))(t)
	if got := table.Conclusion(); got != "A and B pass; C could not be tested: somebody has it" ||
		!errors.Is(table.Columns[2].Err, taken) {
		t.Error(got, table.Columns[2].Err)
	}
}

// A rate is relative to the time in which the transport applied steps.
func TestRate(t *testing.T) {
	first, second := resultOf("s/a", driver.Pass), resultOf("s/b", driver.Pass)
	first.Took, second.Took = 3*time.Millisecond, 2*time.Millisecond
	never := errors.New("x")
	table := run(t, &Matrix{Targets: []Target{
		(&fake{results: []*driver.Result{first, second}}).target("A", ""),
		{Name: "B", Open: func(context.Context) (Chip, error) { return nil, never }}}})
	if a, b := table.Columns[0].Rate(), table.Columns[1].Rate(); a != 4000 || b != 0 {
		t.Error(a, b)
	}
}
