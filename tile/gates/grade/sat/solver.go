package sat

import (
	"cmp"
	"math"
)

// A Solver holds a circuit, its clauses, and a partial assignment. It is not safe for concurrent use.
type Solver struct {
	Effort int // inspections of clauses and literals so far

	gates []gate
	equal map[gate]Lit

	conflicts int // conflicts so far

	inside  []bool    // by variable: whether its gate's clauses are present
	wanted  []int32   // by variable: the last question that depends on it
	asked   int32     // number of questions so far
	clauses []Lit     // each clause: its length, its glue, and its literals
	learned []int32   // clauses, by their offset in clauses
	watches [][]watch // by literal: clauses that watch its inverse
	values  []int8    // by literal: 1 true, -1 false, 0 open
	level   []int32   // by variable
	reason  []int32   // by variable: a clause, or none
	phase   []bool    // by variable: its last value
	trail   []Lit
	starts  []int32 // index in trail at which each level starts
	head    int     // index in trail of the first literal that is not propagated
	void    bool    // the clauses contradict each other

	order  heap
	step   float64 // increment of an activity
	marked []bool  // by variable, during analysis
	limit  int     // maximum number of learned clauses
	stack  []Lit
	core   map[Lit]bool // the last question's literals that exclude each other
}

// A watch refers to a clause and one of its literals. If that literal is true, the clause holds. In a clause of two
// literals, blocker is the other one.
type watch struct {
	at      int32
	blocker Lit
	pair    bool
}

const (
	header     = 2 // numbers before a clause's literals
	firstLimit = 4000
	luby       = 100 // conflicts in the shortest run between restarts
	decay      = 0.95
	maxStep    = 1e100
	keptGlue   = 2 // clauses with literals of at most this many levels are kept
)

func (s *Solver) enter(v int32) {
	for int(v) >= len(s.inside) {
		s.inside, s.wanted = append(s.inside, false), append(s.wanted, 0)
		s.watches = append(s.watches, nil, nil)
		s.values = append(s.values, 0, 0)
		s.level, s.reason = append(s.level, 0), append(s.reason, none)
		s.phase, s.marked = append(s.phase, false), append(s.marked, false)
		s.order.enter()
	}
}

// A Result says whether the given literals can all be true.
type Result int8

// Results.
const (
	Impossible Result = iota - 1
	Unknown           // not decided within the limit
	Possible          // with the levels that Level returns
)

// Solve decides whether all given literals can be true. limit is the maximum effort; 0 is unlimited.
func (s *Solver) Solve(limit int, all ...Lit) Result {
	s.back(0)
	s.asked++
	clear(s.core)
	for _, l := range all {
		s.want(l)
	}
	if s.void || s.propagate() != none {
		s.void = true
		return Impossible
	}
	end := s.Effort + cmp.Or(limit, math.MaxInt-s.Effort)
	for run := 1; ; run++ {
		r := s.search(all, s.conflicts+luby*lubyOf(run), end)
		if r != Unknown || s.Effort >= end {
			return r
		}
		s.back(0)
		s.reduce()
	}
}

// Level returns a net's level in the assignment found by the last question, which must have been Possible. Nets that
// the question does not depend on are false.
func (s *Solver) Level(l Lit) bool { return int(l) < len(s.values) && s.values[l] > 0 }

// want adds the missing clauses of a net and of all nets that it depends on, and marks these nets.
func (s *Solver) want(l Lit) {
	s.stack = append(s.stack[:0], l)
	for len(s.stack) > 0 {
		v := int32(s.stack[len(s.stack)-1] >> 1)
		s.stack = s.stack[:len(s.stack)-1]
		s.Effort++
		s.enter(v)
		if s.wanted[v] == s.asked {
			continue
		}
		s.wanted[v] = s.asked
		if s.values[2*v] == 0 {
			s.order.push(v)
		}
		g := s.gates[v]
		if g.a == none {
			continue
		}
		s.stack = append(s.stack, g.a, g.b)
		if !s.inside[v] {
			s.inside[v] = true
			s.enter(int32(max(g.a, g.b) >> 1))
			out := Lit(2 * v)
			s.add(out.Not(), g.a)
			s.add(out.Not(), g.b)
			s.add(out, g.a.Not(), g.b.Not())
		}
	}
}

// add adds a clause of different variables, at level 0.
func (s *Solver) add(lits ...Lit) {
	var rest [3]Lit
	n := 0
	for _, l := range lits {
		switch {
		case s.values[l] > 0:
			return
		case s.values[l] == 0:
			rest[n] = l
			n++
		}
	}
	switch n {
	case 0:
		s.void = true
	case 1:
		s.assign(rest[0], none)
	default:
		s.attach(rest[:n], 0)
	}
}

// attach adds a clause of at least two literals, and watches the first two.
func (s *Solver) attach(lits []Lit, glue int) int32 {
	at := int32(len(s.clauses))
	s.clauses = append(s.clauses, Lit(len(lits)), Lit(glue))
	s.clauses = append(s.clauses, lits...)
	s.watch(at)
	return at
}

func (s *Solver) watch(at int32) {
	a, b := s.clauses[at+header], s.clauses[at+header+1]
	pair := s.clauses[at] == 2
	s.watches[a.Not()] = append(s.watches[a.Not()], watch{at, b, pair})
	s.watches[b.Not()] = append(s.watches[b.Not()], watch{at, a, pair})
}

func (s *Solver) lits(at int32) []Lit { return s.clauses[at+header : at+header+int32(s.clauses[at])] }

