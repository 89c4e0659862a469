package cells

import (
	"context"
	"fmt"
	"io"
	"slices"

	"utfbench/netlist"
	"utfbench/netlist/stuckat"
)

// A Smoke is a list of vectors that find as much as all of them.
type Smoke struct {
	Names []string
	Steps int
	Found Counts // classes and faults that they find
}

// Shortest searches for the list with the fewest steps that finds what all vectors find. The vectors in kept stay, so
// that one list can serve several netlists. It is a heuristic: finding the shortest is hard. The error is as for
// Measure.
func Shortest(ctx context.Context, n *netlist.Netlist, vectors []stuckat.Vector, kept []string) (*Smoke, error) {
	classes := stuckat.Classes(n)
	findings, err := stuckat.Simulate(ctx, n, classes, vectors)
	if err != nil {
		return nil, err
	}
	some := finders(vectors, findings, kept)
	matrix, err := stuckat.Matrix(ctx, n, classes, some)
	if err != nil {
		return nil, err
	}
	c := &cover{vectors: some, shows: make([][]uint64, len(some)), taken: make([]bool, len(some))}
	for v := range some {
		c.shows[v] = make([]uint64, len(classes)*2/64+1)
		for i := range classes {
			for p := range 2 {
				if matrix[i].Shows(p, v) {
					c.shows[v][(2*i+p)/64] |= 1 << ((2*i + p) % 64)
				}
			}
		}
		c.taken[v] = slices.Contains(kept, some[v].Name)
	}
	c.choose()
	c.drop(kept)
	return c.list(classes, findings, kept), nil
}

// finders returns the vectors in which some class was found, and those kept.
func finders(vectors []stuckat.Vector, findings []stuckat.Finding, kept []string) (some []stuckat.Vector) {
	is := make([]bool, len(vectors))
	for _, f := range findings {
		for _, places := range f.Found {
			for _, at := range places {
				if at != stuckat.Nowhere {
					is[at.Vector] = true
				}
			}
		}
	}
	for i, v := range vectors {
		if is[i] || slices.Contains(kept, v.Name) {
			some = append(some, v)
		}
	}
	return some
}

// A cover chooses vectors until each class that some vector shows, from a power-up, is shown by one that is taken.
type cover struct {
	vectors []stuckat.Vector
	shows   [][]uint64 // by vector: a bit for each class and power-up
	taken   []bool
}

// choose takes the vector that shows most that is new, for its steps, again and again.
func (c *cover) choose() {
	left := make([]uint64, len(c.shows[0]))
	for v := range c.vectors {
		for k, x := range c.shows[v] {
			left[k] |= x
		}
	}
	for v, taken := range c.taken {
		if taken {
			without(left, c.shows[v])
		}
	}
	for {
		best, most := -1, 0.0
		for v := range c.vectors {
			if c.taken[v] {
				continue
			}
			if worth := float64(common(left, c.shows[v])) / float64(len(c.vectors[v].Steps)); worth > most {
				best, most = v, worth
			}
		}
		if best < 0 {
			return
		}
		c.taken[best] = true
		without(left, c.shows[best])
	}
}

// drop removes redundant vectors, the longest first.
func (c *cover) drop(kept []string) {
	times := map[int]int{} // how many of the taken vectors show a bit
	for v, taken := range c.taken {
		if taken {
			bitsOf(c.shows[v], func(bit int) bool { times[bit]++; return true })
		}
	}
	order := make([]int, len(c.vectors))
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(c.vectors[b].Steps) - len(c.vectors[a].Steps) })
	for _, v := range order {
		if !c.taken[v] || slices.Contains(kept, c.vectors[v].Name) {
			continue
		}
		if c.taken[v] = !bitsOf(c.shows[v], func(bit int) bool { return times[bit] > 1 }); !c.taken[v] {
			bitsOf(c.shows[v], func(bit int) bool { times[bit]--; return true })
		}
	}
}

// list returns the chosen vectors in the order of the suites. Kept vectors of another revision come first, and their
// steps are not counted.
func (c *cover) list(classes []stuckat.Class, findings []stuckat.Finding, kept []string) *Smoke {
	s := new(Smoke)
	here := map[string]bool{}
	for _, v := range c.vectors {
		here[v.Name] = true
	}
	for _, name := range kept {
		if !here[name] {
			s.Names = append(s.Names, name)
		}
	}
	for v, taken := range c.taken {
		if taken {
			s.Names = append(s.Names, c.vectors[v].Name)
			s.Steps += len(c.vectors[v].Steps)
		}
	}
	for i, class := range classes {
		if findings[i].Anywhere() {
			s.Found.add(class)
		}
	}
	return s
}

// Write writes the list, a name a line, with a description in comments.
func (s *Smoke) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "# %d vectors that find all stuck-at faults of the tile's cells that any vector finds.\n",
		len(s.Names))
	for _, name := range s.Names {
		if err == nil {
			_, err = fmt.Fprintln(w, name)
		}
	}
	return err
}
