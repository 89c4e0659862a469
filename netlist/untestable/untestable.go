// Package untestable proves of stuck-at faults that no test can find them, with a SAT solver.
//
// # What is proved
//
// A fault that no vector found may be one that no vector can find: what it changes is hidden by other gates. Its
// formula holds the netlist twice, with the fault and without, with the same inputs and the same state, and asks for an
// assignment for which a flip-flop takes another bit or a line shows another level. If there is none the fault never
// leaves a trace, whatever is done to the chip, and it is untestable. The state is any, and so are the levels of lines
// that nobody drives.
//
// Some faults change something in states alone that the chip never gets into. ProveAfter takes only those states that
// the chip may get into after a reset: see reach.
//
// What the solver does not decide within its limit is left open, and so is a fault for which there is an assignment:
// it changes something in some state, and it is not said that it can ever be seen.
package untestable

import (
	"context"

	"utfbench/netlist"
	"utfbench/netlist/sat"
	"utfbench/netlist/stuckat"
)

// MostConflicts is how many conflicts a proof may take. After one that took more no others are tried.
const MostConflicts = 20_000

// Prove reports which classes are untestable. The solver runs only if random levels give no counterexample. The error
// is ctx's.
func Prove(ctx context.Context, n *netlist.Netlist, classes []stuckat.Class) ([]bool, error) {
	act, err := stuckat.ActByChance(ctx, n, classes)
	if err != nil {
		return nil, err
	}
	p := newProver(n)
	proved := make([]bool, len(classes))
	for i, c := range classes {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if act[i] {
			continue
		}
		f, _ := p.formula(c[0].Change(), p.watched())
		answer, _ := p.budget.Solve(f)
		proved[i] = answer == sat.Never
	}
	return proved, nil
}

// A prover makes formulas of a netlist and its faults.
type prover struct {
	n       *netlist.Netlist
	budget  sat.Budget
	readers [][]int // of a net: gates
	driver  []int   // of a net: its gate, or none
}

const none = -1

func newProver(n *netlist.Netlist) *prover {
	p := &prover{n: n, budget: MostConflicts, readers: make([][]int, len(n.Nets)),
		driver: make([]int, len(n.Nets))}
	for i := range p.driver {
		p.driver[i] = none
	}
	for i, g := range n.Gates {
		for _, net := range g.In {
			p.readers[net] = append(p.readers[net], i)
		}
		for _, net := range g.Out {
			p.driver[net] = i
		}
	}
	return p
}

// formula asks for an assignment for which a fault changes one of some nets, or the contents of a flip-flop without a
// clock. It returns each fault-free node's variable.
func (p *prover) formula(c stuckat.Change, watched []int) (*sat.Formula, []int) {
	f := new(sat.Formula)
	changed := p.reached(c)
	good := p.encode(f, p.needed(changed, c))
	faulty := append([]int(nil), good...)
	differs := p.differences(f, changed, c, good, faulty)
	var any []int
	for _, net := range watched {
		if d := differs[net]; d != 0 {
			any = append(any, d)
		}
	}
	for _, i := range c.Hold {
		flop := &p.n.Flops[i]
		any = append(any, f.Differ(literal(f, good, p.n.Lits[flop.Next]), literal(f, good, p.n.Lits[flop.State])))
	}
	f.Add(any...)
	return f, good
}

// differences gives the gates that a fault may change to a formula once more, as they are with the fault, and for each
// net that they drive a variable that is true where it shows something else. It says more than it has to, which makes
// the solver fast: something differs where the fault is, and a gate differs only if something that it reads does.
func (p *prover) differences(f *sat.Formula, changed []bool, c stuckat.Change, good, faulty []int) map[int]int {
	differs := map[int]int{}
	var begins []int
	for i, is := range changed {
		if !is {
			continue
		}
		g := &p.n.Gates[i]
		p.gate(f, faulty, i, c.Ops[i])
		var reads []int
		for _, net := range g.In {
			if d := differs[net]; d != 0 {
				reads = append(reads, d)
			}
		}
		for _, net := range g.Out {
			l := p.n.Lits[net]
			d := f.Differ(literal(f, good, l), literal(f, faulty, l))
			differs[net] = d
			if c.Ops[i] != nil {
				begins = append(begins, d)
			} else {
				f.Add(append([]int{-d}, reads...)...)
			}
		}
	}
	if len(begins) > 0 {
		f.Add(begins...)
	}
	return differs
}

// watched returns the nets at which a fault leaves a trace.
func (p *prover) watched() []int {
	all := append([]int(nil), p.n.Out[:]...)
	for _, f := range p.n.Flops {
		all = append(all, f.Next)
		if f.Held != f.State {
			all = append(all, f.Held)
		}
	}
	return all
}

// reached returns the gates that a fault may change.
func (p *prover) reached(c stuckat.Change) []bool {
	is := make([]bool, len(p.n.Gates))
	for i := range p.n.Gates { // in their order, so that what a gate reads is known
		if _, own := c.Ops[i]; own {
			is[i] = true
		}
		if !is[i] {
			continue
		}
		for _, net := range p.n.Gates[i].Out {
			for _, r := range p.readers[net] {
				is[r] = true
			}
		}
	}
	return is
}

// needed returns these gates and all that they depend on.
func (p *prover) needed(changed []bool, c stuckat.Change) []bool {
	is := append([]bool(nil), changed...)
	for _, i := range c.Hold {
		if d := p.driver[p.n.Flops[i].Next]; d != none {
			is[d] = true
		}
	}
	for i := len(is) - 1; i >= 0; i-- {
		if !is[i] {
			continue
		}
		for _, net := range p.n.Gates[i].In {
			if d := p.driver[net]; d != none {
				is[d] = true
			}
		}
	}
	return is
}

// encode gives some gates of the netlist to a formula, and the variable of each node: all inputs and all of the state
// are free.
func (p *prover) encode(f *sat.Formula, gates []bool) []int {
	vars := make([]int, p.n.Nodes)
	for _, net := range []int{0, p.n.In.Clk, p.n.In.Ena} {
		vars[net] = f.Variable()
	}
	f.Add(-vars[0])
	f.Add(-vars[p.n.In.Clk])
	f.Add(vars[p.n.In.Ena])
	for i, is := range gates {
		if is {
			p.gate(f, vars, i, nil)
		}
	}
	return vars
}

// gate adds a gate to a formula, with new variables for its results; ops replaces its operations, if not nil.
func (p *prover) gate(f *sat.Formula, vars []int, gate int, ops []netlist.Op) {
	g := &p.n.Gates[gate]
	if ops == nil {
		ops = p.n.Ops[g.Ops.From:g.Ops.To]
	}
	for _, o := range ops {
		a, b := literal(f, vars, o.A), literal(f, vars, o.B)
		vars[o.To] = f.Variable()
		f.And(a, b, vars[o.To])
	}
}

// literal returns a netlist's literal in a formula with variables vars, by node; a new input gets one.
func literal(f *sat.Formula, vars []int, l netlist.Lit) int {
	if vars[l.Node()] == 0 {
		vars[l.Node()] = f.Variable()
	}
	v := vars[l.Node()]
	if l.Inverted() {
		return -v
	}
	return v
}
