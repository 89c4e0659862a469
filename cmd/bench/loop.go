package main

import (
	"cmp"
	"context"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/runs/report"
	"utfbench/station"
)

type loopOptions struct {
	target target
	station.Run
	judging
}

func newLoop(d *design) *cobra.Command {
	var o loopOptions
	cmd := &cobra.Command{
		Use:   "loop [VECTOR]",
		Short: "Repeat a vector for an oscilloscope",
		Long: `loop repeats a vector until Ctrl-C, and counts its failures; the first is shown in full. Let the
oscilloscope trigger on rst_n, since nearly every vector begins with a reset. Nothing is kept.

Exit codes: 0 it never failed, 1 it always failed, 4 a wire is at fault, 5 the vector is not for this chip, 6 it
failed sometimes, 7 WEAK: it never failed, but too little was compared, 130 stopped before the first execution.`,
		Example: `  bench loop chip/bmp/00000000/utf16-le-nochk -t rp2040`,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, strings.Join(args, "")) },
	}
	o.target.flags(cmd, d)
	f := cmd.Flags()
	selectFlags(f, &o.Vectors)
	acceptFlag(f, &o.Vectors.AcceptWeak)
	noReferenceFlag(f, &d.NoReference)
	noWiringFlag(f, &o.NoWiring)
	f.Var(cli.NewPositiveDuration(&o.timeout, 1000*time.Hour), "timeout", "stop after this long")
	return cmd
}

func (o *loopOptions) run(cmd *cobra.Command, name string) error {
	if err := o.target.refuseRecording(cmd); err != nil {
		return err
	}
	o.noHistory = true
	if name != "" {
		o.Vectors.Match = "^" + regexp.QuoteMeta(name) + "$"
	}
	return o.with(cmd, &o.target, &o.Run, nil, func(ctx context.Context) error {
		var failed, judged atomic.Int64
		done := o.target.progress.ShowActivityFunc(func() string {
			return report.FormatShare(int(failed.Load()), int(judged.Load())) + "; Ctrl-C ends it"
		})
		defer done()
		v, err := o.Loop(ctx, cmd.OutOrStdout(), func(l *station.LoopCounts) {
			failed.Store(int64(l.Counts[driver.Fail]))
			judged.Store(int64(l.JudgedExecutions()))
		})
		return cmp.Or(err, v.Err())
	})
}
