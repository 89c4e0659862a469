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

// Showing returns the graded vectors that are the first to show a fault, each up to the last such step.
func (g *Grading) Showing(vectors []Vector) (all []Vector) {
	last := make([]int, len(vectors))
	for _, f := range g.Findings {
		if f.Outcome == Found {
			last[f.Vector] = max(last[f.Vector], f.Step+1)
		}
	}
	for i, v := range vectors {
		if n := last[i]; n > 0 {
			all = append(all, Vector{Name: v.Name, Steps: v.Steps[:n], Want: v.Want[:n]})
		}
	}
	return all
}
