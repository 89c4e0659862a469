package explain

import (
	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// unjudged counts executions that are neither PASS nor FAIL.
type unjudged struct {
	n      int
	reason string // reason of the first execution
}

// note counts an execution as judged or as unjudged.
func (r *Run) note(e *report.Execution) {
	if e.Verdict == driver.Pass || e.Verdict == driver.Fail {
		r.judged++
		return
	}
	u := r.unjudged[e.Verdict]
	if u == nil {
		u = &unjudged{reason: e.Reason}
		r.unjudged[e.Verdict] = u
	}
	u.n++
}

// unexplained sets the reason why runs without a difference have no explanation, such as unjudged executions.
func (d *Diagnosis) unexplained(runs []Run) {
	judged := 0
	for i := range runs {
		judged += runs[i].judged
	}
	if d.none = judged == 0; d.none {
		d.Reason = "no execution was judged, which says nothing about the chip"
	}
	for _, v := range []driver.Verdict{driver.Wiring, driver.Error, driver.Aborted, driver.Unjudged, driver.Skipped} {
		for i := range runs {
			u := runs[i].unjudged[v]
			if u == nil || v == driver.Skipped && judged > 0 {
				continue
			}
			d.unjudged = v
			if d.Reason = u.why(v, judged > 0); judged > 0 {
				d.Reason = "nothing differs in what was judged; " + d.Reason
			}
			return
		}
	}
}

// why explains the verdict of unjudged executions. rest reports whether others were judged.
func (u *unjudged) why(v driver.Verdict, rest bool) string {
	are := printable.Plural(u.n, "execution is ", "executions are ")
	if rest && v == driver.Aborted { // most had not begun, and are not counted
		are = "the rest is "
	}
	text := are + v.String() + ", which says nothing about the chip"
	switch v {
	case driver.Wiring:
		text = "the chip was not judged, since the wiring is at fault"
	case driver.Error:
		text = are + "ERROR, not FAIL, and there is no fault of the chip to explain"
	}
	if u.reason == "" {
		return text
	}
	return text + ": " + u.reason
}
