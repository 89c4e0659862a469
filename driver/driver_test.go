package driver

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

func allJobs(t testing.TB) []Job { return testkit.AllJobs[Job](t) }

func parse(t testing.TB, body string) []Job {
	t.Helper()
	s := testkit.Must(golden.Parse("test.vec", "suite s\ndocument d\nsection \"x\"\n"+body, utf.Dialect))(t)
	var jobs []Job
	for i := range s.Vectors {
		jobs = append(jobs, Job{Vector: &s.Vectors[i], File: s.File})
	}
	return jobs
}

func TestEveryVectorPassesOnTheMock(t *testing.T) {
	jobs := allJobs(t)
	for _, rev := range []tile.Tile{utf.TT09, utf.TT08} {
		var bad []string
		r := Runner{Transport: mock.Open(mock.Config{Tile: rev}), Tile: rev, Report: func(r *Result) {
			if r.Verdict == Fail || r.Verdict == Error {
				bad = append(bad, r.Vector.Name+": "+r.Reason)
			}
		}}
		tally, err := r.Run(context.Background(), jobs)
		if err != nil || len(bad) > 0 {
			t.Errorf("%s: error %v, %d not PASS, first: %v", rev, err, len(bad), bad[:min(3, len(bad))])
		}
		if n := tally.Verdicts[Pass]; n < 5000 {
			t.Errorf("%s: %d vectors passed; want thousands", rev, n)
		}
	}
}

func TestLint(t *testing.T) {
	idle, busy := model.Idle, model.Idle&^model.READ
	for _, c := range []struct {
		step transport.Step
		want string
	}{
		{transport.Step{In: idle}, ""},
		{transport.Step{In: busy, Drive: 0xFF}, ""},
		{transport.Step{In: busy &^ model.BIO, Drive: 0xFF, Clocks: 1}, ""},
		{transport.Step{In: busy &^ model.BIO}, ""}, // no clock edge
		{transport.Step{In: idle, Drive: 0x01}, "both drive"},
		{transport.Step{In: idle, Drive: 0x80, Reset: true}, "both drive"},
		{transport.Step{In: busy &^ model.BIO, Drive: 0x7F, Clocks: 1}, "take a byte"},
		{transport.Step{In: busy &^ model.BIO, Drive: 0x7F, Clocks: 1, Reset: true}, ""},
	} {
		err := utf.TT09.Lint([]transport.Step{{In: idle}, c.step})
		var le *tile.IllegalStepError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v: %v; want it allowed", c.step, err)
		case c.want != "" && (!errors.As(err, &le) || le.Step != 1 || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: %v; want an error at step 1 with %q", c.step, err, c.want)
		}
	}
}

// Random sequences of the dialect's procedures all pass the lint.
func TestProceduresPassTheLint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := utf.NewSequence()
		f := utf.Form(rapid.IntRange(0, 2).Draw(t, "form"))
		for _, act := range rapid.SliceOfN(rapid.IntRange(0, 6), 1, 20).Draw(t, "acts") {
			switch act {
			case 0:
				q.Reset()
			case 1:
				q.Rewind()
			case 2:
				q.Write(f, rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "data")...)
			case 3:
				q.Read(f, 3)
			case 4:
				q.ShowStatus()
			case 5:
				q.ShowProperties()
			case 6:
				q.Set(model.CBE|model.CHK|model.ERRS, rapid.Byte().Draw(t, "levels"))
			}
		}
		if err := utf.TT09.Lint(q.Steps); err != nil {
			t.Fatal(err)
		}
	})
}

// A vector in which bench and chip would both drive a line is an ERROR, and none of its steps reaches the chip.
func TestLintedVectorIsAnError(t *testing.T) {
	jobs := parse(t, "vector v \"r\"\nset READ=0 /BIO=0\nclock\nuo 00\n")
	var got *Result
	r := Runner{Tile: utf.TT09, Transport: failing{}, Report: func(r *Result) { got = r }}
	if _, err := r.Run(context.Background(), jobs); err != nil {
		t.Fatal(err)
	}
	if got.Verdict != Error || !strings.Contains(got.Reason, "test.vec:4") ||
		!strings.Contains(got.Reason, "take a byte") {
		t.Errorf("%s, %q; want ERROR with file:line and the reason", got.Verdict, got.Reason)
	}
}

