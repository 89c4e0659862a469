package diagnose

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// The states of the wires, as verdicts.
const (
	GoodWires     = driver.Pass   // all lines that the tile uses are proven
	UnprovenWires = driver.Weak   // nothing differs, but some of these lines may still be stuck
	BadWires      = driver.Wiring // a wire fault explains the samples, and no fault in the chip does
	UnclearWires  = driver.Fail   // the samples differ, and the wires alone do not explain that
)

// A WiringReport is the result of a wiring check.
type WiringReport struct {
	Verdict       driver.Verdict
	Reason        string
	Suspects      []search.Hypothesis // these explain the samples equally well; empty if the wires are good
	Account       search.Account      // account of each suspect; empty if none was simulated
	RarerSuspects []search.Hypothesis // these explain the samples as well, but are less likely
	Steps         int
	Scope         search.Scope // scope of the search; empty if nothing differs

	UnprovenLines []string // lines that may be stuck, although nothing differs
	FaultyOutputs []string // lines whose wire or chip may be at fault; the verdict is then UnclearWires
	Unrepeatable  bool     // samples changed when the steps were repeated
	FaultLocated  bool     // another design has located the fault as far as possible: see LocateByOtherDesign

	driven uint8 // lines of uio that the bench drives
	exam   *exam // the evidence
}

// CheckWiring applies a tile's wiring check, once with each of the transport's pulls, and explains the samples. budget
// limits the search for several faults; 0 is search.DefaultBudget. Errors come from the transport or the reference.
func CheckWiring(ctx context.Context, tr transport.Transport, t tile.Tile, budget time.Duration) (r *WiringReport,
	err error) {
	defer search.RecoverError(&err)
	if tile.WiredChip(t) == nil {
		return nil, failure.Usagef("the wires of a %s cannot be checked: its response is unknown behind a faulty one",
			t.Name())
	}
	steps, err := tile.WiringSteps(ctx, t)
	search.PanicOn(err)
	again := func() []search.Execution {
		executions, err := apply(ctx, tr, steps)
		search.PanicOn(err)
		return executions
	}
	e := newExam(search.Search{Tile: t, Context: ctx, Budget: search.NewBudget(t, budget)}, again())
	e.again = again
	r = e.patiently(ctx, tr, e.judge())
	r.driven, r.exam, r.Scope = e.driven(), &e, e.Budget.Scope
	r.Steps = len(e.Executions) * len(steps)
	return r, nil
}

// SuspectsByLine returns the suspects. It merges suspects of the same lines and sorts their faults.
func (r *WiringReport) SuspectsByLine() []search.Suspect {
	all := search.Suspects(r.Suspects)
	for _, s := range all {
		slices.Sort(s.Faults)
	}
	return all
}

// apply runs the steps with each pull, or once if the transport cannot pull. It always ends without pulls. All lines
// are low before, as in a simulation: a line that is shorted to clk may have an edge in the first step.
func apply(ctx context.Context, tr transport.Transport, steps []transport.Step) (executions []search.Execution,
	err error) {
	pulls := []transport.Pull{transport.PullUp, transport.PullDown}
	pull := func(context.Context, transport.Pull) error { return errors.ErrUnsupported }
	if p, ok := tr.(transport.Puller); ok {
		pull = p.Pull
	}
	if errors.Is(pull(ctx, transport.PullUp), errors.ErrUnsupported) {
		pulls = []transport.Pull{transport.PullNone}
		pull = func(context.Context, transport.Pull) error { return nil }
	}
	defer func() { err = cmp.Or(err, pull(context.WithoutCancel(ctx), transport.PullNone)) }()
	for _, to := range pulls {
		if err := pull(ctx, to); err != nil {
			return nil, err
		}
		p := search.Execution{Steps: steps, Got: make([]transport.Sample, len(steps)), Pull: to, NoReadback: true}
		for _, part := range [][]transport.Step{{{Reset: true}}, steps} {
			if _, err := transport.Apply(ctx, tr, part, p.Got[:len(part)]); err != nil {
				return nil, err
			}
		}
		executions = append(executions, p)
	}
	return executions, nil
}

// An exam holds the evidence of a wiring check: the samples of a chip that should be this tile.
type exam struct {
	search.Search
	*search.Evidence

	again    func() []search.Execution // repeats the steps; nil if that is impossible
	stuckPin func() string             // a stuck pin of a cell that explains the samples, or ""
}