func (s *Solver) assign(l Lit, reason int32) {
	v := l >> 1
	s.values[l], s.values[l.Not()] = 1, -1
	s.level[v], s.reason[v] = int32(len(s.starts)), reason
	s.trail = append(s.trail, l)
}

// propagate assigns all implied literals, and returns a contradicted clause or none.
func (s *Solver) propagate() int32 {
	for s.head < len(s.trail) {
		l := s.trail[s.head]
		s.head++
		all, kept := s.watches[l], 0
		s.Effort += 1 + len(all)
		for i, w := range all {
			if s.values[w.blocker] <= 0 && !w.pair {
				lits := s.lits(w.at)
				if lits[0] == l.Not() {
					lits[0], lits[1] = lits[1], lits[0]
				}
				if w.blocker = lits[0]; s.values[w.blocker] <= 0 && s.rewatch(w.at, lits) {
					continue
				}
			}
			all[kept] = w
			kept++
			switch is := s.values[w.blocker]; {
			case is < 0:
				s.watches[l] = append(all[:kept], all[i+1:]...)
				s.head = len(s.trail)
				return w.at
			case is == 0:
				s.assign(w.blocker, w.at)
			}
		}
		s.watches[l] = all[:kept]
	}
	return none
}

// rewatch replaces the second watched literal of a clause by one that is not false, and reports whether there is one.
func (s *Solver) rewatch(at int32, lits []Lit) bool {
	for k := header; k < len(lits); k++ {
		if l := lits[k]; s.values[l] >= 0 {
			lits[1], lits[k] = l, lits[1]
			s.watches[l.Not()] = append(s.watches[l.Not()], watch{at, lits[0], false})
			return true
		}
	}
	return false
}

func (s *Solver) back(level int) {
	if level >= len(s.starts) {
		return
	}
	start := int(s.starts[level])
	for i := len(s.trail) - 1; i >= start; i-- {
		l := s.trail[i]
		v := int32(l >> 1)
		s.values[l], s.values[l.Not()] = 0, 0
		s.phase[v] = l&1 == 0
		if s.wanted[v] == s.asked {
			s.order.push(v)
		}
	}
	s.trail, s.starts, s.head = s.trail[:start], s.starts[:level], start
}

// search looks for an assignment until conflicts reach pause or Effort reaches end. The first levels hold assumptions.
func (s *Solver) search(all []Lit, pause, end int) Result {
	for {
		if wrong := s.propagate(); wrong != none {
			s.conflicts++
			if len(s.starts) == 0 {
				s.void = true
				return Impossible
			}
			s.learn(wrong)
			s.step /= decay
			continue
		}
		if s.conflicts >= pause || s.Effort >= end {
			return Unknown
		}
		next := s.decide(all)
		switch next {
		case False:
			return Impossible
		case True:
			return Possible
		}
		s.starts = append(s.starts, int32(len(s.trail)))
		s.assign(next, none)
	}
}

// decide returns the next literal to assume: True if all variables have values, False if an assumption is false.
func (s *Solver) decide(all []Lit) Lit {
	for len(s.starts) < len(all) {
		switch l := all[len(s.starts)]; {
		case s.values[l] < 0:
			s.blame(l)
			return False
		case s.values[l] == 0:
			return l
		}
		s.starts = append(s.starts, int32(len(s.trail))) // an empty level for an assumption that is already true
	}
	for {
		v := s.order.pop()
		if v < 0 {
			return True
		}
		if s.values[2*v] == 0 && s.wanted[v] == s.asked {
			if s.phase[v] {
				return Lit(2 * v)
			}
			return Lit(2*v + 1)
		}
	}
}

// Support returns the inputs that a net depends on, each as the literal that is true in the last assignment.
func (s *Solver) Support(l Lit) (inputs []Lit) {
	seen := map[int32]bool{}
	for s.stack = append(s.stack[:0], l); len(s.stack) > 0; {
		v := int32(s.stack[len(s.stack)-1] >> 1)
		s.stack = s.stack[:len(s.stack)-1]
		if g := s.gates[v]; seen[v] || v == 0 {
			continue
		} else if g.a != none {
			s.stack = append(s.stack, g.a, g.b)
		} else if is := Lit(2 * v); s.Level(is) {
			inputs = append(inputs, is)
		} else {
			inputs = append(inputs, is.Not())
		}
		seen[v] = true
		s.Effort++
	}
	return inputs
}

// Core reports whether the answer Impossible to the last question depends on one of its literals.
func (s *Solver) Core(l Lit) bool { return s.core[l] }

// blame collects the literals of the question that imply that l is false.
func (s *Solver) blame(l Lit) {
	s.core[l], s.marked[l>>1] = true, true
	for at := len(s.trail) - 1; at >= 0; at-- {
		q := s.trail[at]
		if !s.marked[q>>1] {
			continue
		}
		s.marked[q>>1] = false
		switch why := s.reason[q>>1]; {
		case s.level[q>>1] == 0:
		case why == none:
			s.core[q] = true
		default:
			for _, o := range s.lits(why) {
				s.marked[o>>1] = s.marked[o>>1] || o != q
			}
		}
	}
}

// lubyOf returns element i, from 1, of the sequence 1, 1, 2, 1, 1, 2, 4, and so on.
func lubyOf(i int) int {
	for k := 1; ; k *= 2 {
		switch {
		case i == 2*k-1:
			return k
		case i < 2*k-1:
			return lubyOf(i - k + 1)
		}
	}
}
