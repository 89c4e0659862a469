package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/lab/past"
	"utfbench/runs/matrix"
	"utfbench/runs/plan"
	"utfbench/runs/report"
)

// matrixOptions are the flags of bench matrix.
type matrixOptions struct {
	targets   targets
	selected  selection
	timeout   time.Duration
	noWiring  bool
	noHistory bool

	json        bool
	junit, html string
}

func newMatrix(d *design) *cobra.Command {
	var o matrixOptions
	cmd := &cobra.Command{
		Use:   "matrix",
		Short: "Run the same vectors on several targets and compare",
		Long: `matrix asks several targets the same vectors, at the same time where they share no device, and
says in one table which of them pass and from which step the others fail. A target that cannot be
asked is ERROR in its row, and the others go on. Of targets that are one device, such as the pins
of this machine, or a board by two names, each waits for the one before.

Each target that is no recording is entered into the history as a run of its own. A recording
has to be of the same vectors. What is said of a kind of target, such as --define of Verilog,
--settle of boards or --fault of the mock, counts for all targets of that kind: two that need
other flags cannot be in one matrix, but a recording of one of them can.

Exit codes, by the gravest verdict: 0 all pass; 1 FAIL on some target; 2 bad input, and nothing was
run; 3 ERROR, of some target the bench could not find out; 4 WIRING of some target; 5 nothing was
selected or judged; 7 WEAK, some target was compared too little for a PASS; 130 interrupted.

` + environment(),
		Example: `  bench matrix -t mock -t mock:tt08
  bench matrix --tile . -t verilog -t verilog:gates.v -t rp2040:/dev/ttyACM0 -t rp2040:/dev/ttyACM1
  bench matrix --suite chip -t rp2040 -t replay:last --html table.html`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.targets.flags(cmd, d)
	o.selected.flags(cmd, d)
	o.selected.acceptFlag(cmd)
	f := cmd.Flags()
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "to open a target, and again to run the vectors on it; what "+
		"is not answered by then is an ERROR")
	f.BoolVar(&o.noWiring, "no-wiring", false, "do not check the wires first; see bench wiring")
	jsonFlag(cmd, &o.json)
	f.StringVar(&o.junit, "junit", "", "write JUnit XML to this file, a test suite for each target")
	f.StringVar(&o.html, "html", "", "write the table to this file, as one page")
	f.BoolVar(&o.noHistory, "no-history", false, "do not enter the runs into the history; see bench history")
	o.targets.runs.flags(cmd, d)
	return cmd
}

func (o *matrixOptions) check(cmd *cobra.Command) error {
	for _, name := range []string{"junit", "html", "file", "suite", "board", "db"} {
		if f := cmd.Flags().Lookup(name); f.Changed && (f.Value.String() == "" || f.Value.String() == "[]") {
			return failure.Usagef("--%s is empty: give it a value, or leave it out", name)
		}
	}
	if o.timeout <= 0 {
		return failure.Usagef("--timeout %s: has to be more than 0", o.timeout)
	}
	return nil
}

func (o *matrixOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	all, err := o.targets.named(cmd)
	if err != nil {
		return err
	}
	o.selected.Seed = 1 // so that steps by chance are the same the next time
	if of, users := o.targets.seeded(cmd); users {
		o.selected.Seed = of.Seed
	}
	asked, err := o.selected.Plan(1)
	if err != nil {
		return err
	}
	if asked.Vectors == 0 {
		return o.selected.nothing()
	}
	asked.Asked.NoWiring = o.noWiring
	out := files.Set{Out: standard(cmd, o.junit, o.html)}
	defer out.Discard()
	var junits report.JUnits
	write, err := o.begin(&out, &junits)
	if err != nil {
		return err
	}
	table, err := o.ask(cmd, all, asked, &junits)
	if err != nil {
		return err
	}
	defer o.handIn(cmd, all)
	tell := table.Text
	if o.json {
		tell = table.JSON
	}
	if err := tell(cmd.OutOrStdout()); err != nil {
		return benchFault(fmt.Errorf("writing the table: %w", err))
	}
	for _, to := range write {
		if err := to(table); err != nil {
			return benchFault(fmt.Errorf("writing the table: %w", err))
		}
	}
	if table.Interrupted() {
		return failure.Told(failure.Interrupted)
	}
	return judged(table.Verdict())
}

// handIn hands in the runs that were on boards of a lab.
func (o *matrixOptions) handIn(cmd *cobra.Command, all []*oneOf) {
	var of *oneOf // which are of one lab
	var mine []int
	for _, one := range all {
		if one.past != nil && one.past.Due != "" {
			of, mine = one, append(mine, one.past.Number())
		}
	}
	if of != nil {
		handInDue(cmd, of.Lab.Invitation, of.history, func(*past.Given) {}, mine...)
	}
}

// begin begins the requested files and returns their writers.
func (o *matrixOptions) begin(out *files.Set, junits *report.JUnits) (write []func(*matrix.Table) error, err error) {
	for _, f := range []struct {
		flag, path string
		write      func(*matrix.Table, io.Writer) error
	}{
		{"--html", o.html, (*matrix.Table).HTML},
		{"--junit", o.junit, func(t *matrix.Table, w io.Writer) error { return junits.Write(w, t.Elapsed) }},
	} {
		if f.path == "" {
			continue
		}
		file, err := out.Create(f.flag, f.path, 0)
		if err != nil {
			return nil, err
		}
		write = append(write, func(t *matrix.Table) error { return f.write(t, file) })
	}
	return append(write, func(*matrix.Table) error { return out.Commit() }), nil
}

// ask asks all of them.
func (o *matrixOptions) ask(cmd *cobra.Command, all []*oneOf, asked plan.Plan, junits *report.JUnits) (*matrix.Table,
	error) {
	a := asker{selected: o.selected, asked: asked, timeout: o.timeout, noWiring: o.noWiring}
	if !o.noHistory {
		a.history = o.targets.runs.enterInto(cmd)
	}
	for _, one := range all {
		one.junit = junits.Add(one.Transport)
	}
	table, err := a.ask(cmd, all, func(err error) bool { return codeOf(err) == exitUsage })
	if err != nil {
		return nil, err
	}
	table.About = matrix.About{Bench: version(), Tile: o.targets.design.tile.Name(), Vectors: asked.Vectors,
		Digest: asked.Digest}
	for i, one := range all {
		one.junit.Trouble = table.Columns[i].Reason
	}
	return table, nil
}
