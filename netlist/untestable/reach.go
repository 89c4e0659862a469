package untestable

import (
	"context"
	"slices"

	"utfbench/netlist"
	"utfbench/netlist/sat"
	"utfbench/netlist/stuckat"
	"utfbench/transport"
)

// mostQuestions limits the solver's runs about states, some milliseconds each: a few for each class at first, more once
// other classes have taught something.
const mostQuestions = 6000

var questionsOfClass = []int{12, 60, 300}

// A reach learns in which states a chip never is once it did the first step of the vectors. A clause of it says of some
// flip-flops that they never hold these bits at once, and is proved by induction: the first step leads from any state
// to one that it allows, and any step from those that all clauses allow to such a one.
//
// A clause is guessed from states that were met in simulation. A wrong guess costs time, and proves nothing.
type reach struct {
	*prover
	ctx     context.Context
	first   transport.Step
	never   []cube // proved
	guesses []cube
	met     seen
	step    question // any step from any state
	begun   question // the first one
	left    int      // questions
	allowed int      // of these, for a class
}

// A question is a formula that others are made of.
type question struct {
	formula *sat.Formula
	vars    []int
}

// more returns an extensible copy of the question.
func (q question) more() *sat.Formula {
	return &sat.Formula{Clauses: slices.Clip(q.formula.Clauses), Vars: q.formula.Vars}
}

// A Start describes how vectors begin: all with the same step, which has a clock. States are samples of the state after
// it, as stuckat.States has them; more of them mean fewer wrong guesses.
type Start struct {
	First  transport.Step
	States [][]uint64
}

// ProveAfter says which of some classes are untestable by vectors that begin so: in no state that the chip gets into
// does a line or a flip-flop differ, and at the first step the fault changes nothing that flip-flops take. It proves
// more than Prove does, and takes longer. The error is ctx's.
func ProveAfter(ctx context.Context, n *netlist.Netlist, classes []stuckat.Class, s Start) ([]bool, error) {
	proved := make([]bool, len(classes))
	r := newReach(ctx, n, s)
	for _, most := range questionsOfClass {
		for i, c := range classes {
			if !proved[i] {
				proved[i] = r.proves(c[0].Change(), most)
			}
		}
	}
	return proved, ctx.Err()
}

func newReach(ctx context.Context, n *netlist.Netlist, s Start) *reach {
	r := &reach{prover: newProver(n), ctx: ctx, first: s.First, met: seen{columns: make([][]uint64, len(n.Flops))},
		left: mostQuestions}
	for _, s := range s.States {
		r.met.add(func(flop int) bool { return s[flop/64]>>(flop%64)&1 != 0 })
	}
	gates := slices.Repeat([]bool{true}, len(n.Gates))
	for _, q := range []*question{&r.step, &r.begun} {
		q.formula = new(sat.Formula)
		q.vars = r.encode(q.formula, gates)
		for _, f := range n.Flops {
			for _, net := range []int{f.State, f.Next, f.Held} {
				literal(q.formula, q.vars, n.Lits[net])
			}
		}
	}
	r.begin(r.begun.formula, r.begun.vars)
	return r
}

// begin has the inputs of the first step in a formula.
func (r *reach) begin(f *sat.Formula, vars []int) {
	is := func(net int, level bool) {
		l := literal(f, vars, netlist.Lit(2*net))
		if !level {
			l = -l
		}
		f.Add(l)
	}
	in, s := &r.n.In, r.first
	is(in.RstN, !s.Reset)
	for i := range 8 {
		drives := s.Drive>>i&1 != 0
		is(in.UI[i], s.In>>i&1 != 0)
		is(in.Drive[i], drives)
		if drives {
			is(in.Wire[i], s.IO>>i&1 != 0)
		}
	}
}

// proves reports whether a fault leaves no trace, with at most this many questions.
func (r *reach) proves(c stuckat.Change, most int) bool {
	r.guesses, r.allowed = nil, most
	f, vars := r.formula(c, r.next())
	r.begin(f, vars)
	if answer, _ := r.ask(f); answer != sat.Never {
		return false
	}
	for {
		f, vars := r.formula(c, r.watched())
		r.assume(f, vars)
		answer, model := r.ask(f)
		switch {
		case answer == sat.Unknown, answer == sat.Possible && !r.guess(r.state(vars, model)):
			return false
		case answer == sat.Never && r.settle():
			return true
		}
	}
}

