package report

import (
	"context"
	"errors"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A notebook is a Reporter that counts its calls, and fails at some result.
type notebook struct {
	started, ended bool
	results, fails int // fails counts from 1; 0 for never
	outcome        Outcome
}

var errFull = errors.New("the disk is full")

func (n *notebook) Start(Run) error { n.started = true; return nil }

func (n *notebook) Result(*driver.Result) error {
	if n.results++; n.results == n.fails {
		return errFull
	}
	return nil
}

func (n *notebook) End(o Outcome) error { n.ended, n.outcome = true, o; return nil }

// jammed is a chip that cannot be parked.
type jammed struct{ transport.Transport }

func (jammed) Close() error { return errors.New("it is jammed") }

func judging(t *testing.T, faulty string, to *notebook) *LiveRun {
	t.Helper()
	c := mock.Config{Tile: utf.TT09}
	if faulty != "" {
		f := testkit.Must(model.Bits.Parse(faulty))(t)
		c.Faults = []fault.Fault{f}
	}
	return &LiveRun{Runner: driver.Runner{Transport: mock.Open(c), Tile: utf.TT09}, Reporter: to,
		Hint: func(t *driver.Tally) string { return NextHint(t, utf.TT09, "look there") }}
}

// The reporter receives the whole run, and Run returns the same outcome.
func TestLiveRun(t *testing.T) {
	jobs := testkit.Jobs[driver.Job](t, "man7.vec")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		name, faulty  string
		ctx           context.Context
		change        func(*LiveRun)
		want          driver.Verdict
		hint, trouble string
	}{
		{name: "good", want: driver.Pass},
		{name: "bad", faulty: "uo3=stuck1", want: driver.Fail, hint: "look there"},
		{name: "cut", change: func(j *LiveRun) { j.CutReason = "torn" }, want: driver.Aborted,
			trouble: "the recording is incomplete: torn"},
		{name: "jammed", change: func(j *LiveRun) { j.Transport = jammed{j.Transport} }, want: driver.Aborted,
			trouble: "parking the chip: it is jammed"},
		{name: "stopped", ctx: stopped, want: driver.Aborted},
		{name: "stopped before", want: driver.Aborted, change: func(j *LiveRun) {
			j.Transport = &Replay{rec: &Recording{End: &End{Verdict: driver.Aborted.String()}}, stop: func() {},
				next: func() (*Execution, error, bool) { return nil, nil, false }}
		}},
		{name: "stopped and jammed", ctx: stopped, change: func(j *LiveRun) { j.Transport = jammed{j.Transport} },
			want: driver.Aborted, trouble: "parking the chip: it is jammed"},
	} {
		var heard notebook
		j := judging(t, c.faulty, &heard)
		if c.change != nil {
			c.change(j)
		}
		if c.ctx == nil {
			c.ctx = t.Context()
		}
		o, err := j.Run(c.ctx, Run{}, driver.Iterations(jobs, 1))
		if err != nil || o.Verdict() != c.want || o.Hint != c.hint || o.BenchError != c.trouble ||
			o.Interrupted != (c.ctx == stopped || c.name == "stopped before") {
			t.Errorf("%s: %v, %s, %+v", c.name, err, o.Verdict(), o)
		}
		if said := Meaning(new(Run), o); c.trouble != "" && strings.Contains(said, "parked") {
			t.Errorf("%s: %s", c.name, said)
		}
		if !heard.started || !heard.ended || heard.results != len(jobs) || heard.outcome.Tally != o.Tally {
			t.Errorf("%s: told %+v", c.name, heard)
		}
	}
}

// A replayed run reports the recorded results of repeating its first FAIL.
func TestReexaminedOfARecording(t *testing.T) {
	for _, text := range []string{"uo3=flip:0.5", "fmax=1MHz"} {
		live, again := judging(t, text, new(notebook)), judging(t, text, new(notebook))
		live.Resample = true
		jobs := testkit.Jobs[driver.Job](t, "man7.vec")[:9]
		o := testkit.Must(live.Run(t.Context(), Run{}, driver.Iterations(jobs, 1)))(t)
		again.RecordedEnd = &End{Evidence: NewEvidence(new(Run), o)}
		shown := testkit.Must(again.Run(t.Context(), Run{}, driver.Iterations(jobs, 1)))(t)
		if u, p := o.Tally.Instability, o.Tally.Pulses; shown.Tally.Instability != u || shown.Tally.Pulses != p ||
			u.Lines == [16]int{} && p == nil {
			t.Errorf("%s: %+v, %v; of the recording %+v, %v", text, shown.Tally.Instability, shown.Tally.Pulses, u, p)
		}
	}
}

// Run returns a reporter's error and passes it to End. The chip is tested and parked nevertheless.
func TestLiveRunThatCannotBeReported(t *testing.T) {
	jobs := testkit.Jobs[driver.Job](t, "man7.vec")
	heard := notebook{fails: 2}
	o, err := judging(t, "", &heard).Run(t.Context(), Run{}, driver.Iterations(jobs, 1))
	if !errors.Is(err, errFull) || !heard.ended || heard.results != len(jobs) ||
		heard.outcome.Verdict() != driver.Aborted || o.Verdict() != driver.Aborted {
		t.Errorf("%v, %s, %+v", err, o.Verdict(), heard)
	}
}

// If every FAIL has exactly the other revision's samples, NextHint suggests that revision.
func TestNextHint(t *testing.T) {
	for _, c := range []struct {
		failed, other int
		want          string
	}{
		{0, 0, ""}, {3, 2, "look there"},
		{3, 3, "In each of these vectors the chip responds exactly as a tt08 chip: try --revision tt08."},
	} {
		tally := &driver.Tally{OtherRevision: c.other}
		tally.Verdicts[driver.Fail] = c.failed
		if got := NextHint(tally, utf.TT09, "look there"); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
