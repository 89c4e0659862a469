package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"utfbench/driver"
	"utfbench/runs/report"
	"utfbench/sweep"
	"utfbench/tile"
)

// blocksOf says how much is swept.
func blocksOf(r *sweep.Runner) string {
	if r.Range.First == 0 && r.Range.End == r.Space.Blocks() {
		return count(r.Range.End, "block")
	}
	return fmt.Sprintf("%s of %d", r.Range, r.Space.Blocks())
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// printFailure shows the first case that differs, in words and in bits.
func printFailure(w io.Writer, space tile.Space, t tile.Tile, c *sweep.Certificate) error {
	f, err := sweep.FirstFailure(space, t, c.Blocks)
	if f == nil {
		return err
	}
	fmt.Fprintf(w, "FAIL    %s\n", f.Case)
	if in, ok := t.(tile.Conversation); ok {
		wrote, read, want := in.Dialogue(f.Trace.Steps, f.Trace.Got, f.Trace.Want)
		fmt.Fprintf(w, "        wrote %s\n        read  %s\n        want  %s\n", wrote, read, want)
	}
	for _, line := range report.Explain(&f.Result) {
		fmt.Fprintf(w, "        %s\n", line)
	}
	shown := 0
	for _, b := range c.Blocks {
		if b.Failed == 0 {
			continue
		}
		if shown++; shown <= report.MaxDetailed {
			fmt.Fprintf(w, "        block %d, %s: %d of %d cases differ\n", b.Number, space.Words(b.Number), b.Failed, b.Cases)
		}
	}
	if shown > report.MaxDetailed {
		fmt.Fprintf(w, "        and %s more\n", count(shown-report.MaxDetailed, "block"))
	}
	return nil
}

// verdict is the last line, and the exit code.
func (s *sweeping) verdict(w io.Writer, c *sweep.Certificate) error {
	asked := &s.chip.Asked
	cases, steps := c.Size()
	took := time.Since(s.started)
	rate := fmt.Sprintf("%d steps in %s, %s", steps-s.steps, took.Round(time.Millisecond), perSecond(float64(steps-s.steps)/took.Seconds()))
	before := ""
	if s.cases > 0 {
		before = fmt.Sprintf(" (%d of them before)", s.cases)
	}
	if s.options.certificate != "" && len(c.Blocks) == s.head.Count {
		fmt.Fprintf(w, "certificate in %s, root %x\n", s.options.certificate, c.Root())
	}
	if n := c.Signed(); n > 0 {
		fmt.Fprintf(w, "%d cases were made and signed by the far end, CRC-32; the steps of %d were carried\n", n, cases-n)
	}
	switch c.Verdict() {
	case driver.Fail:
		why := ""
		if n := s.head.Count - len(c.Blocks); n > 0 {
			why = fmt.Sprintf("; %s not begun any more (--max-failures), so there is no certificate", count(n, "block"))
		}
		if len(s.chip.Faults) > 0 {
			fmt.Fprintf(w, "Faults were injected; with --seed %d they act the same way again.\n", s.chip.Seed)
		}
		fmt.Fprintf(w, "FAIL  %s is at fault: %d of %d cases%s differ from the model, %s%s%s\n", asked.Culprit(), c.Failed(), cases, before, rate, why, asked.Unasked())
		return judged(driver.Fail)
	case driver.Flaky:
		fmt.Fprintf(w, "FLAKY %s is not steady: %s signed wrong, and all steps right when they were carried, %s%s\n", asked.Culprit(), count(c.Unsteady(), "run"), rate, asked.Unasked())
		return judged(driver.Flaky)
	}
	fmt.Fprintf(w, "PASS  %s answered %d cases%s as the model says: %s%s\n", asked.Answerer(), cases, before, rate, asked.Unasked())
	return nil
}

func perSecond(rate float64) string {
	switch {
	case rate >= 1e6:
		return fmt.Sprintf("%.1f M steps/s", rate/1e6)
	case rate >= 1e3:
		return fmt.Sprintf("%.1f k steps/s", rate/1e3)
	}
	return fmt.Sprintf("%.0f steps/s", rate)
}

// A blockBar is the progress of a sweep: blocks, steps a second, time left. It keeps output's rules for a terminal.
type blockBar struct {
	bar         *progressbar.ProgressBar // nil until it is shown
	shows       bool
	started     time.Time
	total, done int
	steps       int
}

// newBlockBar is for so many blocks still to come.
func newBlockBar(total int) *blockBar {
	return &blockBar{shows: isTerminal(os.Stderr), started: time.Now(), total: total}
}

func (b *blockBar) add(steps int) {
	b.done++
	b.steps += steps
	took := time.Since(b.started)
	if !b.shows || took < barAfter {
		return
	}
	if b.bar == nil {
		b.bar = progressbar.NewOptions(b.total, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	}
	left := took * time.Duration(b.total-b.done) / time.Duration(b.done)
	b.bar.Describe(fmt.Sprintf("%s, %s left, blocks", perSecond(float64(b.steps)/took.Seconds()), left.Round(time.Second)))
	_ = b.bar.Set(b.done) // a bar that cannot be drawn is no reason to stop
}

func (b *blockBar) clear() {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
}
