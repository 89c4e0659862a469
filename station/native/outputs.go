package native

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/export"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/station"
)

// Outputs are the outputs of a run: text, files and the history.
type Outputs struct {
	Text                      *report.Text
	JSON, JUnit, HTML, Record string                                   // paths of files; "" is none
	NewPage                   func(report.PageOptions) report.Reporter // writes HTML; explain.NewPage
	NoPartialPage             bool                                     // write no page if Context ends
	Context                   context.Context                          // ends the diagnosis of a failure; nil is never
	Waves                     export.VCDFolder
	GitHub                    bool             // write annotations for a GitHub workflow
	GitHubSummary             string           // file to which the workflow's summary is appended; "" is none
	History                   string           // the folder of the history; "" is none
	JudgedNumber              int              // number in the history of the run that is judged again, or 0
	Stdout                    io.Writer        // used in place of a file with the name files.StandardStream
	Reporters                 report.Reporters // additional observers

	past    *history.Writer // nil if the history does not record the run
	files   files.Set
	created map[string]*files.File // maps the names of flags to files
	summary *os.File               // the workflow's summary
}

// A File is an output file of a run.
type File struct {
	Name string
	Path *string // a field of Outputs
	Mode files.Mode
	Help string

	reporter func(io.Writer, *station.Run) report.Reporter
}

// Files returns the output files. A new one is added here.
func (o *Outputs) Files() []File {
	const standard = "; - is standard output"
	return []File{ // files for programs are last, to include errors of the others
		{"record", &o.Record, files.Part, "write every step and sample to this `FILE`, for -t replay:FILE",
			func(w io.Writer, r *station.Run) report.Reporter {
				return report.NewWriter(w, r.VectorPlan.Suites...)
			}},
		{"html", &o.HTML, 0, "write a report to this `FILE`, one page", o.page},
		{"json", &o.JSON, files.Part, "write events to this `FILE`, a JSON object a line" + standard,
			func(w io.Writer, _ *station.Run) report.Reporter { return report.NewJSON(w) }},
		{"junit", &o.JUnit, 0, "write JUnit XML to this `FILE`" + standard,
			func(w io.Writer, _ *station.Run) report.Reporter { return &report.JUnit{Out: w} }},
	}
}

// Paths returns the paths of the output files; "" is none.
func (o *Outputs) Paths() (all []string) {
	for _, f := range o.Files() {
		all = append(all, *f.Path)
	}
	return all
}

// OutputNames returns the sorted names of the output files.
func OutputNames() (all []string) {
	for _, f := range new(Outputs).Files() {
		all = append(all, f.Name)
	}
	slices.Sort(all)
	return all
}

// Create creates the files, so that a run is refused early if one cannot be written. Judge creates the missing ones.
func (o *Outputs) Create() (err error) {
	o.files.Out = o.Stdout
	if o.created == nil {
		o.created = map[string]*files.File{}
	}
	for _, f := range o.Files() {
		if *f.Path == "" || o.created[f.Name] != nil {
			continue
		}
		if o.created[f.Name], err = o.files.Create("--"+f.Name, *f.Path, f.Mode); err != nil {
			return err
		}
	}
	return nil
}

// Judge judges an open run, and writes the outputs. first is called before the other reporters.
func (o *Outputs) Judge(ctx context.Context, r *station.Run, first report.Reporter) (outcome report.Outcome,
	err error) {
	defer o.Discard()
	all, err := o.begin(r)
	if err != nil {
		return outcome, err
	}
	r.Hint = func(t *driver.Tally) string { return o.hint(r.Chip, t) }
	outcome, err = r.Judge(ctx, append(report.Reporters{first}, all...))
	if err != nil {
		err = failure.New(failure.Bench, fmt.Errorf("writing the report: %w", err))
	}
	return outcome, err
}

