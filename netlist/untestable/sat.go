package untestable

import (
	"sync"

	"github.com/crillab/gophersat/solver"

	"utfbench/internal/crash"
	"utfbench/netlist"
)

// An answer is what a solver says of clauses.
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

// differ is a variable that is true where a and b are not the same.
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

// one is held by a solver that runs: the library, gophersat 1.4.0, has a buffer that all solvers of a program write
// to, and two at a time could prove what is not so. Nor can it stop a solver. So one that gives up is left standing
// where it tells of its next clause, and nothing is asked after it until the program ends.
var one struct {
	sync.Mutex
	standing bool
}

// solve asks for an assignment. The answer depends on the clauses alone, unless a solver has given up before.
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

// literal is that of a netlist in a formula whose variables are in vars, by node; an input that was not met has none
// yet.
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
