package diagnose

import (
	"cmp"
	"math"
	"slices"
)

// A Conclusion is what kind of fault explains a run.
type Conclusion string

// Conclusions.
const (
	Nothing  Conclusion = "nothing"  // differs
	Wire     Conclusion = "wire"     // a fault of the wires gives the same answers
	Unclear  Conclusion = "unclear"  // a fault of an output does, which the chip may have as well: see Doubt
	Register Conclusion = "register" // a register bit that is stuck does
	Revision Conclusion = "revision" // a chip of the other revision does
	Timing   Conclusion = "timing"   // what is too slow for the speed of the run does
	// a line that comes and goes explains the errors, which do not depend on what is asked
	Intermittent Conclusion = "intermittent"
	// the same questions go wrong each time, and no fault of a wire or register bit explains it
	Logic       Conclusion = "logic"
	Unexplained Conclusion = "unexplained" // none of these, or several
)

// odds is how many bits one account has to be better than another: a thousand to one.
const odds = 10

// beyondDoubt is how many bits prove, before any line is looked at, that errors depend on what is asked.
const beyondDoubt = 100

// explainedPercent is how much of what differs, in hundredths, a cause has to explain if chance plays a part; the rest
// of a hundred is how many wrong bits it may predict that were not seen.
const explainedPercent = 98

func (c *Cause) explains() bool {
	return c.Explained*100 >= explainedPercent*c.Differs && c.Unseen*100 <= (100-explainedPercent)*c.Differs
}

// mayBeChance says whether a line that comes and goes is worth looking for.
func (run *Run) mayBeChance(f *Finding) bool {
	if run.Simulated {
		return false
	}
	f.dependence = run.firstErrors().dependence()
	return f.AtSpeed || f.Wavering > 0 || f.Steady == 0 && f.dependence < beyondDoubt
}

// conclude says what follows from the causes, and drops those that are excluded.
func (run *Run) conclude(f *Finding) Conclusion {
	kind, best := f.exactKind(), f.Causes[0]
	switch {
	case kind == "" && run.lateLines(f):
		return Timing
	case kind == Wire && run.Simulated:
		return Logic // the design behaves like it, and is wrong
	case kind != "":
		return kind
	case run.Simulated:
		return Logic
	case slices.ContainsFunc(f.Causes[:f.Ties], func(c Cause) bool { return c.byChance() && c.explains() }):
		return run.byChance(f)
	case (f.Wavering > f.Steady || best.Kind() == Timing) && best.explains():
		return best.Kind()
	case f.Wavering == 0 && (f.Steady > 0 || f.dependence >= odds):
		return run.byRule(f)
	}
	return Unexplained
}

// byRule is the conclusion if errors depend on what is asked, and no single fault explains them. What was asked at
// speed alone may have several faults of timing.
func (run *Run) byRule(f *Finding) Conclusion {
	f.dropIntermittent()
	switch {
	case run.pair(f):
		return Wire
	case f.AtSpeed && !f.Slowly:
		return Unexplained
	}
	return Logic
}

// byChance decides about an intermittent line that would explain everything. Whether it flips or is open is not known,
// so the kind that fits better counts.
func (run *Run) byChance(f *Finding) Conclusion {
	dependence, kind := math.Inf(1), Conclusion("")
	for _, cause := range f.Causes[:f.Ties] {
		if cause.byChance() {
			kind = cmp.Or(kind, cause.Kind())
			dependence = min(dependence, run.actions(cause.Hypothesis.(byChance)).dependence())
		}
	}
	switch {
	case dependence <= -odds || f.Wavering > f.Steady && dependence < odds:
		return kind
	case dependence >= odds && f.Wavering == 0:
		return run.byRule(f)
	}
	return Unexplained
}

// doubt takes the blame off the wires where the chip may have it as well.
func (f *Finding) doubt(driven uint8) {
	if f.Conclusion != Wire && f.Conclusion != Intermittent {
		return
	}
	var hs []Hypothesis
	for _, c := range f.Causes[:f.Ties] {
		if c.Kind() == f.Conclusion {
			hs = append(hs, c.Hypothesis)
		}
	}
	f.Doubt = NewDoubt(hs, driven)
	if f.Conclusion == Wire && f.Doubt.Outputs != nil {
		f.Conclusion = Unclear
	}
}

// exactKind is the kind of the causes that give exactly the answers of the chip: "" if there is none, Unexplained if
// they are of different kinds.
func (f *Finding) exactKind() (kind Conclusion) {
	for _, cause := range f.Causes[:f.Ties] {
		switch {
		case cause.Bits > 0:
		case kind == "" || kind == cause.Kind():
			kind = cause.Kind()
		default:
			return Unexplained
		}
	}
	return kind
}

// dropIntermittent removes the causes that come and go.
func (f *Finding) dropIntermittent() {
	f.Causes = slices.DeleteFunc(f.Causes, Cause.byChance)
	f.countTies()
}

// intermittent says whether the cause is a line that comes and goes.
func (c Cause) intermittent() bool { return c.Kind() == Intermittent }

// byChance says whether it acts at times.
func (c Cause) byChance() bool {
	h, timed := c.Hypothesis.(Timed)
	return c.intermittent() || timed && h.Varies
}
