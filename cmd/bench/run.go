package main

import "github.com/spf13/cobra"

func newRun(d *design) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run vectors on a chip and show what differs",
		Long: `run runs the selected vectors on a chip, and compares each step with the reference: a model of the
chip, or with --tile the tile's own gates. It ends with the verdict, the run's number, and what to run next.
Of several targets (-t A -t B), which run at the same time, it prints one table, and ends with the gravest verdict.

Defaults stand in bench.yaml, or in variables: BENCH_ and the flag's name (docs/runs.md).

` + exitCodes,
		Example: `  bench run --fault uo3=stuck1
  bench run --suite chip --run 'utf16-le' --junit report.xml
  bench run --tile . -t rp2040:/dev/ttyACM0 -t rp2040:/dev/ttyACM1`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd, d)
	selectFlags(cmd.Flags(), &o.Vectors)
	acceptFlag(cmd.Flags(), &o.Vectors.AcceptWeak)
	tagFlag(cmd.Flags(), &o.tagTexts)
	o.judgingFlags(cmd)
	o.outputFlags(cmd.Flags())
	cmd.Flags().StringVar(&o.repeats, "again", "", "repeat a `RUN`, and compare the two")
	return cmd
}
