package sat

import (
	"cmp"
	"slices"
)

// learn adds a clause that excludes the contradiction, and backtracks to the level at which it implies a literal.
func (s *Solver) learn(wrong int32) {
	clause, back := s.analyse(wrong)
	glue := s.glue(clause)
	s.back(back)
	if len(clause) == 1 {
		s.assign(clause[0], none)
		return
	}
	at := s.attach(clause, glue)
	s.learned = append(s.learned, at)
	s.assign(clause[0], at)
}

// analyse derives a clause with only its first literal from the current level; back is the second one's level.
func (s *Solver) analyse(wrong int32) (clause []Lit, back int) {
	clause = []Lit{0}
	open, at := 0, len(s.trail)-1
	var l Lit = none
	for {
		why := s.lits(wrong)
		s.Effort += len(why)
		for _, q := range why {
			v := q >> 1
			if q == l || s.marked[v] || s.level[v] == 0 {
				continue
			}
			s.marked[v] = true
			s.bump(int32(v))
			if int(s.level[v]) == len(s.starts) {
				open++
			} else {
				clause = append(clause, q)
			}
		}
		for !s.marked[s.trail[at]>>1] {
			at--
		}
		l = s.trail[at]
		at--
		s.marked[l>>1] = false
		if open--; open == 0 {
			break
		}
		wrong = s.reason[l>>1]
	}
	clause[0] = l.Not()
	all := slices.Clone(clause[1:])
	clause = slices.DeleteFunc(clause, func(q Lit) bool { return q != clause[0] && s.implied(q) })
	for _, q := range all {
		s.marked[q>>1] = false
	}
	for i := 1; i < len(clause); i++ {
		if level := int(s.level[clause[i]>>1]); level > back {
			back = level
			clause[1], clause[i] = clause[i], clause[1]
		}
	}
	return clause, back
}

// implied reports whether the marked literals imply another literal of a clause.
func (s *Solver) implied(q Lit) bool {
	why := s.reason[q>>1]
	if why == none {
		return false
	}
	return !slices.ContainsFunc(s.lits(why), func(l Lit) bool {
		return l>>1 != q>>1 && !s.marked[l>>1] && s.level[l>>1] > 0
	})
}

// glue returns the number of different levels of a clause's literals, at most 16.
func (s *Solver) glue(clause []Lit) int {
	levels := make([]int32, 0, 16)
	for _, l := range clause {
		if at := s.level[l>>1]; !slices.Contains(levels, at) {
			if levels = append(levels, at); len(levels) == cap(levels) {
				break
			}
		}
	}
	return len(levels)
}

func (s *Solver) bump(v int32) {
	if s.order.raise(v, s.step); s.step > maxStep {
		s.order.scale(1 / maxStep)
		s.step /= maxStep
	}
}

// reduce drops, if there are many learned clauses, up to half of them, and all clauses that are true at level 0.
func (s *Solver) reduce() {
	if s.limit = max(s.limit, firstLimit); len(s.learned) < s.limit {
		return
	}
	s.limit += s.limit / 10
	slices.SortStableFunc(s.learned, func(a, b int32) int { return cmp.Compare(s.clauses[a+1], s.clauses[b+1]) })
	dropped := map[int32]bool{}
	for _, at := range s.learned[len(s.learned)/2:] {
		dropped[at] = s.clauses[at+1] > keptGlue
	}
	old := s.clauses
	s.clauses, s.learned = make([]Lit, 0, len(old)), s.learned[:0]
	for i := range s.watches {
		s.watches[i] = s.watches[i][:0]
	}
	for at := int32(0); int(at) < len(old); at += header + int32(old[at]) {
		lits := old[at+header : at+header+int32(old[at])]
		if dropped[at] || slices.ContainsFunc(lits, func(l Lit) bool { return s.values[l] > 0 }) {
			continue
		}
		// At level 0, after propagation, both watched literals of any other clause are open.
		if now := s.attach(lits, int(old[at+1])); old[at+1] > 0 {
			s.learned = append(s.learned, now)
		}
	}
	for i := range s.reason { // reasons at level 0 are never read
		s.reason[i] = none
	}
}
