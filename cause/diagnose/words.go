package diagnose

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/printable"
)

// Reason returns the reason for the conclusion, as a sentence.
func (f Finding) Reason() string {
	if f.NeedsSlowRun() {
		return f.why() + "; to see whether it is the speed, run the same vectors without --at and diagnose both runs"
	}
	return f.why()
}

func (f Finding) why() string {
	switch f.Conclusion {
	case NoDifference:
		if f.ReferenceAgrees {
			return "the samples match the reference, and the vectors that are FAIL expect other levels: " +
				"the design has a bug, or these vectors are wrong"
		}
		if f.OnlyDeduced {
			return "the search for a state at power-up that explains the samples was given up"
		}
		return "nothing differs, so there is nothing to explain"
	case Unstable:
		return "samples of one step differ: an output is neither 0 nor 1, or an input, clk or rst_n changes by " +
			"itself. No stuck line and no logic does that: look for a loose contact, contention, an oscillation, a " +
			"floating line, a late output, or light on a bare die"
	case Intermittent:
		return f.whyIntermittent()
	case Unclear:
		return f.whyUnclear()
	case Logic:
		return f.whyLogic()
	case Unexplained:
		return f.whyNone()
	case SeveralFaults:
		how := "every answer"
		if !f.best().Exact() {
			how = "nearly all, and noise the rest"
		}
		number := []string{"two", "three"}[min(len(f.best().Faults), 3)-2]
		return number + " faults together explain " + how + ", and no single one does; a mistake of the design can " +
			"look the same"
	}
	if f.Conclusion == Timing && !f.best().ExplainsAllButNoise() {
		return "step by step nothing fails, so it is the speed, but no single time explains it"
	}
	text := causeWords[f.Conclusion] + " explains every answer"
	if f.best().Bits == 0 && f.best().UnpredictedBits > 0 {
		text = causeWords[f.Conclusion] + " explains all but what depends on the chip's unknown state at power-up"
	} else if !f.best().Exact() {
		text = causeWords[f.Conclusion] + " explains nearly all, and the rest comes and goes"
	}
	if f.MayBeBrokenInput {
		text += "; " + BrokenInputWords
	}
	return text
}

// BrokenInputWords is added to descriptions of faults for which MayBeBrokenInput returns true.
const BrokenInputWords = "a broken pad or input of the chip looks the same"

func (f Finding) whyIntermittent() string {
	text := "an intermittent line explains it: errors do not depend on the vectors; "
	if f.Doubt.Outputs != nil && !f.Doubt.MayBeInput {
		return text + f.Doubt.Reason()
	}
	return text + "a pad, a register or the supply of the chip that fails now and then may look the same"
}

// RepeatFlags are the flags of a run that distinguishes noise from a permanent fault, with RepeatCount iterations.
const RepeatFlags, RepeatCount = "--count 20", 20

func (f Finding) whyUnclear() string {
	doubt := f.Doubt.Reason()
	if f.SeparatePairs != nil {
		doubt = "two lines are swapped or shorted, or each is at fault by itself: then " + doubt
	}
	switch {
	case f.OnlyDeduced:
		return "no state at power-up explains the samples: the design, a wire or a cell is at fault"
	case f.Doubt.Outputs != nil && f.best().Bits > 0:
		return doubt + "; that explains nearly all, and the rest comes and goes"
	case f.Doubt.Outputs != nil:
		return doubt
	case f.EquivalentPin != "":
		return causeWords[Wire] + " explains every answer, and so does a stuck pin inside the chip: " + f.EquivalentPin
	case f.exactKind() == Unclear:
		return f.wholly()
	case f.exactKind() == Wire && f.noClock():
		return "no edge of clk has an effect: clk does not reach the chip, or the chip is too slow for its pulses; " +
			"bench wiring tries longer ones, as --pulse does"
	case f.best().Unreset():
		return "no sample contradicts a reset that never reaches the chip, whose state at power-up is unknown; a " +
			"fault inside the chip may look the same, and a run with more resets tells more"
	case f.best().Kind() == Intermittent && f.WaveringVectors > 0:
		return "an intermittent line may explain it, or something else that varies, such as the supply or a time at " +
			"its limit; a run with " + RepeatFlags + " tells more"
	case f.best().Kind() == Intermittent:
		return "an intermittent line may explain it, a fault that began during the run, or a mistake of the design; " +
			"a run with " + RepeatFlags + " tells whether the same vectors fail"
	case f.HasRunAtSpeed && !f.HasRunStepByStep:
		return f.failing() + ", by several times or a mistake of the design"
	}
	return "none of the searched faults explains it: noise on a line, the design, a cell, the supply, several faults " +
		"or one that began during the run may explain it; a run with " + RepeatFlags + " tells whether it is noise"
}

// unexplained avoids claims about faults that the search omits, such as register bits of a tile given by its gates.
const unexplained = ", and none of the searched faults explains this"

// whyNone returns the reason for a conclusion without a cause, by how the executions failed.
func (f Finding) whyNone() string {
	switch {
	case f.HasRunAtSpeed && !f.HasRunStepByStep:
		return f.failing() + unexplained
	case f.WaveringVectors > 0:
		return "samples of the same steps change" + unexplained + ": an intermittent input, the supply, a time at " +
			"its limit or three faults may explain it"
	case f.SteadyVectors == 0:
		return f.failing() + unexplained + "; a run with " + RepeatFlags + " tells whether the same ones fail each time"
	}
	return f.failing() + ", not at random" + unexplained + ": the design, a cell, the supply or three " +
		"faults may explain it"
}

func (f Finding) whyLogic() string {
	if f.OnlyDeduced {
		return "no state at power-up explains the samples, and a simulation has no wires: the mistake is in the design"
	}
	if len(f.Causes) > 0 && f.Causes[0].Bits == 0 {
		return fmt.Sprintf("the design answers as it would with %s, but a simulation has no wires: the "+
			"mistake is in the design", f.Causes[0])
	}
	return f.failing() + unexplained
}

func (f Finding) failing() string {
	text := printable.Plural(f.FailedExecutions, "execution fails", "executions fail")
	if f.iterations > 1 && f.WaveringVectors == 0 {
		text += ", the same vectors each time"
	}
	return text
}

var causeWords = map[Conclusion]string{Timing: "a time that does not fit the clock", Wire: "a fault of the wires",
	Register: "a stuck register bit", Revision: "the other revision of the chip"}

// wholly names the kinds of causes that each explain every sample.
func (f Finding) wholly() string {
	var all []string
	for _, c := range f.TiedCauses() {
		if word := causeWords[c.Kind()]; !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return strings.Join(all, " or ") + " would explain every sample"
}

// Glossary explains the conclusions; see cli.Book.
//
//go:embed words.txt
var Glossary string
