package diagnose

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"utfbench/transport"
)

// shown holds the levels that each output has shown.
type shown struct{ low, high, unknown transport.Outputs }

func (s *shown) add(got transport.Sample, counts transport.Outputs) {
	known := counts &^ got.Unknown()
	s.high |= got.Levels() & known
	s.low |= known &^ got.Levels()
	s.unknown |= counts & got.Unknown()
}

// constant returns the lines that have shown only one level.
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

// facts describes the samples, not their cause: lines that only a good chip moves, lines that are always right, and the
// first wrong step.
func (run *Run) facts() (all []string) {
	for _, line := range (run.got.constant() &^ run.right.constant()).Names() {
		all = append(all, line+" is the same in every step, and a good chip shows both levels")
	}
	if right := ^run.wrong & (run.got.high | run.got.low); run.wrong != 0 && right != 0 {
		all = append(all, "always right: "+strings.Join(right.Names(), ", "))
	}
	if run.first != nil {
		all = append(all, "first wrong: "+run.first.String())
	}
	return all
}

// levelsOf formats the levels of some lines, as in "1, 0".
func levelsOf(s transport.Sample, lines transport.Outputs) string {
	var all []string
	for o := lines; o != 0; o &= o - 1 {
		line := bits.TrailingZeros16(uint16(o))
		if s.Unknown()>>line&1 != 0 {
			all = append(all, "unknown")
		} else {
			all = append(all, strconv.Itoa(int(s.Levels()>>line&1)))
		}
	}
	return strings.Join(all, ", ")
}