func newExam(s search.Search, executions []search.Execution) exam {
	e := search.NewEvidence(s.Tile, executions)
	return exam{Search: s, Evidence: e, stuckPin: sync.OnceValue(func() string { return s.FindStuckPin(e) })}
}

// likeliest returns the chips and single wire faults that explain the samples best.
func (e *exam) likeliest() []search.Fit {
	return e.Rank(e.Evidence, append(search.ChipHypotheses(e.Tile), search.WireHypotheses(e.Tile)...), 1)
}

// judge searches for faults, from certain to likely ones, and returns the report.
func (e *exam) judge() *WiringReport {
	if e.DifferingBits == 0 {
		return e.good()
	}
	fits := e.likeliest()
	likely := fits
	e.Budget.Finish(search.SingleFaultTiers(e.Tile)...)
	switch {
	case fits[0].ExplainsAllButNoise():
		return e.addClock(e.blame(e.several(fits)))
	case e.silent():
		return &WiringReport{Verdict: UnclearWires, Reason: "no chip responds: is it powered, and is the " +
			"design selected?"}
	}
	for _, try := range []func() *WiringReport{e.loose, e.unsteady, e.floating, e.inside,
		func() *WiringReport {
			if fits = e.several(fits); fits[0].ExplainsAllButNoise() {
				return e.blame(fits)
			}
			return nil
		}, e.signs} {
		if r := try(); r != nil {
			return r
		}
	}
	r := &WiringReport{Verdict: UnclearWires, Reason: "no fault of a line explains the samples"}
	if best := likely[0]; best.WrongBits == 0 && best.ExplainedBits*5 >= best.DifferingBits {
		r.Suspects, r.Account = search.Hypotheses(likely), best.Account
		r.Reason = "no fault of a line predicts all samples; no sample contradicts"
	}
	return r
}

// mostLikely is the number of likely faults, each of which is tried as one of a pair.
const mostLikely = 6

// several returns the faults that explain the samples best: single faults, combinations, or both if equally likely.
func (e *exam) several(fits []search.Fit) []search.Fit {
	best := fits[0]
	if best.Cost() == 0 {
		apart := e.SeparateFaults(e.Evidence, fits)
		return append(fits, e.Rank(e.Evidence, apart, len(apart))...)
	}
	of := search.Source{FullEvidence: func() *search.Evidence { return e.Evidence },
		SampledEvidence: func(int, int) *search.Evidence { return e.Evidence }}
	enough := func(f search.Fit) bool { return f.ExplainsAllButNoise() }
	several := e.FindMultipleFaults(of, best, e.LikelyMembers(of, mostLikely), enough)
	switch {
	case several == nil:
		return fits
	case best.WrongBits == 0 && best.Rarity() < search.MaxRarity && several[0].Cost() == 0:
		// several faults may predict either level where the single fault leaves it open
		return append(several, fits...)
	}
	return several
}

// loose searches for a line of uio that is open and whose ends both float: the chip reads a constant level, and the
// bench reads noise. All other lines must match exactly, and differ from a good chip. It returns nil if no line fits.
func (e *exam) loose() *WiringReport {
	driven := e.driven()
	for line := fault.UIO; line < fault.Clk; line++ {
		if driven>>(line-fault.UIO)&1 == 0 {
			continue
		}
		others, name := e.without(1<<(line-fault.UO)), fault.Lines[line]+"=open:"
		best := others.Rank(others.Evidence, search.MustParseAll(e.Tile, name+"low", name+"high"), 1)[0]
		if best.UnpredictedBits == 0 && best.ExplainsAllButNoise() && others.DifferingBits > best.WrongBits {
			return &WiringReport{Verdict: BadWires, Reason: "an open line explains the samples of all others",
				Suspects: []search.Hypothesis{best.Hypothesis}}
		}
	}
	return nil
}

// floating searches for a fault with which nothing drives uio when a good chip would, as when the chip is held in
// reset. The levels of uio are then arbitrary, so only uo has to match. It returns nil if no fault fits.
func (e *exam) floating() *WiringReport {
	uo := e.without(0xFF00)
	if uo.DifferingBits == 0 {
		return nil
	}
	fits := uo.likeliest()
	if !fits[0].ExplainsAllButNoise() {
		return nil
	}
	fits = slices.DeleteFunc(uo.several(fits), func(f search.Fit) bool {
		return len(e.FilterConsistent(e.Evidence, []search.Hypothesis{f.Hypothesis}, 0)) == 0
	})
	if len(fits) == 0 {
		return nil
	}
	return e.addClock(e.blame(fits))
}

