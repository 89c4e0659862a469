package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cmdline"
	"utfbench/runs/report"
)

// A nextStep is a command to go on with, and what it is for.
type nextStep struct {
	words []string // of bench
	why   string
}

// widestCommand is up to where the reasons stand below each other.
const widestCommand = 56

// writeNext writes the commands so that a line can be pasted as it is: to a shell the reason is a comment.
func writeNext(w io.Writer, steps []nextStep) {
	if len(steps) == 0 {
		return
	}
	width := 0
	for _, s := range steps {
		if n := len(cmdline.Line(s.words...)); n <= widestCommand {
			width = max(width, n)
		}
	}
	fmt.Fprintln(w, "\nnext:")
	for _, s := range steps {
		fmt.Fprintf(w, "  %-*s  # %s\n", width, cmdline.Line(s.words...), s.why)
	}
}

// An aftermath is what the next step after a run depends on. As a reporter it hears of it.
type aftermath struct {
	first   string // vector that is FAIL or ERROR; "" is none
	outcome report.Outcome
	ended   bool
}

// Start implements report.Reporter.
func (a *aftermath) Start(report.Run) error { return nil }

// Result implements report.Reporter.
func (a *aftermath) Result(r *driver.Result) error {
	if a.first == "" && (r.Verdict == driver.Fail || r.Verdict == driver.Error) {
		a.first = r.Vector.Name
	}
	return nil
}

// End implements report.Reporter.
func (a *aftermath) End(of report.Outcome) error {
	a.outcome, a.ended = of, true
	return nil
}

// A pastRun is what commands about a run are made of.
type pastRun struct {
	cmd       *cobra.Command // bench run
	target    []string       // flags that name the chip
	recording []string       // RUN, and where it is looked for; nil when the run was not recorded
	board     bool           // there are wires, so there is something for bench doctor to go through
	replayed  bool           // the chip was a recording
	shown     bool           // one vector was run, and shown in full
	count     int
}

// layerByLayer is what bench doctor is for.
const layerByLayer = "from the port to the chip, layer by layer"

// steps are what to do after a run, by its verdict.
func (r *pastRun) steps(a *aftermath) []nextStep {
	if !a.ended || a.outcome.Interrupted {
		return nil
	}
	switch a.outcome.Verdict() {
	case driver.Fail:
		return slices.Concat(r.looks(), r.shorter(a.first), r.alone(a.first, "the first failure alone"))
	case driver.Flaky:
		if r.replayed {
			return r.looks()
		}
		return append(r.looks(), nextStep{r.more(), "more iterations"})
	case driver.Wiring:
		return []nextStep{
			{slices.Concat([]string{"wiring"}, r.target), "the wires alone"},
			{slices.Concat([]string{"doctor"}, r.target), layerByLayer}}
	case driver.Error:
		if r.board {
			return []nextStep{{slices.Concat([]string{"doctor"}, r.target), layerByLayer}}
		}
		return r.alone(a.first, "the first ERROR alone")
	}
	return nil
}

// looks are at what was recorded.
func (r *pastRun) looks() []nextStep {
	if r.recording == nil {
		return nil
	}
	return []nextStep{
		{slices.Concat([]string{"diagnose"}, r.recording), "what explains it"},
		{slices.Concat([]string{"report"}, r.recording, []string{"--open"}), "a page with waveforms"}}
}

// shorter is what can be found out of a vector on the chip itself, where nothing was recorded.
func (r *pastRun) shorter(vector string) []nextStep {
	if r.recording != nil {
		return nil
	}
	return []nextStep{{slices.Concat([]string{"minimise", vector}, r.target, r.given("file")),
		"the fewest steps that still fail"}}
}

// alone is the run of one vector, in full.
func (r *pastRun) alone(vector, why string) []nextStep {
	if r.shown {
		return nil
	}
	return []nextStep{{slices.Concat([]string{"run"}, r.target, r.given("file", "no-wiring", "no-history", "db"),
		[]string{"--run", "^" + regexp.QuoteMeta(vector) + "$", "-v"}), why}}
}

// moreOften is how many times as often a flaky vector is to be asked.
const moreOften = 5

// more is the same run with more iterations.
func (r *pastRun) more() []string {
	return slices.Concat([]string{"run"}, r.target,
		r.given("suite", "run", "file", "timeout", "strict", "tag", "no-wiring", "no-history", "db"),
		[]string{"--count", strconv.Itoa(moreOften * r.count)})
}

// given are those of these flags that were.
func (r *pastRun) given(flags ...string) (words []string) {
	for _, name := range flags {
		if f := r.cmd.Flags().Lookup(name); f.Changed {
			words = append(words, cmdline.Flag(f)...)
		}
	}
	return words
}
