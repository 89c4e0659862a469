package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"utfbench/cause/flaky"
	"utfbench/driver"
	"utfbench/runs/plan"
	"utfbench/runs/report"
)

// A loop is bench run --loop: one vector again and again until somebody stops it, as one needs it at a scope.
type loop struct {
	out     io.Writer
	vector  string
	rate    flaky.Rate // of the vector, not of a step
	failure bool       // was shown
	began   time.Time
	told    time.Time
	trouble string // why an execution was not judged
}

// checkLoop refuses what a loop has no use for: it leaves nothing behind.
func checkLoop(cmd *cobra.Command) error {
	for _, name := range []string{"count", "json", "junit", "html", "record", "vcd", "resume"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s does not go with --loop, which has no end and keeps nothing", name)
		}
	}
	return nil
}

// noTimeout is longer than anybody waits.
const noTimeout = 1000 * time.Hour

// loopOver runs the vector until the context ends, and sums up. That it was stopped is no error.
func loopOver(cmd *cobra.Command, c *chip, asked plan.Plan, strict bool) error {
	if asked.Vectors != 1 {
		return fmt.Errorf("--loop repeats one vector, and %d are selected: choose one by its whole name, as in "+
			"--run '^chip/bmp/0000D800/utf8-be-chk$'", asked.Vectors)
	}
	if c.broken != nil {
		return &exit{exitWiring, errors.New(c.badWires(" "))}
	}
	l := &loop{out: cmd.OutOrStdout(), began: time.Now()}
	r := driver.Runner{Transport: c, Tile: c.Tile, Report: l.see}
	_, err := r.RunIterations(cmd.Context(), func(yield func(int, driver.Job) bool) {
		for _, job := range asked.Iterations {
			for n := 1; cmd.Context().Err() == nil && l.trouble == "" && yield(n, job); n++ {
			}
		}
	})
	if isTerminal(os.Stderr) {
		endProgress()
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return benchFault(err)
	}
	if err := c.Close(); err != nil {
		return benchFault(fmt.Errorf("parking the chip: %w", err))
	}
	return l.verdict(strict)
}

// see counts a result, and shows the first failure.
func (l *loop) see(res *driver.Result) {
	l.vector = res.Vector.Name
	if res.Verdict != driver.Pass && res.Verdict != driver.Fail { // cut short by its end, or not to be judged
		l.trouble = cmp.Or(l.trouble, res.Reason)
		return
	}
	if l.rate.Steps++; res.Verdict == driver.Fail {
		l.rate.Wrong++
	}
	if res.Verdict == driver.Fail && !l.failure {
		l.failure = true
		fmt.Fprintf(l.out, "%s fails at its execution %d:\n", l.vector, l.rate.Steps)
		for _, line := range report.Explain(res) {
			fmt.Fprintf(l.out, "        %s\n", line)
		}
	}
	if isTerminal(os.Stderr) && time.Since(l.told) > 200*time.Millisecond {
		l.told = time.Now()
		fmt.Fprintf(os.Stderr, "\r%s; Ctrl-C ends it\x1b[K", l.share())
	}
}

// share is how often it failed.
func (l *loop) share() string {
	low, high := l.rate.Interval()
	return fmt.Sprintf("%d of %d executions are FAIL (%s to %s)", l.rate.Wrong, l.rate.Steps, report.Percent(low),
		report.Percent(high))
}

// verdict is the last line, and the exit code.
func (l *loop) verdict(strict bool) error {
	v := driver.Pass
	switch {
	case l.rate.Steps == 0 && l.trouble != "":
		return benchFault(errors.New(l.trouble))
	case l.rate.Steps == 0:
		return &exit{exitInterrupted, errors.New("stopped before the first execution was answered")}
	case l.rate.Wrong == l.rate.Steps:
		v = driver.Fail
	case l.rate.Wrong > 0:
		v = driver.Flaky
	}
	fmt.Fprintf(l.out, "%-5s %s: %s, in %s\n", v, l.vector, l.share(), time.Since(l.began).Round(100*time.Millisecond))
	if code := exitOf(v, strict); code != exitPass {
		return &exit{code: code}
	}
	return nil
}
