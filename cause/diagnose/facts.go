package diagnose

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"utfbench/fault"
	"utfbench/transport"
)

// outputLines is the number of lines that a chip drives: uo and uio.
const outputLines = 16

// A shown records the levels of the outputs, and which outputs ever differed from each other.
type shown struct {
	low, high, unknown transport.Outputs
	apart              [outputLines]transport.Outputs
}

func (s *shown) add(got transport.Sample, counts transport.Outputs) {
	level := transport.Sample{Out: got.Out, IO: got.IO}.Levels()
	known := counts &^ got.Unknown()
	s.high |= level & known
	s.low |= known &^ level
	s.unknown |= counts & got.Unknown()
	for line := range outputLines {
		if known>>line&1 == 0 {
			continue
		}
		same := level
		if level>>line&1 != 0 {
			same = ^level
		}
		s.apart[line] |= same & known
	}
}

// constant returns the lines that always showed a single level.
func (s *shown) constant() transport.Outputs { return (s.low ^ s.high) &^ s.unknown }

// A WrongStep is a chip's first wrong step.
type WrongStep struct {
	Vector    string
	Step      int // from 0
	Lines     transport.Outputs
	Got, Want transport.Sample
}

func (w *WrongStep) String() string {
	return fmt.Sprintf("step %d of %s, %s is %s and has to be %s", w.Step+1, w.Vector,
		strings.Join(w.Lines.Names(), ", "), levelsOf(w.Got, w.Lines), levelsOf(w.Want, w.Lines))
}

// facts describes the samples independently of any cause: lines that only a good chip moves, lines that are equal only
// here, the first wrong step, and the excluded faults.
func (run *Run) facts() (all []string) {
	stuck := run.got.constant() &^ run.right.constant()
	for o := stuck; o != 0; o &= o - 1 {
		line := bits.TrailingZeros16(uint16(o))
		all = append(all, fmt.Sprintf("%s is %d in every step, and a good chip shows both levels", lineName(line),
			run.got.high>>line&1))
	}
	known := run.got.low | run.got.high
	if never := (run.right.low | run.right.high) &^ known; never != 0 {
		all = append(all, fmt.Sprintf("never 0 nor 1: %s", never))
	}
	except := stuck | run.got.unknown
	for a := range outputLines {
		for b := a + 1; b < outputLines; b++ {
			never := func(s *shown) bool { return s.apart[a]>>b&1 == 0 }
			if (except>>a|except>>b)&1 == 0 && known>>a&known>>b&1 != 0 &&
				(run.wrong>>a|run.wrong>>b)&1 != 0 && never(&run.got) &&
				!never(&run.right) {
				all = append(all, fmt.Sprintf("%s and %s are equal in every step, and differ on a good chip",
					lineName(a), lineName(b)))
			}
		}
	}
	if right := ^run.wrong & (run.got.high | run.got.low); run.wrong != 0 && right != 0 {
		all = append(all, fmt.Sprintf("always right: %s", strings.Join(right.Names(), ", ")))
	}
	if run.first != nil {
		all = append(all, "first wrong: "+run.first.String())
	}
	return all
}

func lineName(n int) string { return fault.Lines[fault.UO+n] }

// levelsOf formats the levels of lines, as in "1, 0".
func levelsOf(s transport.Sample, lines transport.Outputs) string {
	level := transport.Sample{Out: s.Out, IO: s.IO}.Levels()
	var all []string
	for o := lines; o != 0; o &= o - 1 {
		line := bits.TrailingZeros16(uint16(o))
		if s.Unknown()>>line&1 != 0 {
			all = append(all, "unknown")
		} else {
			all = append(all, strconv.Itoa(int(level>>line&1)))
		}
	}
	return strings.Join(all, ", ")
}

// sees records an execution's samples and the first wrong step.
func (run *Run) sees(vector string, steps []transport.Step, got, right []transport.Sample) {
	for i, want := range right {
		run.driven |= steps[i].Drive
		run.got.add(got[i], ^want.Unknown())
		run.right.add(want, ^want.Unknown())
		if differs := got[i].Differ(want); differs != 0 && run.first == nil {
			run.first = &WrongStep{vector, i, differs, got[i], want}
		}
	}
}