func (e *exam) without(lines transport.Outputs) exam {
	all := slices.Clone(e.Executions)
	for i := range all {
		all[i].IgnoredLines = lines
	}
	return newExam(e.Search, all)
}

// driven returns the lines of uio that the bench drives in some step.
func (e *exam) driven() (lines uint8) {
	for _, s := range e.Executions[0].Steps { // all executions have the same steps
		lines |= s.Drive
	}
	return lines
}

// addClock adds the faults of clk whose effect cannot be simulated, and a dead clock only if no edge had an effect. If
// clk failed during reset, the chip looks as if it were held in reset, or as if its output were always rewound.
func (e *exam) addClock(r *WiringReport) *WiringReport {
	if r.Verdict != BadWires && r.FaultyOutputs == nil {
		return r
	}
	var dead bool
	if r.Suspects, dead = e.AddClockFaults(e.Evidence, r.Suspects); dead {
		r.Reason = "no clock edge has an effect: clk does not reach the chip, another line stands still, or " +
			"the design is not selected, or does not work"
	}
	return r
}

// blame names wire faults unless a fault inside the chip explains as much.
func (e *exam) blame(fits []search.Fit) *WiringReport {
	r := &WiringReport{Verdict: BadWires, Account: fits[0].Account}
	fits, rarer := search.SplitByRarity(fits)
	r.RarerSuspects = search.Hypotheses(rarer)
	for _, f := range fits {
		if f.InsideChip() {
			if r.Verdict == BadWires && f.Kind() == search.Revision && f.Exact() { // no other fault fits
				return &WiringReport{Verdict: UnclearWires, Account: f.Account,
					Suspects: []search.Hypothesis{f.Hypothesis},
					Reason:   "the samples are those of a good " + f.Tile.Revision() + " chip"}
			}
			r.Verdict = UnclearWires
			r.Reason = "a fault inside the chip explains the samples at least as well as the wires do"
		}
		r.Suspects = append(r.Suspects, f.Hypothesis)
	}
	if r.Verdict != BadWires {
		return r
	}
	r.Reason = blaming(r.Suspects) + " the samples"
	if rest := fits[0].WrongBits; rest > 0 {
		r.Reason += " but for " + printable.Count(rest, "bit") + ", by another fault or noise"
	}
	d, pin, inputs := NewDoubt(r.Suspects, e.driven()), "", e.driven()&^uint8(e.DifferingLines>>8)
	if d.Outputs == nil && !MayBeBrokenInput(r.Suspects, inputs) {
		pin = e.stuckPin()
	}
	if pin != "" {
		d = NewDoubt(r.Suspects, inputs)
	}
	switch {
	case d.Outputs != nil: // the chip may be at fault instead
		r.Verdict, r.FaultyOutputs, r.Reason = UnclearWires, d.Outputs, d.Reason()
	case pin != "":
		r.Verdict, r.Reason = UnclearWires, r.Reason+", and so does a stuck pin inside the chip: "+pin
	case d.OtherOutputs != nil:
		r.Reason += "; " + Doubt{Outputs: d.OtherOutputs}.Reason()
	}
	return r
}

// inside reports a fault of a cell that explains the samples, or returns nil.
func (e *exam) inside() *WiringReport {
	pin := e.stuckPin()
	if pin == "" {
		return nil
	}
	return &WiringReport{Verdict: UnclearWires,
		Reason: "no single fault of a line explains the samples, but a stuck pin inside the chip does: " + pin}
}

// blaming returns the subject and the verb of a sentence that blames the hypotheses.
func blaming(hs []search.Hypothesis) string {
	together := func(h search.Hypothesis) bool { return len(h.Faults) > 1 }
	switch {
	case !slices.ContainsFunc(hs, together):
		return "a fault in the wires explains"
	case together(hs[0]) && together(hs[len(hs)-1]):
		return "faults in the wires together explain"
	}
	return "a fault in the wires, or two together, explain"
}

func (e *exam) suspect(why string, faults ...string) *WiringReport {
	return &WiringReport{Verdict: BadWires, Reason: why, Suspects: search.MustParseAll(e.Tile, faults...)}
}
