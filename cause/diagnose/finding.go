package diagnose

import (
	"slices"

	"utfbench/transport"
)

// A Cause is a hypothesis with its account of a whole run.
type Cause struct {
	Hypothesis
	Differs   int     // bits of the run that differ from a right chip's
	Explained int     // of these
	Unseen    int     // wrong bits that it predicts and that were not seen
	Bits      float64 // that tell the answers, given the hypothesis; fewer is better

	pull transport.Pull // of floating lines, that fits best
}

// A Finding is what explains a run.
type Finding struct {
	Conclusion Conclusion
	Deduced    bool // only levels differ that follow from the chip's earlier samples
	Errors     int  // executions that were ERROR, if nothing differs
	Steps, Of  int  // how many steps were simulated, of how many
	Simulated  bool
	AtSpeed    bool    // the chip was asked at speed
	Stepped    bool    // it was asked step by step
	Slowly     bool    // it failed when it was asked step by step
	Causes     []Cause // the best first; none when nothing differs
	Ties       int     // how many of them cannot be told apart

	Doubt Doubt // outputs of which it is not known whether wire or chip is at fault, if Unclear or Intermittent

	Common []Trait    // that failing executions have, when no fault explains them
	Facts  []string   // that hold whatever the cause, if it is not known
	First  *WrongStep // to be looked at with a probe then

	Vectors int // how many different ones failed
	// of vectors asked more than once, by their steps: how many failed with the same answers; how many changed their
	// answers
	Steady, Wavering int

	maybeNoise bool    // the best cause explains all but what noise on a line may add
	iterations int     // in which each vector was asked
	dependence float64 // of errors on what is asked, in bits; see evidence
}

func (f *Finding) countTies() {
	for f.Ties = 0; f.Ties < len(f.Causes) && f.Causes[f.Ties].ties(f.Causes[0]); {
		f.Ties++
	}
	f.joinTimes()
}

// joinTimes makes one cause of those indistinguishable and say the same of times next to each other.
func (f *Finding) joinTimes() {
	var kept []Cause
	for _, c := range f.Causes[:f.Ties] {
		joined := false
		for i := range kept {
			if h, timed := kept[i].Hypothesis.(Timed); timed && !joined {
				kept[i].Hypothesis, joined = h.joins(c.Hypothesis)
			}
		}
		if !joined {
			kept = append(kept, c)
		}
	}
	f.Causes, f.Ties = append(kept, f.Causes[f.Ties:]...), len(kept)
}

// ties reports whether a cause is indistinguishable from the best. The rate of an intermittent line is an estimate, so
// flip and open differ only by a large margin.
func (c Cause) ties(best Cause) bool {
	if c.Bits < best.Bits+odds {
		return true
	}
	switch {
	case c.Kind() != best.Kind() || !c.byChance() || !best.byChance():
		return false
	case c.Kind() == Timing:
		return c.Bits < walked*best.Bits
	}
	return slices.EqualFunc(c.Suspects(), best.Suspects(), sameLines) && c.Bits < 3*best.Bits
}

// walked is the allowed ratio between the bits of two varying times, since only a sample of the executions was walked.
const walked = 1.25

func (c *Cause) count(got, predicted, right transport.Sample) {
	counts := transport.Sample{Out: ^right.OutX, IO: ^right.IOX}
	differs, _ := compare(got, right, counts)
	wrong, unsaid := compare(got, predicted, counts)
	c.Differs += differs.Count()
	c.Explained += (differs &^ wrong &^ unsaid).Count()
	c.Unseen += (wrong &^ differs).Count()
}
