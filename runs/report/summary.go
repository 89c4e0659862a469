package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/tile"
)

// End implements Reporter: it writes a table of the suites, the lines that differed, and the verdict.
func (t *Text) End(o Outcome) error {
	w := bufio.NewWriter(t.Out)
	if t.hidden > 0 {
		fmt.Fprintf(w, "... and %d more%s with FAIL or ERROR; -v shows all\n", t.hidden, t.run.unit())
	}
	t.table(w, o.Tally)
	_ = LineTable(o.Tally).Write(w, "\n")
	t.flakyTable(w, o)
	t.evidence(w, o)
	if o.BenchError != "" && !o.onlyStopped() {
		fmt.Fprintf(w, "\nThe bench could not finish: %s\n", o.BenchError)
	}
	if o.Hint != "" {
		fmt.Fprintf(w, "\n%s\n", o.Hint)
	}
	v := o.Verdict()
	fmt.Fprintf(w, "\n%s  %s\n", t.paint(v, v.String()), Meaning(&t.run, o))
	return w.Flush()
}

// Meaning explains the verdict of a run in one sentence.
func Meaning(r *Run, o Outcome) string {
	if text := r.captured(o); text != "" {
		return text
	}
	v := o.Verdict()
	took := cmp.Or(o.Elapsed.Round(time.Millisecond), o.Elapsed.Round(time.Microsecond))
	n := o.Tally.Verdicts
	switch v {
	case driver.Pass:
		return fmt.Sprintf("%s answered %s as %s expect: %d steps in %s%s%s", r.Subject(),
			r.executions(n[driver.Pass], o.Tally), r.Authority(),
			o.Tally.Steps, took, NewEvidence(r, o).reservations(o.Tally), r.unproved(o))
	case driver.Weak:
		return fmt.Sprintf("%s shows no difference in %s, but this is no PASS: %s%s", r.Subject(),
			r.executions(n[driver.Pass], o.Tally), o.Tally.Weakness(), r.unproved(o))
	case driver.Fail:
		differ, from := "differ", "what "+r.Authority()+" expect"
		if r.ReferenceName == NoReference {
			from = "their expectations"
		}
		judged := o.Tally.Executions() - n[driver.Skipped] - n[driver.Error]
		if judged == 1 {
			differ, from = "differs", strings.Replace(from, "their expectations", "its expectation", 1)
		}
		culprit := r.Culprit()
		if o.Tally.FailsByX == n[driver.Fail] {
			culprit += ", or the simulator's X,"
		}
		open := ""
		if n[driver.Error] > 0 {
			open = fmt.Sprintf("; %s, which leaves %s open", simulatorsError(o.Tally),
				r.executions(n[driver.Error], o.Tally))
		}
		cause := culprit + " is at fault"
		if o.Tally.IsOtherRevision() {
			cause = r.Subject() + " answers as another revision than " + r.Revision
		}
		return fmt.Sprintf("%s: %d of %s %s from %s%s%s", cause, n[driver.Fail], r.executions(judged, o.Tally), differ,
			from, open, r.NoChipNote())
	case driver.Flaky:
		vectors, how := printable.Plural(len(FlakyVectors(o.Tally)), "vector fails", "vectors fail"), " sometimes"
		if r.repeated(o.Tally) {
			how = " when run first, and not when repeated, as after a disturbance"
		}
		return fmt.Sprintf("%s is at fault now and then: %s%s%s", r.Culprit(), vectors, how, r.NoChipNote())
	case driver.Wiring:
		return "the wiring is at fault, and the chip was not judged" + r.NoChipNote()
	case driver.Error:
		if o.onlyStopped() {
			return o.Tally.StoppedBy
		}
		chip := "this says nothing about the chip"
		if n[driver.Fail] > 0 {
			chip += ", but " + printable.Plural(n[driver.Fail], "FAIL does", "FAILs do")
		}
		if n[driver.Error] > 0 && n[driver.Error] == o.Tally.Contradictions {
			return fmt.Sprintf("%s and the vectors disagree in %s: %s (%s)", cmp.Or(r.expected(), "the reference"),
				r.executions(n[driver.Error], o.Tally), chip, took)
		}
		if n[driver.Error] == o.Tally.IllegalVectors {
			why := "for the reasons given with each"
			if o.Tally.IllegalReason != "" {
				why = "since " + o.Tally.IllegalReason
			}
			return fmt.Sprintf("%s must not reach a chip, %s; %s (%s)", r.executions(n[driver.Error], o.Tally), why,
				chip, took)
		}
		if by := o.Tally.SimulatorErrors(); n[driver.Error] == by && by > 0 {
			return fmt.Sprintf("%s, in %s: this says nothing about the design (%s)", simulatorsError(o.Tally),
				r.executions(by, o.Tally), took)
		}
		return fmt.Sprintf("the bench is at fault in %s: %s (%s)", r.executions(n[driver.Error], o.Tally), chip, took)
	case driver.Aborted:
		if r.Chipless() || o.BenchError != "" { // parking may have failed
			return fmt.Sprintf("stopped after %s%s", took, r.NoChipNote())
		}
		return fmt.Sprintf("stopped after %s; the chip is parked", took)
	}
	if why := nothing(o); why != "" {
		return "nothing was judged: " + why
	}
	return "nothing was judged"
}

