package main

import (
	"fmt"
	"io"
	"os"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/explain"
	"utfbench/runs/history"
	"utfbench/runs/page"
	"utfbench/runs/record"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport"
)

// An output is everything that a run writes to: the text, the files, the progress bar.
//
// The rules for a terminal: text and results go to standard output, the progress bar to standard error. Colour is used
// only on a terminal that obeys, and never when NO_COLOR is set to anything.
type output struct {
	all   report.All
	text  *report.Text
	files files.Set
	past  *history.Writer // nil when the run is not to be in the history
	again int             // its number there, if it is judged again; else 0

	done int
	bar  *bar // of vectors, or passes of them
}

func newOutput(w io.Writer, verbose bool, total int) *output {
	text := &report.Text{Out: w, Verbose: verbose, Colour: obeys(w) && os.Getenv("NO_COLOR") == ""}
	return &output{text: text, all: report.All{text}, bar: newBar(total, "vectors")}
}

// open begins the requested files.
func (o *output) open(j *judging, c *station.Chip, suites []*golden.Suite) error {
	for _, f := range []struct {
		flag, path string
		mode       files.Mode // a part stays when the bench dies
		reporter   func(io.Writer) report.Reporter
	}{
		{"--json", j.json, files.Part, func(w io.Writer) report.Reporter { return report.NewJSON(w) }},
		{"--junit", j.junit, 0, func(w io.Writer) report.Reporter { return &report.JUnit{Out: w} }},
		{"--html", j.html, 0, func(w io.Writer) report.Reporter {
			p := &page.Page{Out: w, Shmoo: j.shmoo, Timing: j.timing, Coverage: j.coverage, Inside: j.inside,
				Number: o.number}
			if c.Recording != nil {
				p.Origin, p.From = c.Origin(), &c.Recording.Start
			}
			return explain.Page(p, c.Board, c.Tile, native.Simulated(c.Origin()))
		}},
		{"--record", j.record, files.Part, func(w io.Writer) report.Reporter { return record.NewWriter(w, suites...) }},
	} {
		if f.path == "" {
			continue
		}
		file, err := o.files.Create(f.flag, f.path, f.mode)
		if err != nil {
			return err
		}
		o.all = append(o.all, f.reporter(file))
	}
	return nil
}

// workflow tells a workflow of GitHub's too.
func (o *output) workflow() (done func(), err error) {
	g := &report.GitHub{Out: o.text.Out}
	o.all, done = append(o.all, g), func() {}
	if path := os.Getenv("GITHUB_STEP_SUMMARY"); path != "" {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644) // other steps write to it as well
		if err != nil {
			return nil, failure.Usagef("--github: GITHUB_STEP_SUMMARY: %w", err)
		}
		g.Summary, done = f, func() { f.Close() }
	}
	return done, nil
}

// remember enters the run into a history; due is the lab that it is to be handed in to, "" for none.
func (o *output) remember(path, due string, suites []*golden.Suite) {
	o.past = history.NewWriter(path, suites...)
	o.past.Due = due
	o.all = append(o.all, o.past)
}

// number returns the run's number in the history, or 0.
func (o *output) number() int {
	if o.past != nil {
		return o.past.Number()
	}
	return o.again
}

// note says what became of the history, if there is something to say.
func (o *output) note(w io.Writer) {
	if o.past != nil && o.past.Note() != "" {
		fmt.Fprintf(w, "bench: %s\n", o.past.Note())
	}
}

func (o *output) result(r *driver.Result) error {
	o.done++
	o.bar.at(o.done)
	if r.Verdict >= driver.Fail {
		o.bar.clear() // it comes back under the failure
	}
	return o.all.Result(r)
}

// cable counts the bytes that steps cost on a board's cable, which a verbose run prints.
func (o *output) cable(c *station.Chip) (tell func(steps int)) {
	meter, counts := c.Transport.(transport.Meter)
	if !counts || !c.Wires || !o.text.Verbose {
		return func(int) {}
	}
	sent, received := meter.Traffic()
	return func(steps int) {
		s, r := meter.Traffic()
		if n := float64(steps); n > 0 && s+r > 0 { // a board of a lab may be at one that does not count
			fmt.Fprintf(o.text.Out, "%.2f bytes a step to the board, %.2f from it\n", float64(s-sent)/n,
				float64(r-received)/n)
		}
	}
}

// end writes the summary and gives the files their names.
func (o *output) end(outcome report.Outcome) error {
	o.bar.clear()
	err := o.all.End(outcome)
	if cerr := o.files.Commit(); err == nil {
		err = cerr
	}
	if o.past != nil && o.past.Number() > 0 {
		fmt.Fprintf(o.text.Out, "run %d of the history\n", o.past.Number())
	}
	return err
}
