package diagnose

import "slices"

// began returns the faults, equally good ones, that explain every sample after the first failing execution of a run
// step by step and would have shown before it: a wire that came loose in between, or a part that failed. None is
// returned if a fault that comes and goes may well act in this order.
func (run *Run) began() (faults []Ranked) {
	p := run.parts[0]
	first := slices.IndexFunc(p.executions, func(s span) bool { return s.failed })
	if len(run.parts) != 1 || p.speed != nil ||
		(trials{first + p.failed, first}).choice() < Odds { // bits of the order of right and wrong executions
		return nil
	}
	rest := &Run{Tile: run.Tile, Context: run.Context, wrong: run.wrong, parts: []*part{p.after(first)}}
	if rest.parts[0].failed == 0 {
		return nil
	}
	before := run.every(false)[:first]
	masks := countedBits(run.Tile, before)
	for _, r := range Ties(rest.permanent()) {
		if r.Cost() > 0 {
			break
		}
		shown, s := 0, run.simulator()
		for i := range before {
			if s.simulate(r.Hypothesis, before[i:i+1], masks[i:i+1], 0).Cost() > 0 {
				shown++
			}
		}
		if (trials{shown + p.failed, shown}).choice() >= Odds {
			faults = append(faults, r)
		}
	}
	return faults
}
