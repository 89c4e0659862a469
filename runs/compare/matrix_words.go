package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// Conclusion says in one sentence which targets pass and where the others fail, such as "verilog and mock pass;
// rp2040:/dev/ttyACM1 fails from step 812 of random/00003 (uo5 S5)".
func (t *Table) Conclusion() string {
	type clause struct {
		fate  fate
		names []string
	}
	var all []clause
	for _, c := range t.Columns {
		f := c.fate()
		i := slices.IndexFunc(all, func(in clause) bool { return in.fate == f })
		if i < 0 {
			all = append(all, clause{fate: f})
			i = len(all) - 1
		}
		all[i].names = append(all[i].names, c.Target)
	}
	slices.SortStableFunc(all, func(a, b clause) int { return a.fate.last - b.fate.last })
	var clauses []string
	for _, in := range all {
		verb := in.fate.one
		if len(in.names) > 1 {
			verb = in.fate.many
		}
		clauses = append(clauses, printable.List(in.names)+" "+verb+in.fate.rest)
	}
	return strings.Join(clauses, "; ")
}

// A fate is a clause about one or more targets; passing ones come first.
type fate struct {
	last            int
	one, many, rest string
}

func (c *Column) fate() fate {
	switch v := c.Verdict(); {
	case v == driver.Error && c.First != nil && c.First.Step > 0 && c.Reason != "":
		return fate{1, "fails", "fail", c.from() + " and broke off: " + short(c.Reason)}
	case v == driver.Error && c.First != nil && c.First.Step > 0:
		return fate{1, "fails", "fail", c.from() + " and could not be judged in " +
			printable.Count(c.Counts()[driver.Error], "vector")}
	case c.First != nil && c.First.Step > 0:
		return fate{1, "fails", "fail", c.from()}
	case v == driver.Pass:
		return fate{0, "passes", "pass", ""}
	case v == driver.Weak:
		return fate{1, "shows no difference", "show no difference", ", but too little is compared: " + c.Weak}
	case v == driver.Wiring:
		return fate{2, "was", "were", " not judged, since " + short(c.Wires())}
	case c.Reason != "" && len(c.order) == 0:
		return fate{3, "could", "could", " not be tested: " + short(c.Reason)}
	case c.Reason != "":
		return fate{3, "broke", "broke", " off: " + short(c.Reason)}
	case v == driver.Error:
		return fate{3, "could", "could", fmt.Sprintf(" not be judged in %s: %s", c.First.Vector, short(c.First.Words))}
	case v == driver.Aborted:
		return fate{4, "was", "were", " stopped"}
	}
	return fate{4, "was", "were", " not tested: no vector applies"}
}

// from describes where a target fails first, and whether it always does.
func (c *Column) from() string {
	at, lines, _ := strings.Cut(c.First.At(), " (")
	now := ""
	if c.answers[c.First.Vector].Verdict == driver.Flaky {
		now = " now and then"
	}
	return fmt.Sprintf("%s from %s of %s (%s", now, at, c.First.Vector, lines)
}

// Wires returns the wiring check's finding; empty for good wires.
func (c *Column) Wires() string {
	for _, name := range c.order {
		if a := c.answers[name]; a.Verdict == driver.Wiring {
			return a.Words
		}
	}
	return ""
}

// mostShort is the maximum length of a reason in a sentence; the target's notes have the full text.
const mostShort = 160

func short(text string) string {
	line, _, more := strings.Cut(text, "\n")
	r := []rune(line)
	if len(r) > mostShort {
		r, more = r[:mostShort], true
	}
	if more {
		return string(r) + "..."
	}
	return string(r)
}

// Meaning explains the verdicts on all targets in one sentence.
func (t *Table) Meaning() string {
	var n driver.Counts
	steps := 0
	for _, c := range t.Columns {
		n[c.Verdict()]++
		steps += c.Steps
	}
	var others []string
	for _, v := range slices.Backward(driver.Verdicts[:]) {
		if v != driver.Pass && n[v] > 0 {
			others = append(others, fmt.Sprintf("%d %s", n[v], v))
		}
	}
	said := fmt.Sprintf("%d of %d targets pass", n[driver.Pass], len(t.Columns))
	if len(others) > 0 {
		said += ", " + printable.List(others)
	}
	return said + fmt.Sprintf(": %s, %d steps in %s%s", printable.Count(t.About.Vectors, "vector"), steps,
		Took(t.Elapsed), t.Unasked())
}

// mostNext is the maximum number of targets with next commands.
const mostNext = 4

// Next returns commands for the targets that did not pass; db is a history other than the user's, or "".
func (t *Table) Next(db string) (all []report.Next) {
	in := report.RecordedAs(1, "", "", db)[1:]
	for _, c := range t.Columns {
		verdict, run := c.Verdict(), c.Number
		if number, replayed := strings.CutPrefix(c.Target, "replay:"); replayed {
			run, _ = strconv.Atoi(number)
		}
		switch {
		case len(all) == mostNext:
		case (verdict == driver.Fail || verdict == driver.Flaky) && run > 0:
			all = append(all, report.Next{Words: slices.Concat([]string{"diagnose", strconv.Itoa(run)}, in),
				Why: "what explains " + c.Target})
		case (verdict == driver.Error || verdict == driver.Wiring) && reachable(c.Target):
			all = append(all, report.Next{Words: []string{"doctor", "-t", c.Target},
				Why: c.Target + ", layer by layer"})
		}
	}
	return all
}

// reachable reports whether bench doctor finds wires behind a target.
func reachable(target string) bool {
	kind, _, _ := strings.Cut(target, ":")
	return slices.Contains([]string{"rp2040", "gpio"}, kind)
}
