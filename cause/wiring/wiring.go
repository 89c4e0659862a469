// Package wiring tells bench, wire and chip apart before the chip is judged. It applies some hundred steps to the
// lines and finds the wire fault that explains the samples, if there is one.
//
// # Method
//
//   - The steps come from the tile (tile.Cable): they drive each line to both levels, in each of its directions.
//   - If a chip's outputs depend only on ui, no clock reaches it, or it is another design. If a reset changes nothing,
//     no reset reaches it.
//   - If the transport can pull, a line that follows the pull is driven by nobody.
//   - All other faults are simulated on the same steps: see package diagnose.
//
// The wires are not blamed if a register bit inside the chip explains the samples as well. Nor are they for a stuck
// output: the fault may be in the wire, the bench's pin, the chip's pad or the design, see [Report.Settle]. They are
// for a stuck input, behind which the chip cannot be judged, see [Report.LikeInput].
//
// # What it proves
//
// If all samples match, the check proves a line at each level whose loss would have caused a mismatch: a line stuck at
// the other level would have been detected. The other lines are listed as unproven.
package wiring

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// The states of the wires, as verdicts.
const (
	Good     = driver.Pass   // all lines that the tile uses work
	Unproven = driver.Weak   // nothing differs, but some lines that it uses may still be stuck
	Bad      = driver.Wiring // a fault in the wires explains the samples, and none in the chip does
	Unclear  = driver.Fail   // the samples differ, and the wires alone do not explain it
)

// A Report is the result of a check.
type Report struct {
	Verdict  driver.Verdict
	Why      string
	Suspects []diagnose.Hypothesis // explain the samples equally well; empty when Good
	Steps    int

	// Unproven lists lines that may be stuck although nothing differs.
	Unproven []string
	// Outputs lists faulty lines whose fault may be in their wire or in the chip. The report is then Unclear.
	Outputs []string
	// Unsteady reports that samples changed when the steps were repeated.
	Unsteady bool
	// Settled reports that a check with another design has located the fault as far as possible; see Settle.
	Settled bool

	driven uint8 // lines of uio that the bench drove
	exam   *exam // the evidence
}

// An explanation may contradict one of mostWrong differing bits, because of noise, and leave one of mostUnsaid of all
// bits unpredicted.
const (
	mostWrong  = 50
	mostUnsaid = 4
)

// Check applies the steps to the lines, once for each pull that the transport has. The error is the transport's or the
// reference's.
func Check(ctx context.Context, tr transport.Transport, t tile.Tile) (*Report, error) {
	return CheckWithin(ctx, tr, t, 0)
}

// CheckWithin is Check with a budget for faults of several lines; 0 is diagnose.UsualBudget.
func CheckWithin(ctx context.Context, tr transport.Transport, t tile.Tile, budget time.Duration) (*Report, error) {
	if tile.Wire(t) == nil {
		return nil, failure.Usagef("the wires of a %s cannot be checked: its response is unknown behind a faulty one",
			t.Name())
	}
	steps, err := tile.Cable(ctx, t)
	if err != nil {
		return nil, err
	}
	executions, err := apply(ctx, tr, steps)
	if err != nil {
		return nil, err
	}
	e := exam{ctx: ctx, tile: t, executions: executions, budget: diagnose.NewBudget(t, budget),
		again: func() ([]diagnose.Execution, error) { return apply(ctx, tr, steps) }}
	r, err := e.judge()
	if err != nil {
		return nil, err
	}
	if r, err = e.patiently(ctx, tr, r); err != nil {
		return nil, err
	}
	e.addShort(r)
	r.driven, r.exam = e.driven(), &e
	r.Steps = len(executions) * len(steps)
	return r, nil
}

// Lines merges the suspects on the same lines and sorts their faults.
func (r *Report) Lines() []diagnose.Suspect {
	all := diagnose.Suspects(r.Suspects)
	for _, s := range all {
		slices.Sort(s.What)
	}
	return all
}

