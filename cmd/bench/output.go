package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"utfbench/cause/diagnose"
	"utfbench/cause/flaky"
	"utfbench/cause/shmoo"
	"utfbench/desk"
	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/runs/explain"
	"utfbench/runs/history"
	"utfbench/runs/page"
	"utfbench/runs/record"
	"utfbench/runs/report"
)

// An output is everything that a run writes to: the text, the files, the progress bar.
//
// The rules for a terminal: text and results go to standard output, the progress bar to standard error. Colour is used only
// on a terminal and never when NO_COLOR is set to anything or TERM is dumb. The bar is shown only on a terminal, and only when a run lasts
// longer than a second.
type output struct {
	all   report.All
	text  *report.Text
	files []*files.File
	cause *flaky.Correlation // nil unless correlate was called
	past  *history.Writer    // nil when the run is not to be in the history

	total   int
	unit    string // what is counted: vectors, or executions of them
	done    int
	started time.Time
	bar     *progressbar.ProgressBar
	shows   bool // standard error is a terminal
}

func newOutput(w io.Writer, verbose bool, total int) *output {
	text := &report.Text{Out: w, Verbose: verbose, Colour: isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	return &output{text: text, all: report.All{text}, total: total, unit: "vectors", started: time.Now(), shows: isTerminal(os.Stderr)}
}

// open starts the files that were asked for, so that one that cannot be written is known before the run.
func (o *output) open(json, junit string) error {
	if json != "" {
		f, err := o.create("--json", json, files.Part)
		if err != nil {
			return err
		}
		o.all = append(o.all, report.NewJSON(f))
	}
	if junit != "" {
		f, err := o.create("--junit", junit, 0)
		if err != nil {
			return err
		}
		o.all = append(o.all, &report.JUnit{Out: f})
	}
	return nil
}

// record starts a recording under another name, under which it stays when the bench dies.
func (o *output) record(path string, suites []*golden.Suite) error {
	if path == "" {
		return nil
	}
	f, err := files.Create(path, files.Part)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	o.files = append(o.files, f)
	o.all = append(o.all, record.NewWriter(f, suites...))
	return nil
}

// remember enters the run into a history.
func (o *output) remember(path string, suites []*golden.Suite) {
	o.past = history.NewWriter(path, suites...)
	o.all = append(o.all, o.past)
}

// note says what became of the history, if there is something to say.
func (o *output) note(w io.Writer) {
	if o.past != nil && o.past.Note() != "" {
		fmt.Fprintf(w, "bench: %s\n", o.past.Note())
	}
}

// correlate looks for what goes with failures that come and go.
func (o *output) correlate() {
	o.cause = new(flaky.Correlation)
	o.look(o.cause.Add)
}

// page starts a report in HTML, which says what explains the failures.
func (o *output) page(path string, c *chip, grid *shmoo.Grid) error {
	if path == "" {
		return nil
	}
	f, err := o.create("--html", path, 0)
	if err != nil {
		return err
	}
	run := &diagnose.Run{Tile: c.Tile, Simulated: desk.Simulated(c.Origin())}
	p := &page.Page{Out: f, Shmoo: grid, Explain: func() *page.Explanation {
		if found := run.Diagnose(); found.Conclusion != diagnose.Nothing {
			return explain.InWords(c.Board, found)
		}
		return nil
	}}
	o.all = append(o.all, p)
	o.look(run.AddResult)
	return nil
}

// look adds what wants the results alone and cannot fail.
func (o *output) look(at func(*driver.Result)) {
	o.all = append(o.all, report.Each(func(r *driver.Result) error { at(r); return nil }))
}

func (o *output) create(flag, path string, mode files.Mode) (*files.File, error) {
	f, err := files.Create(path, mode)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	o.files = append(o.files, f)
	return f, nil
}

func (o *output) result(r *driver.Result) error {
	o.done++
	o.progress()
	if o.bar != nil && r.Verdict >= driver.Fail {
		_ = o.bar.Clear() // it comes back under the failure
	}
	return o.all.Result(r)
}

func (o *output) progress() {
	if !o.shows || time.Since(o.started) < barAfter {
		return
	}
	if o.bar == nil {
		o.bar = progressbar.NewOptions(o.total, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(o.unit),
			progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	}
	_ = o.bar.Set(o.done) // a bar that cannot be drawn is no reason to stop
}

// end writes the summary and gives the files their names.
func (o *output) end(outcome report.Outcome) error {
	if o.bar != nil {
		_ = o.bar.Clear()
	}
	err := o.all.End(outcome)
	for _, f := range o.files {
		if cerr := f.Commit(); err == nil {
			err = cerr
		}
	}
	o.files = nil
	if o.past != nil && o.past.Number() > 0 {
		fmt.Fprintf(o.text.Out, "run %d of the history\n", o.past.Number())
	}
	return err
}

// discard leaves no half-written file behind.
func (o *output) discard() {
	for _, f := range o.files {
		f.Discard()
	}
}