// The tally gives the reason why the lint rejected vectors, unless there are several reasons.
func TestBarred(t *testing.T) {
	const byte, bus = "vector v \"r\"\nset READ=0 /BIO=0\nclock\nuo 00\n", "vector w \"r\"\nstep FF 00 FF 1 1 uo=00\n"
	for vectors, one := range map[string]bool{byte: true, bus: true, byte + bus: false} {
		r := Runner{Tile: utf.TT09, Transport: failing{}, Report: func(*Result) {}}
		tally, err := r.Run(t.Context(), parse(t, vectors))
		if err != nil || tally.IllegalVectors == 0 || (tally.IllegalReason != "") != one {
			t.Errorf("%q: %d illegal, %q, %v", vectors, tally.IllegalVectors, tally.IllegalReason, err)
		}
	}
}

// failing is a transport whose Apply always fails.
type failing struct{ transport.Transport }

func (failing) String() string { return "failing" }
func (failing) Apply(context.Context, []transport.Step, []transport.Sample) (int, error) {
	return 0, errors.New("the cable is out")
}

// A vector that contradicts the reference is an ERROR, whether the chip is good or bad.
func TestModelAgainstVectorIsAnError(t *testing.T) {
	jobs := parse(t, "vector wrong \"r\"\nwrite utf8 41\nread utf32 00000042 end\n")
	for _, fault := range []string{"", "uo0=stuck0"} {
		got := runOne(t, jobs, fault)
		if got.Verdict != Error || !strings.Contains(got.Reason, "line 6") ||
			!strings.Contains(got.Reason, "this says nothing about the chip") {
			t.Errorf("fault %q: %s, %q; want ERROR that names line 6", fault, got.Verdict, got.Reason)
		}
	}
}

// OnCompared receives each vector's expected samples only once. It is not called for a vector without known levels.
func TestCompared(t *testing.T) {
	jobs := parse(t, "vector a \"r\"\nwrite utf8 41\nread utf32 00000041 end\n"+
		"vector b \"r\"\nexpects reference\nstep 00 00 00 1 1\n")
	jobs[1].Vector.Steps = []transport.Step{{}} // before any reset
	got := map[string]int{}
	r := Runner{Tile: utf.TT09, Transport: chipWith(t, ""), Rules: Rules{Count: 2},
		OnCompared: func(v *golden.Vector, want []transport.Sample) { got[v.Name] += len(want) }}
	if _, err := r.Run(t.Context(), jobs); err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"s/a": len(jobs[0].Vector.Steps)}; !maps.Equal(got, want) {
		t.Errorf("compared steps %v; want %v", got, want)
	}
}

func runOne(t *testing.T, jobs []Job, bad string) *Result {
	t.Helper()
	return runWith(t, utf.TT09, jobs, bad)
}

func runWith(t *testing.T, reference tile.Tile, jobs []Job, bad string) *Result {
	t.Helper()
	var got *Result
	r := Runner{Tile: reference, Transport: chipWith(t, bad), Report: func(r *Result) { got = r }}
	if _, err := r.Run(context.Background(), jobs); err != nil {
		t.Fatal(err)
	}
	return got
}

func chipWith(t *testing.T, bad string) transport.Transport {
	t.Helper()
	c := mock.Config{Tile: utf.TT09}
	if bad != "" {
		c.Faults = []fault.Fault{testkit.Must(model.Bits.Parse(bad))(t)}
	}
	return mock.Open(c)
}

func TestFirstDivergence(t *testing.T) {
	jobs := parse(t, "vector v \"r\"\nwrite utf8 41\nstatus READY\nprops NORMAL\nread utf8 41 end\n")
	got := runOne(t, jobs, "uo3=stuck1")
	if got.Verdict != Fail || got.FirstMismatch == nil {
		t.Fatalf("%s, %+v; want FAIL with a first divergence", got.Verdict, got.FirstMismatch)
	}
	if m := got.FirstMismatch; m.Index != 0 || m.OutDiff != 1<<3 || m.IODiff != 0 || m.Check {
		t.Errorf("first divergence %+v; want uo3 at the reset, where the vector has no checkpoint", m)
	}
	if got.SameLines != 5 || got.OtherLines != 0 {
		t.Errorf("%d later steps on the same line, %d on others; want 5 and 0", got.SameLines, got.OtherLines)
	}
	late := runOne(t, jobs, "v0=stuck0")
	if m := late.FirstMismatch; m == nil || m.Index != 5 || !m.Check || m.FileLine != 8 || m.IODiff != 1 {
		t.Errorf("first divergence %+v; want uio0 at step 5, checked in line 8", m)
	}
}

