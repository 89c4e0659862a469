package main

import (
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/runs/compare"
	"utfbench/runs/report"
	"utfbench/station/native"
)

// matrixOptions are the flags of bench matrix.
type matrixOptions struct {
	targets    targets
	transports []string
}

func newMatrix(d *design) *cobra.Command {
	var o matrixOptions
	cmd := &cobra.Command{
		Use:   "matrix",
		Short: "Run the same vectors on several targets and compare",
		Long: `matrix runs the same vectors on several targets, at the same time unless they share a device, and
prints one table. A target that cannot be opened is ERROR in its row. Each is entered into the history,
but for recordings, which have to be of the same vectors. A flag such as --define, --settle or --fault
counts for all targets of its kind.

Exit codes, by the gravest verdict: 0 all pass; 1 FAIL; 2 bad input, and nothing was run; 3 ERROR;
4 WIRING; 5 nothing was selected or judged; 7 WEAK; 130 interrupted.

` + environment,
		Example: `  bench matrix -t mock -t mock:tt08
  bench matrix --tile . -t verilog -t verilog:gates.v -t rp2040:/dev/ttyACM0 -t rp2040:/dev/ttyACM1
  bench matrix --suite chip -t rp2040 -t replay:last`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	o.targets.prepare(d)
	o.targets.optionFlags(f)
	f.StringArrayVarP(&o.transports, "transport", "t", nil, "a `target`, KIND[:WHERE] as of bench run; two "+
		"of them or more.\nOther flags of a kind count for all targets of that kind")
	o.targets.commonFlags(cmd, d, "target", "to open a target, and again to run the vectors on it; vectors "+
		"unfinished by then are an ERROR")
	return cmd
}

func (o *matrixOptions) run(cmd *cobra.Command) error {
	t := &o.targets
	if err := t.complete(cmd); err != nil {
		return err
	}
	all, err := native.Members(o.transports, t.member)
	if err != nil {
		return err
	}
	for _, option := range t.Options() { // a flag that bench.yaml sets is for other commands too
		f := cmd.Flags().Lookup(option.Name)
		if err := native.Use(all, t.Board, option.Name, f.Value.String(), f.Changed); err != nil {
			return err
		}
	}
	var junits report.JUnits
	var table *compare.Table
	defer t.files.Discard()
	if err := t.begin(cmd, func(w io.Writer) error { return junits.Write(w, table.Elapsed) }); err != nil {
		return err
	}
	for _, one := range all {
		one.JUnit = junits.Add(one.Target.Transport)
	}
	t.enter(cmd)
	t.Refuse = func(err error) bool { return failure.KindOf(err) == failure.User }
	if table, err = t.ask(cmd, all); err != nil {
		return err
	}
	for i, one := range all {
		one.JUnit.Trouble = table.Columns[i].Cut()
	}
	return t.tell(cmd, table)
}
