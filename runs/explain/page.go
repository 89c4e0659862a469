package explain

import (
	"fmt"
	"slices"

	"utfbench/boards"
	"utfbench/cause/diagnose"
	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/runs/report"
	"utfbench/tile"
)

// NewPage returns a reporter that writes the page of a run, with a diagnosis if o has a tile.
func NewPage(o report.PageOptions) report.Reporter {
	p := &Page{PageOptions: o}
	if o.Tile == nil {
		return p
	}
	return p.WithDiagnosis()
}

// WithDiagnosis returns a reporter that observes the run, diagnoses its failures and writes the page.
func (p *Page) WithDiagnosis() report.Reporter {
	chip := tile.WiredChip(p.Tile)
	if chip == nil { // faulty wires cannot be simulated
		return p
	}
	tile.CloseReference(chip)
	run := &diagnose.Run{Tile: p.Tile, Simulated: p.Simulated, Context: p.Context}
	var wires *report.WiringFindings
	p.Explain = func() *Explanation {
		found, err := find(run, wires)
		switch {
		case p.ended():
			return &Explanation{Conclusion: "none",
				Reason: "The search for what explains it was interrupted; bench report repeats it."}
		case err != nil:
			return &Explanation{Conclusion: "none", Reason: "The diagnosis failed: " + err.Error()}
		case found.Conclusion == diagnose.NoDifference:
			return nil
		}
		return NewExplanation(p.Board, found, wires)
	}
	return report.Reporters{&listener{run: run, wires: &wires}, p}
}

// A listener collects a run's executions for a diagnosis. Until one fails, it holds passing executions of at most
// mostHeld steps, since a run that passes is not diagnosed.
type listener struct {
	run   *diagnose.Run
	wires **report.WiringFindings

	held   []func() error // functions that add the executions to the run
	steps  int            // number of steps in held
	begins bool
}

const mostHeld = 300_000

func (l *listener) Start(r report.Run) error {
	*l.wires = r.Wires
	l.run.HasInjectedFaults = r.Faults != ""
	l.run.BeginRun(r.Speed)
	return nil
}

func (l *listener) Result(r *driver.Result) error {
	if t := r.Trace; !l.begins && r.Verdict == driver.Pass && t != nil && l.steps < mostHeld {
		name, steps, got := r.Vector.Name, slices.Clone(t.Steps), slices.Clone(t.Got)
		l.held = append(l.held, func() error { return l.run.Add(name, steps, got) })
		l.steps += len(steps)
		return nil
	}
	if l.begins = l.begins || r.Trace != nil && r.Verdict.AboutChip(); l.begins {
		for _, add := range l.held {
			if err := add(); err != nil {
				return err
			}
		}
		l.held = nil
	}
	return l.run.AddResult(r)
}

func (l *listener) End(o report.Outcome) error {
	l.run.UnstableFacts, l.run.Pulses = report.NewEvidence(&report.Run{}, o).UnstableFacts(), o.Tally.Pulses
	return nil
}

// find diagnoses a run, unless the chip has another design.
func find(run *diagnose.Run, wires *report.WiringFindings) (diagnose.Finding, error) {
	if isOther(wires) && run.FailedExecutions > 0 {
		return diagnose.Finding{Conclusion: diagnose.Unexplained}, nil
	}
	return run.Diagnose()
}

// isOther reports whether the wiring check found another design.
func isOther(wires *report.WiringFindings) bool {
	return wires != nil && wires.Settled == report.OtherDesign
}

// NewExplanation describes a finding in words, with the lines' places on a board. A wiring check has precedence.
func NewExplanation(b *boards.Board, f diagnose.Finding, wires *report.WiringFindings) *Explanation {
	if isOther(wires) && f.Conclusion != diagnose.NoDifference {
		return &Explanation{Conclusion: string(diagnose.Unexplained), Reason: wires.Reason}
	}
	e := &Explanation{Conclusion: string(f.Conclusion), Reason: f.Reason(), Facts: f.Facts,
		NeedsSlowRun: f.NeedsSlowRun()}
	if f.Scope.CompletedTiers != nil {
		e.Scope = &f.Scope
	}
	if settles(wires, f) {
		e.Reason, e.NeedsSlowRun = wires.Reason, false
		if wires.Settled == report.DesignAtFault {
			e.Conclusion = string(diagnose.Logic)
		}
	}
	if e.acquit(wires, f) {
		return e
	}
	if wires != nil && f.Conclusion == diagnose.Unexplained { // the search might not cover the wire fault
		e.Reason += "; before the run: " + wires.Reason
	}
	if len(f.Causes) == 0 || 2*f.Causes[0].ExplainedBits < f.Causes[0].DifferingBits {
		return e // no suspect explains half of the wrong bits
	}
	fits, rarer := search.SplitByRarity(f.TiedCauses())
	best := search.Hypotheses(fits)
	at := func(s search.Suspect) string { return b.Probes(s.Lines) }
	e.several = len(search.Suspects(best)) > 1 || rarer != nil
	e.Suspects = search.DescribeHypotheses(best, at)
	if rarer != nil {
		e.Suspects = append(e.Suspects, search.DescribeRarer(search.Hypotheses(rarer)))
	}
	for _, pair := range search.DescribeHypotheses(f.SeparatePairs, at) {
		e.Suspects = append(e.Suspects, twoLines+pair)
	}
	top := f.Causes[0]
	e.Account = top.Account.Describe()
	e.Verb = verb(f, len(e.Suspects))
	if top.Kind() == diagnose.Intermittent {
		e.Account += fmt.Sprintf("; an intermittent input would be listed if it explained as much (tried on %d of %d "+
			"failures)", f.TriedFailures, f.FailedExecutions)
	} else if f.SimulatedSteps < f.TotalSteps {
		e.Account += fmt.Sprintf("; %d of %d steps were simulated", f.SimulatedSteps, f.TotalSteps)
	}
	return e
}

// acquit applies an earlier check that has proved each wire good, and reports whether that completes the explanation.
// It blames the design only if every sample is explained, since a wire may have come loose during the run.
func (e *Explanation) acquit(wires *report.WiringFindings, f diagnose.Finding) bool {
	if wires == nil || wires.Settled != report.DesignAtFault || len(wires.Lines) > 0 || len(f.Causes) == 0 ||
		f.Causes[0].Kind() != diagnose.Wire {
		return false
	}
	switch f.Conclusion {
	case diagnose.Wire, diagnose.Unclear, diagnose.SeveralFaults:
		if e.NeedsSlowRun = false; f.Causes[0].Bits == 0 {
			e.Conclusion, e.Reason = string(diagnose.Logic), wires.Reason
			return true
		}
		e.Conclusion = string(diagnose.Unclear)
	case diagnose.Unexplained:
	default:
		return false
	}
	e.Reason += "; before the run: " + wires.Reason
	return true
}

const twoLines = "also possible, but two lines would be wrong: "

// unfit introduces the fault that comes nearest but does not explain the run.
const unfit = "nearest, which does not fit"

func verb(f diagnose.Finding, suspects int) string {
	switch best := f.Causes[0]; {
	case best.Bits > 0 && f.Conclusion == diagnose.Logic:
		return unfit
	case best.Bits > 0 && len(f.Facts) > 0 && (best.Exact() || best.Unreset()):
		return "may be explained by" // a few errors may have another cause, or bits are open
	case best.Bits > 0 && len(f.Facts) > 0:
		return unfit
	case len(best.Suspects()) > 1 && (f.TieCount == 1 || suspects == 1):
		return "explained together by"
	case suspects > 1:
		return "ambiguous between"
	}
	return "explained by"
}