func TestOtherRevisionIsRecognised(t *testing.T) {
	r := Runner{Transport: mock.Open(mock.Config{Tile: utf.TT08}), Tile: utf.TT09}
	tally := testkit.Must(r.Run(context.Background(), allJobs(t)))(t)
	if n := tally.Verdicts[Fail]; n == 0 || tally.OtherRevision != n || tally.Verdicts[Error] != 0 {
		t.Errorf("%d FAIL, %d of them as tt08 answers, %d ERROR; want some, all, none", n, tally.OtherRevision,
			tally.Verdicts[Error])
	}
}

// broken is a transport that fails after a number of steps.
type broken struct {
	*mock.Transport
	left int
	err  error
}

func (b *broken) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := b.Transport.Apply(ctx, steps[:min(b.left, len(steps))], samples)
	if b.left -= n; b.left == 0 && err == nil {
		err = b.err
	}
	return n, err
}

func TestTransportThatFails(t *testing.T) {
	jobs := allJobs(t)[:200]
	for _, c := range []struct {
		err   error
		first Verdict
	}{
		{errors.New("the cable is out"), Error},
		{context.Canceled, Aborted},
		{context.DeadlineExceeded, Error},
	} {
		var order []Verdict
		r := Runner{Tile: utf.TT09, Transport: &broken{mock.Open(mock.Config{Tile: utf.TT09}), 1000, c.err},
			Report: func(r *Result) {
				order = append(order, r.Verdict)
			}}
		tally, err := r.Run(context.Background(), jobs)
		if !errors.Is(err, c.err) {
			t.Errorf("Run returns %v; want %v", err, c.err)
		}
		if len(order) != len(jobs) || tally.Executions() != len(jobs) {
			t.Fatalf("%d results for %d jobs", len(order), len(jobs))
		}
		passed := tally.Verdicts[Pass]
		if passed == 0 || tally.Verdicts[Fail] != 0 {
			t.Errorf("%v: %d PASS and %d FAIL; want what was answered to pass and nothing to fail", c.err, passed,
				tally.Verdicts[Fail])
		}
		if order[passed] != c.first ||
			slices.ContainsFunc(order[passed+1:], func(v Verdict) bool { return v != Aborted }) {
			t.Errorf("%v: after %d PASS comes %s, then %v; want %s, then ABORTED", c.err, passed, order[passed],
				order[passed+1], c.first)
		}
	}
}

// During Report, a Result holds a Trace of all applied steps, or nil if there are none. Afterwards the Trace is nil.
func TestTrace(t *testing.T) {
	jobs := parse(t, "vector v \"r\"\nwrite utf8 41\nread utf8 41 end\nvector old \"r\"\nrevision tt08\nwrite utf8 "+
		"41\nread utf8 41 end\n"+
		"vector w \"r\"\nwrite utf8 42\nread utf8 42 end\nvector x \"r\"\nwrite utf8 43\nread utf8 43 end\n")
	of := len(jobs[0].Vector.Steps)
	var answered []int // by vector; -1 without a trace
	var kept []*Result
	r := Runner{Tile: utf.TT09, Transport: &broken{mock.Open(mock.Config{Tile: utf.TT09}), of + 2,
		errors.New("the cable is out")}}
	r.Report = func(res *Result) {
		kept, answered = append(kept, res), append(answered, -1)
		if tr := res.Trace; tr != nil {
			answered[len(answered)-1] = len(tr.Got)
			if len(tr.Steps) != res.Steps || len(tr.Want) != res.Steps || !slices.Equal(tr.Got, tr.Want[:len(tr.Got)]) {
				t.Errorf("%s: %d steps, of which the trace has %+v", res.Vector.Name, res.Steps, *tr)
			}
		}
	}
	if _, err := r.Run(t.Context(), jobs); err == nil {
		t.Error("the cable was in")
	}
	if want := []int{of, -1, 2, -1}; !slices.Equal(answered, want) {
		t.Errorf("answered steps %v; want %v", answered, want)
	}
	if slices.ContainsFunc(kept, func(r *Result) bool { return r.Trace != nil }) {
		t.Error("a Trace outlives its report")
	}
}

// With a WiringReason, no step is applied, and each vector is WIRING once, for that reason.
func TestWiring(t *testing.T) {
	jobs := allJobs(t)[:10]
	r := Runner{Tile: utf.TT09, Transport: failing{}, Rules: Rules{Count: 3, WiringReason: "uo3 is open"},
		Report: func(r *Result) {
			if r.Verdict != Wiring || r.Reason != "uo3 is open" || r.Trace != nil {
				t.Errorf("%s: %s, %q, %v", r.Vector.Name, r.Verdict, r.Reason, r.Trace)
			}
		}}
	tally, err := r.Run(t.Context(), jobs)
	if err != nil || tally.Verdict() != Wiring || tally.Executions() != 10 || tally.Verdicts[Wiring] != 10 ||
		tally.Steps != 0 {
		t.Errorf("%+v, %v", tally, err)
	}
}