// apply runs the steps with each pull, or once if the transport cannot pull. Afterwards nothing pulls, whatever failed.
func apply(ctx context.Context, tr transport.Transport, steps []transport.Step) (executions []diagnose.Execution,
	err error) {
	pulls := []transport.Pull{transport.PullUp, transport.PullDown}
	pull := puller(tr)
	if errors.Is(pull(ctx, transport.PullUp), errors.ErrUnsupported) {
		pulls = []transport.Pull{transport.PullNone}
		pull = func(context.Context, transport.Pull) error { return nil }
	}
	defer func() { err = cmp.Or(err, pull(context.WithoutCancel(ctx), transport.PullNone)) }()
	for _, to := range pulls {
		if err := pull(ctx, to); err != nil {
			return nil, err
		}
		p := diagnose.Execution{Steps: steps, Got: make([]transport.Sample, len(steps)), Pull: to, Blind: true}
		if _, err := transport.Apply(ctx, tr, steps, p.Got); err != nil {
			return nil, err
		}
		executions = append(executions, p)
	}
	return executions, nil
}

func puller(tr transport.Transport) func(context.Context, transport.Pull) error {
	if p, ok := tr.(transport.Puller); ok {
		return p.Pull
	}
	return func(context.Context, transport.Pull) error { return errors.ErrUnsupported }
}

// An exam holds the evidence: the samples of a chip that should be of this tile.
type exam struct {
	ctx        context.Context // ends the search for faults
	tile       tile.Tile
	executions []diagnose.Execution

	budget *diagnose.Budget                     // for faults of several lines; nil is no limit
	again  func() ([]diagnose.Execution, error) // repeats the steps; nil if they cannot be
}

// rank orders hypotheses by their cost, as diagnose.Rank does.
func (e *exam) rank(hs []diagnose.Hypothesis, keep int) ([]diagnose.Ranked, error) {
	return diagnose.Rank(e.ctx, e.tile, e.executions, hs, keep)
}

// likeliest returns the chips and single faults of wires that explain the samples best.
func (e *exam) likeliest() ([]diagnose.Ranked, error) {
	return e.rank(append(diagnose.Chips(e.tile), diagnose.Wires(e.tile)...), 1)
}

// judge proceeds from certain to likely faults.
func (e *exam) judge() (*Report, error) {
	wrong, err := e.rightWrong()
	if err != nil {
		return nil, err
	}
	if wrong == 0 {
		return e.good()
	}
	ranked, err := e.likeliest()
	if err != nil {
		return nil, err
	}
	explains, err := e.explains(wrong)
	if err != nil {
		return nil, err
	}
	switch {
	case explains(ranked[0]):
		ties, err := e.several(ranked)
		if err != nil {
			return nil, err
		}
		return e.addClock(e.blame(ties))
	case e.unknown():
		return e.suspectFaults("no output has a known level, as without a clock or a reset",
			append(deadClock[:3:3], "rst_n=open", "rst_n=stuck1")...), nil
	case e.silent():
		return &Report{Verdict: Unclear, Why: "no chip responds: is it powered, and is the design selected?"}, nil
	}
	if r, err := e.loose(wrong); r != nil || err != nil {
		return r, err
	}
	if r, err := e.unsteady(); r != nil || err != nil {
		return r, err
	}
	if r, err := e.floating(); r != nil || err != nil {
		return r, err
	}
	switch ties, err := e.several(ranked); {
	case err != nil:
		return nil, err
	case explains(ties[0]):
		return e.blame(ties), nil
	}
	if r, err := e.signs(); r != nil || err != nil {
		return r, err
	}
	why := "no fault of up to three lines explains the samples"
	if e.budget.Cut() {
		why = "no fault of a line explains the samples, nor do the likeliest pairs; --budget 5m tries more of them"
	}
	return &Report{Verdict: Unclear, Why: why}, nil
}

// signs looks for a clock or a reset without an effect, where no simulated fault explains the samples. It returns nil
// if there is no sign of either.
func (e *exam) signs() (*Report, error) {
	switch frozen, err := e.frozen(); {
	case err != nil:
		return nil, err
	case frozen:
		return e.suspectFaults("the samples depend only on ui: no clock reaches the chip, or it is another design",
			deadClock...), nil
	}
	switch unreset, err := e.unreset(); {
	case err != nil:
		return nil, err
	case unreset:
		return e.suspectFaults("a reset leaves the chip as it was", "rst_n=open", "rst_n=stuck1",
			"clk~rst_n=and", "clk~rst_n=or"), nil
	}
	return nil, nil
}

