package compare

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// maxListedFailures is the maximum number of differing vectors that Text lists.
const maxListedFailures = 10

// Text writes the table for people: a row per target, the vectors that differ between targets, the sentence, and the
// verdict.
func (t *Table) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %s on %d targets%s\n\n", t.About.Tile, printable.Count(t.About.Vectors, "vector"),
		len(t.Columns), t.against())
	t.targets(b)
	t.notes(b)
	t.differing(b)
	fmt.Fprintf(b, "\n%s\n", t.Conclusion())
	fmt.Fprintf(b, "\n%s  %s\n", t.Verdict(), t.Meaning())
	return b.Flush()
}

// against returns the reference, if all targets share it.
func (t *Table) against() string {
	reference := ""
	for _, c := range t.Columns {
		switch own := c.Run.Reference(); {
		case c.Run.Transport == "":
		case reference != "" && own != reference:
			return ""
		default:
			reference = own
		}
	}
	if reference == "" {
		return ""
	}
	return ", compared with " + printable.Text(reference)
}

// targets writes the table. If rows were too wide, the first failures follow it.
func (t *Table) targets(w io.Writer) {
	rows := [][]string{append([]string{"", "target", "verdict"}, t.heads()...)}
	names := t.shortNames()
	for i, c := range t.Columns {
		rows = append(rows, append([]string{fmt.Sprint(i + 1), names[i], c.Verdict().String()}, t.cells(c)...))
	}
	lines := align(rows, 3)
	wide := false
	for i, c := range t.Columns {
		wide = wide || len([]rune(lines[i+1]+"  "+c.FirstFailure())) > columns
	}
	if !wide && slices.ContainsFunc(t.Columns, func(c *Column) bool { return c.First != nil }) {
		lines[0] += "  first failure"
	}
	fmt.Fprintln(w, lines[0])
	for i, c := range t.Columns {
		first := c.FirstFailure()
		if first != "" && wide {
			first = "\n" + strings.Repeat(" ", 2+len(fmt.Sprint(len(t.Columns)))) + "first failure: " + first
		} else if first != "" {
			first = "  " + first
		}
		fmt.Fprintln(w, lines[i+1]+first)
	}
}

// shown returns the verdicts that have a column.
func (t *Table) shown() (all []driver.Verdict) {
	var n driver.Counts
	for _, c := range t.Columns {
		for v, of := range c.Counts() {
			n[v] += of
		}
	}
	for _, v := range []driver.Verdict{driver.Pass, driver.Fail, driver.Flaky, driver.Wiring, driver.Error,
		driver.Skipped, driver.Aborted} {
		if v == driver.Pass || v == driver.Fail || n[v] > 0 {
			all = append(all, v)
		}
	}
	return all
}

func (t *Table) heads() (all []string) {
	for _, v := range t.shown() {
		all = append(all, strings.ToLower(v.String()))
	}
	return append(all, "steps", "time", "run")
}

func (t *Table) cells(c *Column) (all []string) {
	n := c.Counts()
	for _, v := range t.shown() {
		all = append(all, fmt.Sprint(n[v]))
	}
	run := "-"
	if c.Number > 0 {
		run = fmt.Sprint(c.Number)
	}
	return append(all, fmt.Sprint(c.Steps), Took(c.Took), run)
}

// FirstFailure returns the place of a target's first failure for a cell, or "".
func (c *Column) FirstFailure() string {
	if c.First == nil {
		return ""
	}
	return strings.TrimSuffix(c.First.Vector+" "+c.First.At(), " ")
}

// notes writes further notes on the targets, by their numbers in the table.
func (t *Table) notes(w io.Writer) {
	head := "\nnotes on the targets\n"
	for i, c := range t.Columns {
		for _, note := range c.Notes(t.against() == "") {
			text := strings.ReplaceAll(note, "\n", "\n"+strings.Repeat(" ", len(fmt.Sprint(len(t.Columns)))+2))
			fmt.Fprintf(w, "%s%*d  %s\n", head, len(fmt.Sprint(len(t.Columns))), i+1, text)
			head = ""
		}
	}
}

// Notes returns notes on a target besides its row, optionally with its reference.
func (c *Column) Notes(reference bool) (all []string) {
	if is := c.Run.Transport; is != "" && is != c.Target {
		all = append(all, printable.Text(is))
	}
	if reference && c.Run.Transport != "" {
		all = append(all, "compared with "+printable.Text(c.Run.Reference()))
	}
	for _, note := range c.Run.Notes {
		all = append(all, printable.Lines(note))
	}
	if idle := report.IdleFaults(c.Idle); idle != "" {
		all = append(all, idle)
	}
	if short(c.Reason) != c.Reason { // the conclusion has shorter ones
		all = append(all, "ERROR: "+c.Reason)
	}
	if wires := c.Wires(); c.Verdict() == driver.Wiring && short(wires) != wires {
		all = append(all, "WIRING: "+wires)
	}
	return all
}

// differing lists the vectors that differ between targets, with a numbered column for each target.
func (t *Table) differing(w io.Writer) {
	all := t.Differing()
	if len(all) == 0 {
		return
	}
	head := []string{"not the same on all targets"}
	for i := range t.Columns {
		head = append(head, fmt.Sprint(i+1))
	}
	rows := [][]string{head}
	for _, r := range all[:min(len(all), maxListedFailures)] {
		row := []string{r.Vector}
		for _, a := range r.Answers {
			row = append(row, a.Cell())
		}
		rows = append(rows, row)
	}
	fmt.Fprintln(w)
	for _, line := range align(rows, len(head)) {
		fmt.Fprintln(w, line)
	}
	if n := len(all) - maxListedFailures; n > 0 {
		fmt.Fprintf(w, "... and %d more; --json has all of them\n", n)
	}
}

// Cell returns a result for a cell: its verdict, and the first wrong step.
func (a *Answer) Cell() string {
	switch {
	case a == nil:
		return "-"
	case a.Step > 0:
		return fmt.Sprintf("%s step %d", a.Verdict, a.Step)
	}
	return a.Verdict.String()
}
