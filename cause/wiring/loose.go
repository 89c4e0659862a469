package wiring

import (
	"utfbench/cause/diagnose"
	"utfbench/fault"
	"utfbench/transport"
)

// loose searches for an open uio line with two floating ends: the chip reads a constant level, the bench reads noise.
// All other lines must then match exactly and differ from a good chip. It returns nil if no line fits.
func (e *exam) loose(wrong int) (*Report, error) {
	driven := e.driven()
	for line := fault.UIO; line < fault.Clk; line++ {
		if driven>>(line-fault.UIO)&1 == 0 {
			continue
		}
		without := exam{e.tile, e.without(1 << (line - fault.UO))}
		name := fault.Lines[line] + "=open:"
		ranked, err := diagnose.Rank(e.tile, without.executions, []diagnose.Hypothesis{
			diagnose.MustFault(e.tile, name+"low"), diagnose.MustFault(e.tile, name+"high")}, 1)
		if err != nil {
			return nil, err
		}
		right, err := without.rightWrong()
		if err != nil {
			return nil, err
		}
		if best := ranked[0]; best.Wrong <= wrong/mostWrong && best.Unsaid == 0 && right > best.Wrong {
			return &Report{Verdict: Bad, Why: "an open line explains the samples of all others",
				Suspects: []diagnose.Hypothesis{best.Hypothesis}}, nil
		}
	}
	return nil, nil
}

// rightWrong returns the number of bits that differ from a good chip's.
func (e *exam) rightWrong() (int, error) {
	ranked, err := diagnose.Rank(e.tile, e.executions, []diagnose.Hypothesis{diagnose.RightChip{Tile: e.tile}}, 1)
	if err != nil {
		return 0, err
	}
	return ranked[0].Wrong, nil
}

// without returns the executions with some lines ignored.
func (e *exam) without(lines transport.Outputs) []diagnose.Execution {
	all := make([]diagnose.Execution, len(e.executions))
	for i, p := range e.executions {
		p.Loose = lines
		all[i] = p
	}
	return all
}
