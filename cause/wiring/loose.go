package wiring

import (
	"slices"

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
		without := e.without(1 << (line - fault.UO))
		name := fault.Lines[line] + "=open:"
		ranked, err := without.rank([]diagnose.Hypothesis{diagnose.MustFault(e.tile, name+"low"),
			diagnose.MustFault(e.tile, name+"high")}, 1)
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

// floating searches for a fault behind which nobody drives uio where a good chip does, as when it is held in reset. The
// levels of uio are arbitrary there, so uo must match by itself, and uio must only contradict nothing. It returns nil
// if no fault fits.
func (e *exam) floating() (*Report, error) {
	uo := e.without(0xFF00)
	wrong, err := uo.rightWrong()
	if err != nil || wrong == 0 {
		return nil, err
	}
	ties, err := uo.likeliest()
	if err != nil {
		return nil, err
	}
	explains, err := uo.explains(wrong)
	if err != nil || !explains(ties[0]) {
		return nil, err
	}
	if ties, err = uo.several(ties); err != nil {
		return nil, err
	}
	var fits []diagnose.Ranked
	for _, tie := range ties {
		consistent, err := diagnose.Consistent(e.ctx, e.tile, e.executions, []diagnose.Hypothesis{tie.Hypothesis})
		if err != nil {
			return nil, err
		}
		if len(consistent) > 0 {
			fits = append(fits, tie)
		}
	}
	if fits == nil {
		return nil, nil
	}
	return e.addClock(e.blame(fits))
}

// rightWrong returns the number of bits that differ from a good chip's.
func (e *exam) rightWrong() (int, error) {
	of, err := diagnose.NewEvidence(e.tile, e.executions)
	if err != nil {
		return 0, err
	}
	return of.Differs, nil
}

// without returns the exam with some lines ignored.
func (e *exam) without(lines transport.Outputs) exam {
	all := slices.Clone(e.executions)
	for i := range all {
		all[i].Loose = lines
	}
	return exam{ctx: e.ctx, tile: e.tile, executions: all, budget: e.budget}
}