// begin creates the files of an open run, and returns the reporters that write them.
func (o *Outputs) begin(r *station.Run) (all report.Reporters, err error) {
	if err := o.Create(); err != nil {
		return nil, err
	}
	if o.History != "" { // the files include the run's number
		o.past = history.NewWriter(o.History, r.VectorPlan.Suites...)
		all = append(all, o.past)
	}
	for _, f := range o.Files() {
		if file := o.created[f.Name]; file != nil {
			all = append(all, kept{f.reporter(file, r), file})
		}
	}
	all = append(all, o.Text)
	if err := o.Waves.Open(); err != nil {
		return nil, err
	}
	if o.Waves.Path != "" {
		all = append(all, report.ResultFunc(o.Waves.Result))
	}
	if o.GitHub {
		to, err := o.workflow()
		if err != nil {
			return nil, err
		}
		all = append(all, to)
	}
	all = append(all, o.Reporters...)
	return append(all, numbered{outputs: o}), nil
}

// hint returns advice on what to examine next, and the place of the waveforms, or "".
func (o *Outputs) hint(c *station.Chip, t *driver.Tally) string {
	text := c.Hint(t)
	if n := o.Waves.CountFiles(); n > 0 {
		text += fmt.Sprintf(" VCD files in %s: %d.", o.Waves.Path, n)
	}
	return strings.TrimSpace(text)
}

// page returns the reporter that writes the page of a run, with a diagnosis of failing vectors.
func (o *Outputs) page(w io.Writer, r *station.Run) report.Reporter {
	c := r.Chip
	of := report.PageOptions{Out: w, Context: o.Context, AllowPartial: !o.NoPartialPage, Number: o.RunNumber}
	if c.Recording != nil {
		of.Origin, of.OriginStart = c.OriginTransport(), &c.Recording.Start
	}
	if r.VectorPlan.Stream == nil { // only vectors can be diagnosed
		of.Tile, of.Board, of.Simulated = c.Tile, c.Board, IsSimulation(c.OriginTransport())
	}
	return o.NewPage(of)
}

// workflow returns the reporter for a GitHub workflow: it writes into the text and the job's summary.
func (o *Outputs) workflow() (_ report.Reporter, err error) {
	g := &report.GitHub{Out: o.Text.Out}
	if o.GitHubSummary != "" {
		// other steps of the workflow append to it, too
		o.summary, err = os.OpenFile(o.GitHubSummary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return nil, failure.Usagef("GITHUB_STEP_SUMMARY: %w", err)
		}
		g.Summary = o.summary
	}
	return g, nil
}

// RunNumber returns the number of the run in the history, or 0.
func (o *Outputs) RunNumber() int {
	if o.past != nil {
		return o.past.Number()
	}
	return o.JudgedNumber
}

// Note returns a note on the history, or "".
func (o *Outputs) Note() string { return o.past.Note() }

// Discard removes incomplete files.
func (o *Outputs) Discard() {
	o.files.Discard()
	if o.summary != nil {
		o.summary.Close()
	}
}

// kept is a reporter that commits its file after the end of the run.
type kept struct {
	report.Reporter
	file *files.File
}

func (k kept) End(o report.Outcome) error {
	if err := k.Reporter.End(o); err != nil {
		return err
	}
	return k.file.Commit()
}

// numbered is a reporter that prints the run's number in the history after the run.
type numbered struct {
	report.ResultFunc
	outputs *Outputs
}

func (numbered) Result(*driver.Result) error { return nil }

func (n numbered) End(report.Outcome) error {
	if o := n.outputs; o.past.Number() > 0 {
		fmt.Fprintf(o.Text.Out, "run %d of the history\n", o.past.Number())
	}
	return nil
}

// PlanSearched plans a run with a search's vectors, prints a summary, and writes the vectors to a file or to standard.
func PlanSearched(ctx context.Context, w io.Writer, r *station.Run, standard io.Writer,
	working func(string) (done func())) error {
	x := &r.Explore
	out := files.Set{Out: standard}
	defer out.Discard()
	save, err := files.CreateOutputs(&out, files.Output[string]{Flag: "--save", Path: x.File,
		Write: func(text string, w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}})
	if err != nil {
		return err
	}
	done := working("searching for vectors, " + x.Budget.String() + " of work on an idle core")
	err = r.Plan(ctx)
	done()
	if err != nil {
		return err
	}
	if x.Summary != "" {
		fmt.Fprintln(w, x.Summary)
	}
	return save(x.Text())
}