// guess takes a part of a cube for one that the chip is never in, if nothing speaks against it.
func (r *reach) guess(c cube) bool {
	part := r.met.separate(c)
	if part != nil {
		r.guesses = append(r.guesses, part)
	}
	return part != nil
}

// next returns the input nets of flip-flops.
func (r *reach) next() (nets []int) {
	for _, f := range r.n.Flops {
		nets = append(nets, f.Next)
	}
	return nets
}

// ask runs the solver, within the budget.
func (r *reach) ask(f *sat.Formula) (sat.Answer, []bool) {
	if r.allowed == 0 || r.left == 0 || r.ctx.Err() != nil {
		return sat.Unknown, nil
	}
	r.allowed, r.left = r.allowed-1, r.left-1
	return r.budget.Solve(f)
}

// assume has a state that is allowed.
func (r *reach) assume(f *sat.Formula, vars []int) {
	for _, c := range slices.Concat(r.never, r.guesses) {
		r.forbid(f, vars, c)
	}
}

// forbid has a state that is not in a cube.
func (r *reach) forbid(f *sat.Formula, vars []int, c cube) {
	clause := make([]int, len(c))
	for i, l := range c {
		clause[i] = -r.bit(f, vars, l, func(f *netlist.Flop) int { return f.State })
	}
	f.Add(clause...)
}

// bit returns a cube's literal in a formula: the bit that a flip-flop holds, takes or keeps.
func (r *reach) bit(f *sat.Formula, vars []int, l int, of func(*netlist.Flop) int) int {
	v := literal(f, vars, r.n.Lits[of(&r.n.Flops[max(l, -l)-1])])
	if l < 0 {
		return -v
	}
	return v
}

// state returns the state in a solver's model, as far as the formula has it.
func (r *reach) state(vars []int, model []bool) (c cube) {
	for i := range r.n.Flops {
		switch v := vars[r.n.Flops[i].State]; {
		case v == 0 || v > len(model):
		case model[v-1]:
			c = append(c, i+1)
		default:
			c = append(c, -i-1)
		}
	}
	return c
}

// A flip-flop's inputs at a clock, and after levels have settled.
func takes(f *netlist.Flop) int { return f.Next }
func keeps(f *netlist.Flop) int { return f.Held }

// settle proves all guesses together. If a step leads into one of their cubes, the state that it leads from is guessed
// to be another one that the chip is never in; if that cannot be, guesses are given up, and it is false.
func (r *reach) settle() bool {
	for {
		from, to, answer := r.broken()
		switch {
		case answer == sat.Never:
			r.never, r.guesses = append(r.never, r.guesses...), nil
			return true
		case answer == sat.Unknown:
			r.guesses = nil
			return false
		case from != nil && r.guess(from):
			continue
		}
		r.met.add(to)
		r.guesses = slices.DeleteFunc(r.guesses, func(c cube) bool {
			return !slices.ContainsFunc(c, func(l int) bool { return to(max(l, -l)-1) != (l > 0) })
		})
		return false
	}
}

// broken returns a step into the cube of a guess, from an allowed state, or from any (nil) as the first.
func (r *reach) broken() (from cube, to func(flop int) bool, is sat.Answer) {
	for k, by := range []struct {
		question
		of func(*netlist.Flop) int
	}{{r.begun, takes}, {r.step, takes}, {r.step, keeps}} {
		f := by.more()
		if k > 0 {
			r.assume(f, by.vars)
		}
		var any []int
		for _, c := range r.guesses {
			into := f.Variable()
			any = append(any, into)
			for _, l := range c {
				f.Add(-into, r.bit(f, by.vars, l, by.of))
			}
		}
		f.Add(any...)
		answer, model := r.ask(f)
		if answer == sat.Never {
			continue
		}
		if answer == sat.Possible && k > 0 {
			from = r.state(by.vars, model)
		}
		return from, func(flop int) bool {
			l := r.bit(f, by.vars, flop+1, by.of)
			return model[max(l, -l)-1] == (l > 0)
		}, answer
	}
	return nil, nil, sat.Never
}