// With FailFast, the first FAIL ends a run; a PASS or SKIPPED does not.
func TestFailFast(t *testing.T) {
	for text, want := range map[string]struct{ failed, least int }{"": {0, 8000}, "v7=stuck0": {1, 1},
		"uo0=stuck0": {1, 0}} {
		var faults []fault.Fault
		if text != "" {
			faults = append(faults, testkit.Must(model.Bits.Parse(text))(t))
		}
		failed, passed := 0, 0
		r := Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: faults}),
			Rules: Rules{FailFast: true},
			Report: func(r *Result) {
				switch {
				case r.Verdict == Fail:
					failed++
				case r.Verdict == Pass && failed == 0:
					passed++
				case r.Verdict != Skipped:
					t.Errorf("%q: %v after the first FAIL", text, r.Verdict)
				}
			}}
		if _, err := r.Run(t.Context(), allJobs(t)); err != nil || failed != want.failed || passed < want.least {
			t.Errorf("%q: %d FAIL after %d PASS, %v; want %+v", text, failed, passed, err, want)
		}
	}
}

// disturbed is a chip with one wrong sample.
type disturbed struct {
	transport.Transport
	at *int // counts down
}

func (d disturbed) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := d.Transport.Apply(ctx, steps, samples)
	if at := *d.at; at >= 0 && at < n {
		samples[at].Out ^= 0xFF
	}
	*d.at -= n
	return n, err
}

// A vector that fails once and passes when repeated is FLAKY. Without Repeat, as for a simulation, it is a FAIL.
func TestRepeatFailed(t *testing.T) {
	for name, c := range map[string]struct {
		fault        string
		at           int
		repeat       bool
		want         Verdict
		fails, times int
	}{
		"good":                 {"", -1, true, Pass, 0, 0},
		"disturbed":            {"", 20, true, Flaky, 1, 1},
		"disturbed, in memory": {"", 20, false, Fail, 1, 0},
		"bad":                  {"uo0=stuck0", -1, true, Fail, 100 + enoughRepeated, enoughRepeated},
		"bad and disturbed":    {"v7=stuck0", 20, true, Fail, 29 + enoughRepeated, 1 + enoughRepeated},
	} {
		var faults []fault.Fault
		if c.fault != "" {
			faults = append(faults, testkit.Must(model.Bits.Parse(c.fault))(t))
		}
		r := Runner{Tile: utf.TT09, Rules: Rules{Repeat: c.repeat, AcceptedLines: ^transport.Outputs(0)},
			Transport: disturbed{mock.Open(mock.Config{Tile: utf.TT09, Faults: faults}), &c.at}}
		jobs := testkit.Jobs[Job](t, "chip.vec")[:100]
		tally, err := r.Run(t.Context(), jobs)
		if err != nil || tally.Verdict() != c.want || tally.Verdicts[Fail] != c.fails ||
			tally.Executions() != len(jobs)+c.times {
			t.Errorf("%s: %v, %v in %d executions, %v; want %+v", name, tally.Verdict(), tally.Verdicts,
				tally.Executions(), err, c)
		}
	}
}

func TestCount(t *testing.T) {
	jobs := allJobs(t)[:10]
	var iterations []int
	r := Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09}), Rules: Rules{Count: 3},
		Report: func(r *Result) { iterations = append(iterations, r.Iteration) }}
	if _, err := r.Run(context.Background(), jobs); err != nil {
		t.Fatal(err)
	}
	if len(iterations) != 30 || iterations[0] != 1 || iterations[29] != 3 {
		t.Errorf("iterations %v; want 10 each of 1, 2, 3", iterations)
	}
}

// BenchmarkRun measures a complete run of all vectors: compile, lint, model, transport, compare.
func BenchmarkRun(b *testing.B) {
	jobs := allJobs(b)
	steps := 0
	b.ReportAllocs()
	for b.Loop() {
		r := Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09})}
		tally, err := r.Run(context.Background(), jobs)
		if err != nil || tally.Verdict() != Pass {
			b.Fatal(tally, err)
		}
		steps += tally.Steps
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds()/1e6, "Msteps/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}
