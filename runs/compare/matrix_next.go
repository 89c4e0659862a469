package compare

import (
	"slices"
	"strconv"
	"strings"

	"utfbench/driver"
	"utfbench/runs/report"
)

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
		case verdict == driver.Error && len(c.order) == 0 && strings.HasPrefix(c.Target, "lab:"):
			boards := report.Next{Words: []string{"lab", "boards"}, Why: "the lab's boards and their users"}
			if !slices.ContainsFunc(all, func(s report.Next) bool { return s.Why == boards.Why }) {
				all = append(all, boards)
			}
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
	return slices.Contains([]string{"rp2040", "gpio", "lab"}, kind)
}
