// Package web implements the bench as a page. In the page's worker a [Session] tests a chip. The page sends an [Order],
// and the Session responds with [Event]s, the last of which contains the verdict, the report and the recording. It
// opens, judges and records as the program bench does, but needs no files, processes, network or JavaScript.
//
// [Serve] serves the page, which scripts/web builds from the folders page (HTML and JavaScript) and wasm (the worker).
package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/explain"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/tile/pack"
)

// A Session tests chips, one at a time.
type Session struct {
	Version string      // version of the bench
	Send    func(Event) // receives the events
	Pause   func()      // lets the page run; called periodically; may be nil

	// OpenSerial opens the port that the user has selected. It is nil if there is none.
	OpenSerial func(ctx context.Context, port string) (io.ReadWriteCloser, error)

	pack *pack.Pack // nil until one is loaded
}

// LoadPack reads a pack for later orders. It sends an event with its designs, or with the reason for rejecting it.
func (s *Session) LoadPack(name string, text []byte) {
	p, err := pack.Read(name, text)
	if s.pack = p; err != nil {
		s.Send(Event{Kind: "pack", Value: PackEvent{Text: err.Error()}})
		return
	}
	v := PackEvent{Text: p.Index.String()}
	for _, d := range p.Designs {
		v.Designs = append(v.Designs, d.Name)
	}
	s.Send(Event{Kind: "pack", Value: v})
}

func (s *Session) target(o *Order) (station.Target, error) {
	t := o.target()
	t.OpenSerial = s.OpenSerial
	if o.board() && s.OpenSerial == nil {
		return t, failure.Usagef("no board is connected: connect one first")
	}
	if o.PackDesign == "" {
		return t, nil
	}
	if s.pack == nil {
		return t, failure.Usagef("%s is a design of a pack, and none is loaded", o.PackDesign)
	}
	d, err := s.pack.Find(o.PackDesign)
	if err != nil {
		return t, err
	}
	t.TileName = s.pack.Path + ":" + d.Name
	if t.Tile, err = s.pack.Tile(d); err != nil {
		return t, err
	}
	suite, err := s.pack.Suite(d)
	if suite != nil && len(o.Files) == 0 {
		o.Files = []Vectors{{Name: d.Name + ".vec", Text: string(suite)}}
	}
	return t, err
}

// Run tests a chip, and sends the results and errors as events.
func (s *Session) Run(ctx context.Context, o *Order) {
	if err := s.run(ctx, o); err != nil {
		e := errorOf(ctx, err)
		if o.board() && e.Kind == kinds[failure.Interrupted] && e.BoardState == "" {
			e.BoardState = "the board was not open yet, so the chip might not be parked: another run parks it"
		}
		s.Send(Event{Kind: "error", Value: e})
	}
}

// kinds maps kinds of failure to names in events.
var kinds = map[failure.Kind]string{failure.Bench: "bench", failure.User: "user", failure.OtherDesign: "design",
	failure.Interrupted: "interrupted"}

func errorOf(ctx context.Context, err error) *ErrorEvent {
	e := &ErrorEvent{Text: err.Error(), Kind: kinds[failure.KindOf(err)]}
	if ctx.Err() != nil {
		e.Text, e.Kind = "stopped before the first vector: nothing is known of the chip", kinds[failure.Interrupted]
	}
	if left, is := errors.AsType[*station.BoardStateError](err); is {
		e.BoardState = left.BoardState
	}
	return e
}

func (s *Session) run(ctx context.Context, o *Order) error {
	t, err := s.target(o)
	if err != nil {
		return err
	}
	if err := t.Check(); err != nil {
		return err
	}
	asked, err := o.plan(&t) // plans before a board is opened
	if err != nil {
		return err
	}
	r := station.Run{Target: t, VectorPlan: asked, Version: s.Version,
		Grade: &station.Grading{MinPercent: station.DefaultCoverage}}
	defer r.Close()
	for _, step := range []func(context.Context) error{r.Plan, r.Open, r.Prepare} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if note := o.elsewhere(r.Chip); note != "" {
		r.Chip.Notes = append(r.Chip.Notes, note)
	}
	return s.judge(ctx, &r)
}

// judge runs the vectors, parks the chip, and sends the verdict.
func (s *Session) judge(ctx context.Context, r *station.Run) error {
	c := r.Chip
	out, shown := newOutputs(c, r.VectorPlan), &shown{session: s, chip: c}
	outcome, err := r.Judge(ctx, append(report.Reporters{shown, out}, out.all...))
	if err != nil {
		return err
	}
	v := out.verdict(c, &out.start, outcome)
	if name := r.Target.TileName; name != "" && outcome.Verdict() == driver.Fail {
		v.Hint += "\nWith the recording, in the pack's folder: " +
			printable.Command("diagnose", "FILE.rec", "--tile", name) + "  # what explains it"
	}
	s.Send(Event{Kind: "verdict", Value: v, Files: out.files(out.start.Started)})
	return nil
}

// outputs collects the outputs of a run.
type outputs struct {
	all             report.Reporters
	text, html, rec bytes.Buffer
	start           report.Run
	explanation     *explain.Explanation // nil if there is no diagnosis
}

// small reports whether a browser can diagnose a run by the gates in p: some 3 s for 1,000 operations.
func small(p *sim.Program) bool { return p.HasSeparateVectors() && p.OpCount() <= 2000 }

func newOutputs(c *station.Chip, asked plan.Plan) *outputs {
	o := new(outputs)
	p := &explain.Page{PageOptions: report.PageOptions{Out: &o.html, Tile: c.Tile, Board: c.Board}}
	hears := report.Reporter(p)
	if g := gates.TileOf(c.Tile); g == nil || small(g.Design.Program()) {
		hears = p.WithDiagnosis()
	}
	if explains := p.Explain; explains != nil {
		p.Explain = func() *explain.Explanation {
			o.explanation = explains()
			return o.explanation
		}
	}
	o.all = report.Reporters{&report.Text{Out: &o.text}, hears, report.NewWriter(&o.rec, asked.Suites...)}
	return o
}

// Start implements report.Reporter. It stores the data that is known before the first vector.
func (o *outputs) Start(run report.Run) error {
	o.start = run
	return nil
}

func (o *outputs) Result(*driver.Result) error { return nil }
func (o *outputs) End(report.Outcome) error    { return nil }

func judged(run *report.Run, of report.Outcome) JudgedEvent {
	return JudgedEvent{Verdict: of.Verdict().String(), Meaning: report.Meaning(run, of)}
}

func (o *outputs) verdict(c *station.Chip, run *report.Run, of report.Outcome) *VerdictEvent {
	v := of.Verdict()
	is := &VerdictEvent{JudgedEvent: judged(run, of), Hint: of.Hint, BenchError: of.BenchError,
		Explanation: o.explanation, Text: o.text.String(), BoardState: c.LeftState(), Chipless: c.Info.Chipless(),
		Seconds: of.Elapsed.Seconds(), Steps: of.Tally.Steps}
	if v == driver.Pass || v == driver.Weak {
		is.Compared = report.NewEvidence(run, of).String()
	}
	return is
}

func (o *outputs) files(began time.Time) []File {
	name := "bench-" + began.UTC().Format("20060102-150405")
	return []File{{name + ".html", "text/html", o.html.Bytes()},
		{name + ".rec", "application/octet-stream", o.rec.Bytes()}}
}
