package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/driver/loop"
	"utfbench/runs/plan"
	"utfbench/runs/report"
)

// checkLoop refuses what bench run --loop has no use for: it leaves nothing behind.
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
	job, err := asked.One()
	if err != nil {
		return err
	}
	if c.broken != nil {
		return &exit{exitWiring, errors.New(c.badWires(" "))}
	}
	if only := job.Vector.Revision; only != "" && only != c.Tile.Revision() {
		return &exit{exitNothing, fmt.Errorf("%s holds for %s only, and the chip is taken for %s: --revision %s takes "+
			"it for that", job.Vector.Name, only, c.Tile.Revision(), only)}
	}
	began, out, name := time.Now(), cmd.OutOrStdout(), job.Vector.Name
	l := loop.Loop{Transport: c, Tile: c.Tile, Job: job}
	l.First = func(res *driver.Result) {
		fmt.Fprintf(out, "%s fails at its execution %d:\n", name, l.Executions)
		for _, line := range report.Explain(res) {
			fmt.Fprintf(out, "        %s\n", line)
		}
	}
	end := showLoop(&l)
	err = l.Run(cmd.Context())
	end()
	if err != nil {
		return benchFault(err)
	}
	if err := c.Close(); err != nil {
		return benchFault(fmt.Errorf("parking the chip: %w", err))
	}
	v := l.Verdict()
	switch {
	case v == driver.Skipped && l.Trouble != "":
		return benchFault(errors.New(l.Trouble))
	case v == driver.Skipped:
		return &exit{exitInterrupted, errors.New("stopped before the first execution was answered")}
	}
	fmt.Fprintf(out, "%-5s %s: %s, in %s\n", v, name, report.Share(l.Failed, l.Executions),
		time.Since(began).Round(100*time.Millisecond))
	if code := exitOf(v, strict); code != exitPass {
		return &exit{code: code}
	}
	return nil
}

// showLoop says on a terminal how often the vector fails, until end is called.
func showLoop(l *loop.Loop) (end func()) {
	if !isTerminal(os.Stderr) {
		return func() {}
	}
	var told time.Time
	l.Judged = func() {
		if time.Since(told) > 200*time.Millisecond {
			told = time.Now()
			fmt.Fprintf(os.Stderr, "\r%s; Ctrl-C ends it\x1b[K", report.Share(l.Failed, l.Executions))
		}
	}
	return endProgress
}