func simulatorsError(t *driver.Tally) string {
	if t.ErrorsByTwin > 0 {
		return strings.TrimSuffix(driver.TwinReasonPrefix, ": ")
	}
	return "the simulator shows X where a chip has a level"
}

// unproved returns the end of the verdict line if nothing differs: idle faults, and a note if no chip was tested.
func (r *Run) unproved(o Outcome) string {
	idle := ""
	if len(o.IdleFaults) > 0 {
		idle = "; " + strings.Join(o.IdleFaults, " and ") + " never acted"
	}
	return idle + r.NoChipNote()
}

// Culprit names the possible cause of wrong samples, including pads that are clocked beyond their rating.
func (r *Run) Culprit() string {
	culprit := r.Identity.Culprit()
	if r.Wires != nil && r.Wires.Settled == DesignAtFault && !r.Chipless() {
		return "the chip's design"
	}
	if r.Chipless() || r.Speed == nil || !r.Speed.ExceedsPads() {
		return culprit
	}
	return strings.TrimSuffix(culprit, ",") + ", or its output pads, clocked beyond their 33MHz,"
}

// nothing returns the reason why a run judged nothing, or "".
func nothing(o Outcome) string {
	if o.Verdict() != driver.Skipped {
		return ""
	}
	return o.Tally.SkipReasons()
}

// expected names the reference as the subject of a sentence; it returns "" for a model.
func (r *Run) expected() string {
	if r.ReferenceName != "" {
		return "the reference"
	}
	return tile.ReferenceSource(r.Revision)
}

// executions formats a count of vectors, or of executions if vectors ran several times.
func (r *Run) executions(n int, of *driver.Tally) string {
	text := printable.Count(n, "execution")
	switch {
	case r.capture() != nil:
		return printable.Plural(n, "batch of clocks", "batches of clocks")
	case r.Iterations > 1:
		return fmt.Sprintf("%s (%d of each vector)", text, cmp.Or(of.Iterations, r.Iterations))
	case r.repeated(of):
		return text + " (vectors that fail are repeated)"
	}
	return printable.Count(n, "vector")
}

// repeated reports whether failing vectors were repeated; see driver.Rules.
func (r *Run) repeated(of *driver.Tally) bool { return r.Iterations <= 1 && of.Iterations > 1 }

func (r *Run) unit() string {
	if r.Iterations > 1 {
		return " executions"
	}
	return ""
}

func (t *Text) table(w io.Writer, tally *driver.Tally) {
	if t.run.capture() != nil {
		return
	}
	if t.run.Iterations > 1 {
		fmt.Fprintf(w, "\nexecutions, %d of each vector", cmp.Or(tally.Iterations, t.run.Iterations))
	}
	_ = t.suites.Table(tally, t.paint).Write(w, "\n")
	if n := tally.Verdicts[driver.Skipped]; n > 0 && n < tally.Executions() {
		fmt.Fprintf(w, "%d SKIPPED: %s\n", n, tally.SkipReasons())
	}
}
