package untestable

import (
	"sync"

	"github.com/crillab/gophersat/solver"

	"utfbench/internal/crash"
	"utfbench/netlist"
)

// An answer is a solver's result.
type answer int

// Answers.
const (
	unknown  answer = iota // it gave up
	possible               // there is an assignment
	never                  // there is none
)

// A formula is clauses over variables from 1 on.
type formula struct {
	clauses [][]int
	vars    int
}

func (f *formula) add(clause ...int) { f.clauses = append(f.clauses, clause) }

func (f *formula) variable() int {
	f.vars++
	return f.vars
}

// and makes to the same as a AND b.
func (f *formula) and(a, b, to int) {
	f.add(-to, a)
	f.add(-to, b)
	f.add(to, -a, -b)
}

// differ returns a variable that is true where a and b differ.
func (f *formula) differ(a, b int) int {
	d := f.variable()
	f.add(-d, a, b)
	f.add(-d, -a, -b)
	f.add(d, -a, b)
	f.add(d, a, -b)
	return d
}

// A budget is how many conflicts a proof may take.
type budget int

// one is held by a running solver: the library, gophersat 1.4.0, shares a write buffer among all solvers, so two at a
// time could prove falsehoods. Nor can it be stopped: an abandoned solver blocks at its next clause, and no further one
// runs in this program.
var one struct {
	sync.Mutex
	standing bool
}

// solve searches for an assignment. The answer depends only on the clauses, unless a solver was abandoned before.
func (b budget) solve(f *formula) (answer, []bool) {
	one.Lock()
	defer one.Unlock()
	if one.standing {
		return unknown, nil
	}
	s := solver.New(solver.ParseSliceNb(f.clauses, f.vars))
	learned, solved := make(chan string), make(chan solver.Status)
	s.Certified, s.CertChan = true, learned // a certificate has a line for each conflict
	crash.Go(func() { solved <- s.Solve() })
	for range b {
		select {
		case <-learned:
		case status := <-solved:
			if status == solver.Sat {
				return possible, s.Model()
			}
			return never, nil
		}
	}
	one.standing = true
	return unknown, nil
}

// literal returns a netlist's literal in a formula with variables vars, by node; a new input gets one.
func (f *formula) literal(vars []int, l netlist.Lit) int {
	if vars[l.Node()] == 0 {
		vars[l.Node()] = f.variable()
	}
	v := vars[l.Node()]
	if l.Inverted() {
		return -v
	}
	return v
}
