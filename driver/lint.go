package driver

import (
	"fmt"

	"utfbench/model"
	"utfbench/transport"
)

// A LintError is a sequence that must not reach a chip.
type LintError struct {
	Step int // index of the step
	Why  string
}

func (e *LintError) Error() string { return fmt.Sprintf("step %d: %s", e.Step+1, e.Why) }

// Lint rejects a sequence in which bench and chip would both drive uio, or the chip would take a byte that nobody drives.
func Lint(steps []transport.Step) error {
	for i, s := range steps {
		if Contends(s) {
			return &LintError{i, fmt.Sprintf("bench and chip would both drive uio (ui is %02X: READ is high, so the chip drives; the bench must not drive %02X)", s.In, s.Drive)}
		}
		if model.TakesFloating(s) {
			return &LintError{i, fmt.Sprintf("the chip would take a byte of which only the bits %02X are driven", s.Drive)}
		}
	}
	return nil
}

// Contends says whether bench and chip would both drive uio in a step. The chip drives all of it while READ is high, in
// reset too (docs/chip.md, "Package").
func Contends(s transport.Step) bool { return s.In&model.READ != 0 && s.Drive != 0 }
