package native

import (
	"fmt"
	"io"
	"os"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/explain"
	"utfbench/runs/history"
	"utfbench/runs/page"
	"utfbench/runs/record"
	"utfbench/runs/report"
	"utfbench/runs/waveform"
	"utfbench/station"
)

// Outputs are the outputs of a run: a text, files, the history, and observers in a lab. Call Discard at the end.
type Outputs struct {
	Text                      *report.Text
	JSON, JUnit, HTML, Record string // files by path; "" is none
	Page                      page.Page
	Waves                     waveform.Folder
	GitHub                    bool            // tell a workflow of GitHub's
	History, Due              string          // to enter it into; "" is none
	Number                    int             // in the history, if it is judged again; 0 is none
	Standard                  io.Writer       // for a file called files.Standard
	More                      report.All      // told of the run besides
	past                      *history.Writer // nil if the run is not to be in the history
	files                     files.Set
	summary                   *os.File // of a workflow
}

// Begin begins the files of an open run, and returns its reporters.
func (o *Outputs) Begin(r *station.Run) (all report.All, err error) {
	all = report.All{o.Text}
	if o.History != "" { // before the files, which tell its number
		o.past = history.NewWriter(o.History, r.Asked.Suites...)
		o.past.Due = o.Due
		all = append(all, o.past)
	}
	o.files.Out = o.Standard
	for _, f := range []struct {
		flag, path string
		mode       files.Mode // a part stays when the bench dies
		reporter   func(io.Writer) report.Reporter
	}{
		{"--json", o.JSON, files.Part, func(w io.Writer) report.Reporter { return report.NewJSON(w) }},
		{"--junit", o.JUnit, 0, func(w io.Writer) report.Reporter { return &report.JUnit{Out: w} }},
		{"--html", o.HTML, 0, func(w io.Writer) report.Reporter { return o.page(w, r.Chip) }},
		{"--record", o.Record, files.Part, func(w io.Writer) report.Reporter {
			return record.NewWriter(w, r.Asked.Suites...)
		}},
	} {
		if f.path == "" {
			continue
		}
		file, err := o.files.Create(f.flag, f.path, f.mode)
		if err != nil {
			return nil, err
		}
		all = append(all, f.reporter(file))
	}
	if err := o.Waves.Open(); err != nil {
		return nil, err
	}
	if o.Waves.Path != "" {
		all = append(all, report.Each(o.Waves.Result))
	}
	if o.GitHub {
		to, err := o.workflow()
		if err != nil {
			return nil, err
		}
		all = append(all, to)
	}
	all = append(append(all, o.More...), Followed(r.Chip)...)
	return append(all, committed{outputs: o}), nil
}

// page returns the page of a run, with what explains its failures.
func (o *Outputs) page(w io.Writer, c *station.Chip) report.Reporter {
	p := o.Page
	p.Out, p.Number = w, o.RunNumber
	if c.Recording != nil {
		p.Origin, p.From = c.Origin(), &c.Recording.Start
	}
	return explain.Page(&p, c.Board, c.Tile, Simulated(c.Origin()))
}

// workflow tells a workflow of GitHub's, among the text and in the summary of its job.
func (o *Outputs) workflow() (_ report.Reporter, err error) {
	g := &report.GitHub{Out: o.Text.Out}
	if path := os.Getenv("GITHUB_STEP_SUMMARY"); path != "" {
		// other steps write to it as well
		o.summary, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return nil, failure.Usagef("--github: GITHUB_STEP_SUMMARY: %w", err)
		}
		g.Summary = o.summary
	}
	return g, nil
}

// RunNumber returns the run's number in the history, or 0.
func (o *Outputs) RunNumber() int {
	if o.past != nil {
		return o.past.Number()
	}
	return o.Number
}

// Note returns a remark on the history, or "".
func (o *Outputs) Note() string {
	if o.past == nil {
		return ""
	}
	return o.past.Note()
}

// Discard removes incomplete files.
func (o *Outputs) Discard() {
	o.files.Discard()
	if o.summary != nil {
		o.summary.Close()
	}
}

// committed gives the files their names once all of the run is in them.
type committed struct {
	report.Each
	outputs *Outputs
}

// Result implements report.Reporter.
func (committed) Result(*driver.Result) error { return nil }

// End implements report.Reporter.
func (c committed) End(report.Outcome) error {
	err := c.outputs.files.Commit()
	if o := c.outputs; o.past != nil && o.past.Number() > 0 {
		fmt.Fprintf(o.Text.Out, "run %d of the history\n", o.past.Number())
	}
	return err
}
