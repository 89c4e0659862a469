package grade

import (
	"sync"

	"github.com/crillab/gophersat/solver"

	"utfbench/internal/failure"
)

// A formula is a set of clauses over variables from 1 on.
type formula struct {
	clauses [][]int
	vars    int
}

func (f *formula) add(clause ...int) { f.clauses = append(f.clauses, clause) }

// variable returns a new variable.
func (f *formula) variable() int {
	f.vars++
	return f.vars
}

// and makes variable to equal a AND b.
func (f *formula) and(a, b, to int) {
	f.add(-to, a)
	f.add(-to, b)
	f.add(to, -a, -b)
}

func (f *formula) differ(a, b int) int {
	d := f.variable()
	f.add(-d, a, b)
	f.add(-d, -a, -b)
	f.add(d, -a, b)
	f.add(d, a, -b)
	return d
}

// mostConflicts limits the conflicts in a proof.
const mostConflicts = 20_000

// one is held by a running solver: the library, gophersat 1.4.0, shares a write buffer among all solvers, so two at a
// time could prove falsehoods.
var one sync.Mutex

// impossible proves that there is no assignment; false proves nothing. The result depends only on the clauses.
func (f *formula) impossible(conflicts int) bool {
	one.Lock()
	defer one.Unlock()
	s := solver.New(solver.ParseSliceNb(f.clauses, f.vars))
	learned, solved := make(chan string), make(chan solver.Status)
	s.Certified, s.CertChan = true, learned // a certificate has a line for each conflict
	failure.Go(func() {
		status := solver.Indet
		defer func() {
			if status == solver.Indet {
				_ = recover() // from sending to the closed channel, the only way to stop a solver
			}
			solved <- status
		}()
		status = s.Solve()
	})
	for range conflicts {
		select {
		case <-learned:
		case status := <-solved:
			return status == solver.Unsat
		}
	}
	close(learned)
	return <-solved == solver.Unsat
}
