package diagnose

import (
	"fmt"
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

func (s *shown) constant() transport.Outputs { return (s.low ^ s.high) &^ s.unknown }

// A WrongStep is a chip's first wrong step.
type WrongStep struct {
	Vector    string
	Step      int // from 0
	Lines     transport.Outputs
	Got, Want transport.Sample
}

func (w *WrongStep) String() string {
	unknown, is, want, parts := w.Got.Unknown(), w.Got.Levels(), w.Want.Levels(), []string(nil)
	for i, lines := range []transport.Outputs{unknown & want, unknown &^ want, is &^ want, want &^ unknown &^ is} {
		if lines &= w.Lines; lines != 0 {
			parts = append(parts, fmt.Sprintf("%s %s %s", lines, []string{"is", "are"}[min(lines.Count(), 2)-1],
				[]string{"unknown, not 1", "unknown, not 0", "1, not 0", "0, not 1"}[i]))
		}
	}
	return fmt.Sprintf("step %d of %s, %s", w.Step+1, w.Vector, strings.Join(parts, "; "))
}

// facts describes the samples: lines that only a good chip moves, lines that are always right, the first wrong step.
func (run *Run) facts() (all []string) {
	for _, line := range (run.got.constant() &^ run.right.constant()).Names() {
		all = append(all, line+" is the same in every step, and a good chip shows both levels")
	}
	if right := run.judged &^ run.wrong; run.wrong != 0 && right != 0 {
		all = append(all, "always right: "+strings.Join(right.Names(), ", "))
	}
	if run.first != nil {
		all = append(all, "first wrong: "+run.first.String())
	}
	return all
}
