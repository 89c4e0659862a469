package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// A Row is a run on one of several targets. It is a report.Reporter that collects the run's results.
type Row struct {
	Target string // the user's name for it
	Number int    // number of the run in the history, or 0
	Err    error  // why the target could not be tested; nil if the run ended

	run     report.Run
	outcome report.Outcome // without a Tally if the run did not end
	failed  string         // description of the first FAIL, or ""
	broken  string         // description of the first ERROR or WIRING, or ""
}

var _ report.Reporter = (*Row)(nil)

func (r *Row) Start(run report.Run) error {
	r.run = run
	return nil
}

func (r *Row) Result(res *driver.Result) error {
	switch {
	case res.Verdict == driver.Fail && r.failed == "":
		r.failed = fmt.Sprintf("%s step %d: %s", res.Vector.Name, res.FirstMismatch.Index+1,
			report.DescribeDivergence(res))
	case res.Verdict == driver.Wiring:
		r.broken = res.Reason
	case res.Verdict == driver.Error && r.broken == "":
		r.broken = res.Vector.Name + ": " + res.Reason
	}
	return nil
}

func (r *Row) End(o report.Outcome) error {
	r.outcome = o
	return nil
}

// Verdict returns the run's verdict: ERROR if the target could not be tested or the bench could not finish the run.
func (r *Row) Verdict() driver.Verdict {
	switch {
	case r.Interrupted() && r.outcome.Tally != nil:
		return driver.Gravest(driver.Aborted, r.outcome.Verdict())
	case r.Interrupted():
		return driver.Aborted
	case r.Err != nil && failure.KindOf(r.Err) == failure.Wire:
		return driver.Wiring
	case r.Err != nil, r.outcome.BenchError != "":
		return driver.Error
	}
	return r.outcome.Verdict()
}

// Interrupted reports whether the user stopped the run, even before it began.
func (r *Row) Interrupted() bool { return r.outcome.Interrupted || errors.Is(r.Err, context.Canceled) }

// notes returns the target's description, the reasons for its verdict and the notes of the run, one per line.
func (r *Row) notes() (all []string) {
	rest, named := strings.CutPrefix(r.run.Transport, r.Target)
	if r.run.Transport != "" && (!named || strings.Contains(rest, " ")) { // Transport names faults, for example
		all = append(all, "it is "+printable.Text(r.run.Transport))
	}
	all = append(append(all, r.reasons()...), r.run.Notes...)
	if idle := report.DescribeIdleFaults(r.outcome.IdleFaults, r.run.Speed); idle != "" {
		all = append(all, idle)
	}
	return all
}

// reasons returns why the run is not a PASS.
func (r *Row) reasons() (all []string) {
	if r.failed != "" {
		all = append(all, "the first failure: "+r.failed)
	}
	switch {
	case r.Err != nil && !r.Interrupted():
		all = append(all, r.Err.Error())
	case r.outcome.BenchError != "":
		all = append(all, r.outcome.BenchError)
	case r.broken != "":
		all = append(all, r.broken)
	}
	if r.outcome.Tally != nil && r.Verdict() == driver.Weak {
		all = append(all, r.outcome.Tally.Weakness())
	}
	return all
}

// A Table holds runs of the same vectors on several targets.
type Table struct {
	Rows    []*Row
	Tile    string // the design
	Vectors int    // selected
	Elapsed time.Duration
}

// Verdict returns the most severe verdict.
func (t *Table) Verdict() driver.Verdict {
	var all []driver.Verdict
	for _, r := range t.Rows {
		all = append(all, r.Verdict())
	}
	return driver.Gravest(all...)
}

// Err returns the most severe verdict as an already printed error, or nil for PASS. An interrupt takes precedence.
func (t *Table) Err() error {
	if slices.ContainsFunc(t.Rows, (*Row).Interrupted) {
		return failure.AlreadyPrinted(failure.Interrupted)
	}
	return t.Verdict().Err()
}

// WriteText writes a row for each target, with its notes below it, and then the most severe verdict.
func (t *Table) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %s on %d targets\n\n", t.Tile, printable.Count(t.Vectors, "vector"), len(t.Rows))
	shown := t.shown()
	head := []any{"target", "verdict"}
	for _, v := range shown {
		head = append(head, strings.ToLower(v.String()))
	}
	table := printable.NewTable(append(head, "steps", "time", "run")...)
	for _, r := range t.Rows {
		table.Row(append([]any{printable.Text(r.Target), r.Verdict()}, r.cells(shown)...)...)
	}
	for i, line := range table.Lines() {
		fmt.Fprintln(b, line)
		if i == 0 {
			continue
		}
		for _, note := range t.Rows[i-1].notes() {
			fmt.Fprintf(b, "  %s\n", strings.ReplaceAll(printable.Lines(note), "\n", "\n  "))
		}
	}
	fmt.Fprintf(b, "\n%s  %s\n", t.Verdict(), t.meaning())
	return b.Flush()
}

func (t *Table) shown() []driver.Verdict {
	var n driver.Counts
	for _, r := range t.Rows {
		if r.outcome.Tally != nil {
			for v, of := range r.outcome.Tally.Verdicts {
				n[v] += of
			}
		}
	}
	return n.Columns()
}

// cells returns the row's cells: counts of verdicts and steps, time, and run number, or dashes if the run did not end.
func (r *Row) cells(shown []driver.Verdict) (all []any) {
	tally := r.outcome.Tally
	if tally == nil {
		return slices.Repeat([]any{"-"}, len(shown)+3)
	}
	for _, v := range shown {
		all = append(all, tally.Verdicts[v])
	}
	number := "-"
	if r.Number > 0 {
		number = strconv.Itoa(r.Number)
	}
	return append(all, tally.Steps, r.outcome.Elapsed.Round(time.Millisecond), number)
}

func (t *Table) meaning() string {
	var n driver.Counts
	steps, unasked, chip := 0, "", false
	for _, r := range t.Rows {
		n[r.Verdict()]++
		if r.outcome.Tally != nil {
			steps += r.outcome.Tally.Steps
			unasked = max(unasked, r.run.NoChipNote()) // the longest
			chip = chip || !r.run.Chipless()
		}
	}
	if chip {
		unasked = ""
	}
	said := fmt.Sprintf("%d of %d targets pass", n[driver.Pass], len(t.Rows))
	for v, count := range slices.Backward(n[:]) {
		if v := driver.Verdict(v); v != driver.Pass && count > 0 {
			said += fmt.Sprintf(", %d %s", count, v)
		}
	}
	return fmt.Sprintf("%s: %d steps in %s%s", said, steps, t.Elapsed.Round(time.Millisecond), unasked)
}
