package explain

import (
	"fmt"
	"io"
	"slices"

	"utfbench/cause/diagnose"
	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
)

// WriteText writes a diagnosis. command formats a bench command for the same chip as shell text. As in all of this
// package, w has to store write errors.
func (d *Diagnosis) WriteText(w io.Writer, command func(words ...string) string) {
	of := d.Transport
	if d.Runs != nil {
		of = fmt.Sprintf("%d runs of one chip", len(d.Runs))
	}
	judged := report.FormatFailed(d.Failed, d.Executions)
	if d.none {
		judged = "no execution was judged"
	}
	fmt.Fprintf(w, "%s, board %s, compared with %s: %s\n", of, d.Board, tile.DescribeReference(d.Revision), judged)
	if d.against != "" && d.Runs == nil {
		fmt.Fprintf(w, "  the run was compared with %s\n", d.against)
	}
	if d.CutReason != "" && d.Runs == nil {
		fmt.Fprintf(w, "  the recording is incomplete: %s\n", d.CutReason)
	}
	runs := printable.NewTable()
	for _, r := range d.Runs {
		runs.Row("  "+r.Name, fmt.Sprintf("%d of %d", r.Failed, r.Executions), r)
	}
	_ = runs.Write(w)
	if d.cut > 0 {
		fmt.Fprintf(w, "  ABORTED after a difference: %s\n", printable.Count(d.cut, "execution"))
	}
	if d.MissingExecutions > 0 {
		fmt.Fprintf(w, "  not diagnosed, since they were not run or samples are missing: %s\n",
			printable.Count(d.MissingExecutions, "more execution"))
	}
	if d.Conclusion == string(diagnose.NoDifference) {
		fmt.Fprintln(w, d.Reason)
		if d.unjudged == driver.Wiring {
			fmt.Fprintf(w, "\nto judge the chip behind the bad wire:\n  %s\n", command("run", "--no-wiring"))
		}
		return
	}
	if d.Errors > 0 {
		fmt.Fprintf(w, "  not diagnosed, since an ERROR says nothing about the chip: %s\n",
			printable.Count(d.Errors, "execution"))
	}
	fmt.Fprintf(w, "\nconclusion: %s\n%s\n", d.Conclusion, d.Reason)
	for _, fact := range d.Facts {
		fmt.Fprintf(w, "  %s\n", fact)
	}
	if d.Scope != nil && len(d.Suspects) == 0 {
		fmt.Fprintf(w, "  %s\n", d.Scope)
	}
	causes(w, d.Explanation)
	d.measure(w, command)
	switch {
	case d.NeedsSlowRun: // a run step by step would show more
	case d.factory && (d.Ambiguous || d.Conclusion == string(diagnose.Unclear)):
		fmt.Fprintf(w, "\nthe factory test tells the design from the wires:\n  %s\n", command("wiring", "--tile",
			tile.FactoryTest{}.Name()))
	case d.Ambiguous && d.several && d.Conclusion != string(diagnose.Intermittent): // there a probe shows more
		fmt.Fprintf(w, "\nan ohmmeter distinguishes these; so may the factory test, if the board can select "+
			"design 1:\n  %s\n", command("wiring", "--tile", tile.FactoryTest{}.Name()))
	}
	if d.Cell != nil {
		d.Cell.WriteText(w)
	}
}

// measure writes commands that repeat the first wrong step, so that a probe can measure it.
func (d *Diagnosis) measure(w io.Writer, command func(words ...string) string) {
	rare := d.Conclusion == string(diagnose.Intermittent) && d.own // no sequence of steps reproduces it
	if d.often != nil && !rare {
		fmt.Fprintf(w, "\nto see whether the same vectors fail each time:\n  %s\n", command(d.often...))
	}
	if d.Probe == nil {
		return
	}
	if rare && d.often == nil {
		fmt.Fprintf(w, "\nmeasure %s while these vectors run; a further repetition may show no more\n", d.Probe.Lines)
		return
	}
	at := map[string]string{string(diagnose.Unclear): ", at the chip's pin and at the bench's",
		string(diagnose.Unexplained): ", and the inputs at the chip; bench wiring names inputs that float"}
	fmt.Fprintf(w, "\nrepeat it, and measure %s%s:\n", d.Probe.Lines, at[d.Conclusion])
	switch {
	case rare:
		fmt.Fprintf(w, "  %s\n", command(d.often...))
	case d.own && len(d.RunNames) > 0:
		const file = "probe.vec"
		fmt.Fprintf(w, "  %s\n  %s\n", command("minimise", d.RunNames[0], "--out", file),
			command(append([]string{"loop", "--file", file}, d.unchecked...)...))
	default:
		fmt.Fprintf(w, "  %s\n", command(append([]string{"loop", d.Probe.Vector}, d.unchecked...)...))
	}
}

// String describes the chip, its timing and its reference.
func (r Run) String() string {
	text := r.Transport
	if r.Speed != nil {
		text += fmt.Sprintf(", sample after %s, inputs %s before the edge", r.Speed.Sample, r.Speed.Lead)
	}
	if r.rec.Start.ReferenceName != "" {
		text += "; it was compared with " + r.rec.Start.ReferenceName
	}
	if r.CutReason != "" {
		text += "; the recording is incomplete: " + r.CutReason
	}
	return text
}

func causes(w io.Writer, e *Explanation) {
	if len(e.Suspects) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", e.Verb)
	for _, s := range e.Suspects {
		fmt.Fprintf(w, "  %s\n", s)
	}
	fmt.Fprintln(w, e.Account)
	if e.Scope != nil {
		fmt.Fprintln(w, e.Scope)
	}
}

// settles reports whether the earlier wiring check says more than the finding, by locating a fault on the same lines.
func settles(w *report.WiringFindings, f diagnose.Finding) bool {
	if w == nil || w.Settled == "" || w.Settled == report.OtherDesign ||
		f.Conclusion != diagnose.Wire && f.Conclusion != diagnose.Unclear {
		return false
	}
	return !slices.ContainsFunc(search.Suspects(search.Hypotheses(f.TiedCauses())), func(s search.Suspect) bool {
		return !slices.ContainsFunc(s.Lines, func(line string) bool { return slices.Contains(w.Lines, line) })
	})
}
