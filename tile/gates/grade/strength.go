package grade

// Count returns how many classes have an outcome.
func (g *Grading) Count(of Outcome) (n int) {
	for _, f := range g.Findings {
		if f.Outcome == of {
			n++
		}
	}
	return n
}