// addShort adds a short of clk and rst_n to the suspects if rst_n may be stuck at 0: it holds rst_n low too at each
// sample, but its simulation knows no state.
func (e *exam) addShort(r *Report) {
	if slices.ContainsFunc(r.Suspects, func(h diagnose.Hypothesis) bool { return h.String() == "rst_n=stuck0" }) {
		r.Suspects = append(r.Suspects, diagnose.MustFault(e.tile, "clk~rst_n=and"))
	}
}

// deadClock lists the faults that keep every clock edge from the chip. In a simulation the registers are then unknown.
var deadClock = []string{"clk=open", "clk=stuck0", "clk=stuck1"}

// addClock adds clk to the suspects if no edge had an effect. A chip whose clock failed during reset looks like one
// held in reset, or like one whose output is always rewound.
func (e *exam) addClock(r *Report) (*Report, error) {
	if r.Verdict != Bad && r.Outputs == nil {
		return r, nil
	}
	if frozen, err := e.frozen(); err != nil || !frozen {
		return r, err
	}
	dead := e.suspectFaults("no clock edge has an effect: clk does not reach the chip, another line stands still, or "+
		"the design is not selected, or does not work", deadClock...)
	for _, h := range dead.Suspects {
		if !slices.ContainsFunc(r.Suspects, func(o diagnose.Hypothesis) bool { return o.String() == h.String() }) {
			r.Suspects = append(r.Suspects, h)
		}
	}
	slices.SortStableFunc(r.Suspects,
		func(a, b diagnose.Hypothesis) int { return cmp.Compare(clockRank(b), clockRank(a)) })
	r.Why = dead.Why
	return r, nil
}

// clockRank returns 1 for a fault of clk, else 0.
func clockRank(h diagnose.Hypothesis) int {
	if slices.ContainsFunc(diagnose.FaultsOf(h), func(f fault.Fault) bool {
		return strings.HasPrefix(f.String(), "clk=")
	}) {
		return 1
	}
	return 0
}

// blame names the simplest wire faults, unless a fault in the chip explains as much.
func (e *exam) blame(ties []diagnose.Ranked) *Report {
	r := &Report{Verdict: Bad}
	for _, tie := range ties {
		faults := diagnose.FaultsOf(tie)
		register := func(f fault.Fault) bool { return f.Kind == fault.Register }
		if len(faults) == 0 || slices.ContainsFunc(faults, register) {
			inside := "a fault inside the chip"
			if r.Verdict == Bad && tie.Kind() == diagnose.Revision { // and no fault is among the ties so far
				inside = "a good chip of another revision"
			}
			r.Verdict, r.Why = Unclear, inside+" explains the samples at least as well as the wires do"
		} else if slices.ContainsFunc(ties, func(o diagnose.Ranked) bool {
			return o.Cost() == tie.Cost() && diagnose.Rarity(o) < diagnose.Rarity(tie)
		}) {
			continue
		}
		r.Suspects = append(r.Suspects, tie.Hypothesis)
	}
	if r.Verdict != Bad {
		return r
	}
	r.Why = blaming(r.Suspects) + " the samples"
	if rest := ties[0].Wrong; rest > 0 {
		r.Why += " but for " + printable.Count(rest, "bit") + ", by another fault or noise"
	}
	e.doubt(r)
	return r
}

// blaming returns subject and verb of the sentence on what explains the samples.
func blaming(hs []diagnose.Hypothesis) string {
	together := func(h diagnose.Hypothesis) bool { return len(diagnose.FaultsOf(h)) > 1 }
	switch {
	case !slices.ContainsFunc(hs, together):
		return "a fault in the wires explains"
	case together(hs[0]) && together(hs[len(hs)-1]):
		return "faults in the wires together explain"
	}
	return "a fault in the wires, or two together, explain"
}

func (e *exam) suspectFaults(why string, faults ...string) *Report {
	r := &Report{Verdict: Bad, Why: why}
	for _, text := range faults {
		r.Suspects = append(r.Suspects, diagnose.MustFault(e.tile, text))
	}
	return r
}
