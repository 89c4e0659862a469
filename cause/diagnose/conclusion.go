package diagnose

import (
	"math"
	"slices"
)

// A Conclusion is what kind of fault explains a run.
type Conclusion string

// Conclusions.
const (
	Nothing      Conclusion = "nothing"      // differs
	Wire         Conclusion = "wire"         // a fault of the wires gives the same answers
	Register     Conclusion = "register"     // a register bit that is stuck does
	Revision     Conclusion = "revision"     // a chip of the other revision does
	Intermittent Conclusion = "intermittent" // a line that comes and goes explains the errors, which do not depend on what is asked
	Logic        Conclusion = "logic"        // the same questions go wrong each time, and no fault of a wire or register bit explains it
	Unexplained  Conclusion = "unexplained"  // none of these, or several
)

// odds is how many bits one account has to be better than another: a thousand to one.
const odds = 10

// beyondDoubt is how many bits show without a look at any line that errors depend on what is asked.
const beyondDoubt = 100

// nearly is how much of what differs, in hundredths, the cause has to explain where chance plays a part, and the rest of a
// hundred how much it may foretell otherwise than it was.
const nearly = 98

func (c *Cause) explains() bool {
	return c.Explained*100 >= nearly*c.Differs && c.Foretold*100 <= (100-nearly)*c.Differs
}

// mayBeChance says whether a line that comes and goes is worth looking for.
func (c *Case) mayBeChance(f *Finding) bool {
	if c.Simulated {
		return false
	}
	f.dependence = c.errors().dependence()
	return f.Wavering > 0 || f.Steady == 0 && f.dependence < beyondDoubt
}

// conclude says what the causes amount to, and drops those that are out.
func (c *Case) conclude(f *Finding) Conclusion {
	kind, best := f.exact(), f.Causes[0]
	switch {
	case kind == Wire && c.Simulated:
		return Logic // that behaves like it: what is wrong is in the design
	case kind != "":
		return kind
	case c.Simulated:
		return Logic
	case slices.ContainsFunc(f.Causes[:f.Ties], func(c Cause) bool { return c.chance() && c.explains() }):
		return c.byChance(f)
	case f.Wavering > f.Steady && best.explains():
		return best.Kind()
	case f.Wavering == 0 && (f.Steady > 0 || f.dependence >= odds):
		return c.byRule(f)
	}
	return Unexplained
}

// byRule is what it is when it depends on what is asked, and no single fault explains it.
func (c *Case) byRule(f *Finding) Conclusion {
	f.drop()
	if c.pair(f) {
		return Wire
	}
	return Logic
}

// byChance decides about a line that comes and goes and would explain it all. Whether it flips or is open is not known, so the
// better for it counts.
func (c *Case) byChance(f *Finding) Conclusion {
	dependence := math.Inf(1)
	for _, cause := range f.Causes[:f.Ties] {
		if h, ok := cause.Hypothesis.(Faulty); ok && cause.chance() {
			dependence = min(dependence, c.acts(h).dependence())
		}
	}
	switch {
	case dependence <= -odds || f.Wavering > f.Steady && dependence < odds:
		return Intermittent
	case dependence >= odds && f.Wavering == 0:
		return c.byRule(f)
	}
	return Unexplained
}

// exact is the kind of the causes that give the very answers of the chip: "" when there is none, Unexplained when they are of
// different kinds.
func (f *Finding) exact() (kind Conclusion) {
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

// drop takes out the causes that come and go.
func (f *Finding) drop() {
	f.Causes = slices.DeleteFunc(f.Causes, Cause.chance)
	f.tie()
}

// chance says whether it is of a line that comes and goes.
func (c Cause) chance() bool { return c.Kind() == Intermittent }
