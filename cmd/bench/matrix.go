package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/matrix"
	"utfbench/runs/report"
	"utfbench/station/native"
)

// matrixOptions are the flags of bench matrix.
type matrixOptions struct {
	targets    targets
	transports []string
	noHistory  bool

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
	f := cmd.Flags()
	o.targets.prepare(d)
	o.targets.optionFlags(f)
	f.StringArrayVarP(&o.transports, "transport", "t", nil, "a `target`, KIND[:WHERE] as of bench run; two "+
		"of them or more.\nOther flags of a kind count for all targets of that kind")
	selectFlags(f, &o.targets.Run.Vectors)
	acceptFlag(f, &o.targets.Run.Vectors.AcceptWeak)
	f.DurationVar(&o.targets.Timeout, "timeout", 10*time.Minute, "to open a target, and again to run the vectors "+
		"on it; vectors unfinished by then are an ERROR")
	f.BoolVar(&o.targets.Run.NoWiring, "no-wiring", false, "do not check the wires first; see bench wiring")
	jsonFlag(cmd, &o.json)
	f.StringVar(&o.junit, "junit", "", "write JUnit XML to this file, a test suite for each target")
	f.StringVar(&o.html, "html", "", "write the table to this file, as one page")
	f.BoolVar(&o.noHistory, "no-history", false, "do not enter the runs into the history; see bench history")
	o.targets.runs.flags(cmd, d)
	return cmd
}

func (o *matrixOptions) run(cmd *cobra.Command) error {
	if err := notEmpty(cmd, "junit", "html", "file", "suite", "board", "db"); err != nil {
		return err
	}
	if o.targets.Timeout <= 0 {
		return failure.Usagef("--timeout %s: has to be more than 0", o.targets.Timeout)
	}
	all, err := o.named(cmd)
	if err != nil {
		return err
	}
	if err := o.targets.plan(cmd); err != nil {
		return err
	}
	out := files.Set{Out: standard(cmd, o.junit, o.html)}
	defer out.Discard()
	var junits report.JUnits
	write, err := files.Begin(&out,
		files.Output[*matrix.Table]{Flag: "--html", Path: o.html, Write: (*matrix.Table).HTML},
		files.Output[*matrix.Table]{Flag: "--junit", Path: o.junit, Write: func(t *matrix.Table, w io.Writer) error {
			return junits.Write(w, t.Elapsed)
		}})
	if err != nil {
		return err
	}
	for _, one := range all {
		one.JUnit = junits.Add(one.Target.Transport)
	}
	if !o.noHistory {
		o.targets.History = o.targets.runs.enterInto(cmd)
	}
	o.targets.Refuse = func(err error) bool { return failure.KindOf(err) == failure.User }
	table, err := o.targets.ask(cmd, all)
	if err != nil {
		return err
	}
	defer o.targets.handIn(cmd, all)
	for i, one := range all {
		one.JUnit.Trouble = table.Columns[i].Reason
	}
	return o.tell(cmd, table, write)
}

// tell writes the table, and ends with its exit code.
func (o *matrixOptions) tell(cmd *cobra.Command, table *matrix.Table, write func(*matrix.Table) error) error {
	tell := table.Text
	if o.json {
		tell = table.JSON
	}
	err := tell(cmd.OutOrStdout())
	if err == nil {
		err = write(table)
	}
	switch {
	case err != nil:
		return benchFault(fmt.Errorf("writing the table: %w", err))
	case table.Interrupted():
		return failure.Told(failure.Interrupted)
	}
	return judged(table.Verdict())
}

// named returns the targets, with the boards of a lab in the place of a pattern of their names. It refuses a flag that
// none of them has a use for, and a file that several would write.
func (o *matrixOptions) named(cmd *cobra.Command) (all []*native.Member, err error) {
	if err := o.targets.complete(cmd); err != nil {
		return nil, err
	}
	pattern := false // of which all boards of a lab may be one
	for _, transport := range o.transports {
		names, err := native.Expand(cmd.Context(), &o.targets.Lab, transport)
		if err != nil {
			return nil, err
		}
		for pattern = pattern || names[0] != transport; len(names) > 0; names = names[1:] {
			if slices.ContainsFunc(all, func(m *native.Member) bool { return m.Target.Transport == names[0] }) {
				return nil, failure.Usagef("transport %s is given twice: use each target once", names[0])
			}
			one, err := o.targets.member(names[0])
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	if len(all) < 2 && !pattern {
		return nil, failure.Usagef("a matrix has two targets or more, and here %s: give each with -t, or take "+
			"bench run", map[int]string{0: "is none", 1: "is one"}[len(all)])
	}
	return all, o.useless(cmd.Flags(), all)
}

// useless refuses a flag that no target has a use for, and a file that several would write.
func (o *matrixOptions) useless(given *pflag.FlagSet, all []*native.Member) (err error) {
	for _, option := range o.targets.Options() {
		f, users := given.Lookup(option.Name), 0
		for _, one := range all {
			of := one.Target
			if of.Board = o.targets.Board; of.Uses(option.Name) {
				users++
			}
		}
		switch {
		case users == 0 && f.Changed: // what bench.yaml says is for other commands too
			return failure.Usagef("--%s %s: none of the targets has a use for it", f.Name, f.Value)
		case users > 1 && f.Name == "sim-vcd" && f.Value.String() != "":
			return failure.Usagef("--sim-vcd is one file, and %d of the targets are simulations: take bench run for "+
				"one", users)
		}
	}
	return nil
}
