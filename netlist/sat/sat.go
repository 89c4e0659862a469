// Package sat asks a solver about clauses.
package sat

import (
	"sync"

	"github.com/crillab/gophersat/solver"

	"utfbench/internal/crash"
)

// An Answer is a solver's result.
type Answer int

// Answers.
const (
	Unknown  Answer = iota // it gave up
	Possible               // there is an assignment
	Never                  // there is none
)

// A Formula is clauses over variables from 1 on.
type Formula struct {
	Clauses [][]int
	Vars    int
}

// Add adds a clause.
func (f *Formula) Add(clause ...int) { f.Clauses = append(f.Clauses, clause) }

// Variable returns a new variable.
func (f *Formula) Variable() int {
	f.Vars++
	return f.Vars
}

// And makes to the same as a AND b.
func (f *Formula) And(a, b, to int) {
	f.Add(-to, a)
	f.Add(-to, b)
	f.Add(to, -a, -b)
}

// Differ returns a variable that is true where a and b differ.
func (f *Formula) Differ(a, b int) int {
	d := f.Variable()
	f.Add(-d, a, b)
	f.Add(-d, -a, -b)
	f.Add(d, -a, b)
	f.Add(d, a, -b)
	return d
}

// A Budget is how many conflicts a proof may take.
type Budget int

// one is held by a running solver: the library, gophersat 1.4.0, shares a write buffer among all solvers, so two at a
// time could prove falsehoods. Nor can it be stopped: an abandoned solver blocks at its next clause, and no further one
// runs in this program.
var one struct {
	sync.Mutex
	standing bool
}

// Solve searches for an assignment. The answer depends only on the clauses, unless a solver was abandoned before.
func (b Budget) Solve(f *Formula) (Answer, []bool) {
	one.Lock()
	defer one.Unlock()
	if one.standing {
		return Unknown, nil
	}
	s := solver.New(solver.ParseSliceNb(f.Clauses, f.Vars))
	learned, solved := make(chan string), make(chan solver.Status)
	s.Certified, s.CertChan = true, learned // a certificate has a line for each conflict
	crash.Go(func() { solved <- s.Solve() })
	for range b {
		select {
		case <-learned:
		case status := <-solved:
			if status == solver.Sat {
				return Possible, s.Model()
			}
			return Never, nil
		}
	}
	one.standing = true
	return Unknown, nil
}
