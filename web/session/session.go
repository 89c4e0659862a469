package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"time"

	"utfbench/cause/flaky"
	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/explain"
	"utfbench/runs/identity"
	"utfbench/runs/page"
	"utfbench/runs/plan"
	"utfbench/runs/record"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
)

// A Session tests chips, one at a time.
type Session struct {
	Version string      // of the bench
	Tell    func(Event) // is told what to show
	Pause   func()      // lets the page run, from time to time; may be nil

	// Serial opens the port that the user chose; nil if there is none.
	Serial func(ctx context.Context, port string) (io.ReadWriteCloser, error)
}

// Run tests a chip and tells all of it, an error too.
func (s *Session) Run(ctx context.Context, o *Order) {
	if err := s.run(ctx, o); err != nil {
		e := errorOf(ctx, err)
		if o.board() && e.Kind == kinds[failure.Interrupted] && e.Left == "" {
			e.Left = "the board was not open yet, so the chip may not be parked: another run parks it"
		}
		s.Tell(Event{Kind: "error", Value: e})
	}
}

// kinds are the words for the kinds of failures in an event.
var kinds = map[failure.Kind]string{failure.Bench: "bench", failure.User: "user", failure.OtherDesign: "design",
	failure.Interrupted: "interrupted"}

func errorOf(ctx context.Context, err error) *Error {
	e := &Error{Text: err.Error(), Kind: kinds[failure.KindOf(err)]}
	if ctx.Err() != nil {
		e.Text, e.Kind = "stopped before the first vector: nothing is known of the chip", kinds[failure.Interrupted]
	}
	var left *station.LeftError
	if errors.As(err, &left) {
		e.Left = left.Left
	}
	return e
}

func (s *Session) run(ctx context.Context, o *Order) error {
	t := o.target()
	t.Serial = s.Serial
	if o.board() && s.Serial == nil {
		return failure.Usagef("no board is connected: connect one first")
	}
	if err := t.Check(); err != nil {
		return err
	}
	asked, err := o.plan(t.Tile) // before a board is opened
	if err != nil {
		return err
	}
	c, err := t.Open(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	wires, err := checkWires(ctx, c)
	if err != nil {
		return err
	}
	if note := o.elsewhere(c); note != "" {
		c.Notes = append(c.Notes, note)
	}
	return s.judge(ctx, c, wires, asked, o.words(c))
}

// checkWires checks the wires of a chip that has some, as bench run does first.
func checkWires(ctx context.Context, c *station.Chip) (*station.WireCheck, error) {
	w := new(station.WireCheck)
	if _, silent := c.Tile.New().(tile.Silent); silent || !c.Wires {
		return w, nil
	}
	r, err := c.CheckWires(ctx)
	if err != nil {
		return nil, station.Asking(ctx, err)
	}
	w.Take(r)
	if r.Verdict == wiring.Unclear {
		c.Notes = append(c.Notes, "before the first vector: "+explain.Found(c.Board, r, "; "))
	}
	return w, nil
}

// judge runs the vectors, parks the chip, and tells the verdict.
func (s *Session) judge(ctx context.Context, c *station.Chip, wires *station.WireCheck, asked plan.Plan,
	target []string) error {
	start := startOf(s, c, asked, target)
	start.Wires = wires.Report()
	out := newOutputs(c, asked)
	shown := &shown{session: s, chip: c}
	j := report.Judging{Runner: driver.Runner{Transport: c.Transport, Tile: c.Tile, Wiring: wires.Found(c, " "),
		Doubt: wires.Doubt(), Accepted: asked.Accepted()}, Idle: c.IdleFaults,
		To: append(report.All{shown}, out.all...), Cause: out.cause,
		Hint: func(t *driver.Tally) string { return c.Hint(t, wires) }}
	outcome, err := j.Run(ctx, start, asked.Iterations)
	if err != nil {
		return err
	}
	s.Tell(Event{Kind: "verdict", Value: out.verdict(c, &start, outcome), Files: out.files(start.Started)})
	return nil
}

// startOf returns what is known before the first vector.
func startOf(s *Session, c *station.Chip, p plan.Plan, target []string) report.Run {
	return report.Run{Version: s.Version, Transport: c.String(), Target: target, Notes: c.Notes, Seed: c.Seed,
		Identity: identity.Identity{Chip: c.Asked, Tile: c.Tile.Name(), Revision: c.Tile.Revision(), Digest: p.Digest},
		Vectors:  p.Vectors, Count: p.Count, Firmware: c.Firmware, Host: runtime.GOOS + "/" + runtime.GOARCH,
		Started: time.Now(), Tags: c.Measured, Speed: c.Speed(), Asked: p.Asked, Exit: exitCode}
}

// exitCode returns the exit code of bench run after an outcome, which a recording keeps.
func exitCode(o report.Outcome) int {
	switch v := o.Verdict(); {
	case o.Interrupted:
		return 130
	case o.Trouble != "":
		return 3
	case v == driver.Pass:
		return 0
	case v == driver.Fail, v == driver.Flaky:
		return 1
	case v == driver.Wiring:
		return 4
	case v == driver.Skipped:
		return 5
	case v == driver.Weak:
		return 7
	}
	return 3
}

// outputs are what is kept of a run until its end.
type outputs struct {
	all             report.All
	text, html, rec bytes.Buffer
	cause           *flaky.Correlation // nil if everything runs once
	explanation     *page.Explanation  // nil if there is nothing to explain
}

func newOutputs(c *station.Chip, asked plan.Plan) *outputs {
	o := new(outputs)
	p := &page.Page{Out: &o.html}
	hears := explain.Page(p, c.Board, c.Tile, false)
	if explains := p.Explain; explains != nil {
		p.Explain = func() *page.Explanation {
			o.explanation = explains()
			return o.explanation
		}
	}
	o.all = report.All{&report.Text{Out: &o.text}, hears, record.NewWriter(&o.rec, asked.Suites...)}
	if asked.Count > 1 {
		o.cause = new(flaky.Correlation)
		o.all = append(o.all, report.Each(func(r *driver.Result) error { o.cause.Add(r); return nil }))
	}
	return o
}

func judged(run *report.Run, of report.Outcome) Judged {
	return Judged{Verdict: of.Verdict().String(), Meaning: report.Meaning(run, of)}
}

// verdict returns the last event's value.
func (o *outputs) verdict(c *station.Chip, run *report.Run, of report.Outcome) *Verdict {
	v := of.Verdict()
	is := &Verdict{Judged: judged(run, of), Hint: of.Hint, Trouble: of.Trouble,
		Explanation: o.explanation, Text: o.text.String(), Left: c.Left(), Chipless: c.Asked.Chipless(),
		Seconds: of.Elapsed.Seconds(), Steps: of.Tally.Steps}
	if v == driver.Pass || v == driver.Weak {
		is.Evidence = report.NewEvidence(run, of)
		is.Compared = is.Evidence.String()
	}
	return is
}

// files returns the report and the recording of a run.
func (o *outputs) files(began time.Time) []File {
	name := "bench-" + began.UTC().Format("20060102-150405")
	return []File{{name + ".html", "text/html", o.html.Bytes()},
		{name + ".rec", "application/octet-stream", o.rec.Bytes()}}
}
