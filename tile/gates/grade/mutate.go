package grade

import (
	"fmt"
	"math/rand/v2"

	"utfbench/tile/gates/sim"
)

// Mutants returns a list with n random mutations of the design as its classes: a pin stuck or inverted, always or
// while another pin of its cell has a level.
func (l *List) Mutants(n int, seed uint64) *List {
	m := &List{Design: l.Design, Sites: l.Sites, never: l.never}
	rng := rand.New(rand.NewPCG(seed, 3))
	met := map[Fault]bool{}
	for tries := 0; len(m.Classes) < n && tries < mostTries*n && len(l.Sites) > 0; tries++ {
		f := l.mutant(rng)
		if f.by != sim.Open && !met[f] {
			met[f] = true
			m.Classes = append(m.Classes, Class{Faults: []Fault{f}})
		}
	}
	return m
}

// All returns all classes.
func (l *List) All() []int32 {
	all := make([]int32, len(l.Classes))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// mostTries is the maximum number of draws per mutation: not every pin has every kind.
const mostTries = 50

// mutant draws a mutation. by is an open net if the drawn pin has none of that kind.
func (l *List) mutant(rng *rand.Rand) Fault {
	i := rng.IntN(len(l.Sites))
	f := Fault{Site: int32(i), Level: rng.IntN(2) == 0}
	s := &l.Sites[i]
	switch kind := rng.IntN(5); {
	case kind < 2:
		return f
	case l.shapes(s): // an inverted clock or tristate driver makes another circuit
		f.by = sim.Open
		return f
	case kind == 2:
		return Inversion(f.Site)
	}
	f.flips, f.by = true, l.beside(rng, i)
	return f
}

// Inversion returns the mutation that always inverts a site.
func Inversion(site int32) Fault { return Fault{Site: site, Level: true, flips: true, by: sim.One} }

// shapes reports whether a site is a control of state or belongs to a tristate driver.
func (l *List) shapes(s *Site) bool {
	for _, u := range s.uses {
		k := l.Design.Circuit.Cells[u.cell].Kind
		if k == sim.Tri || k == sim.Latch || k == sim.Flop && !s.Out && u.operand > 0 {
			return true
		}
	}
	return false
}

// beside returns the net of another input of the cell, or Open.
func (l *List) beside(rng *rand.Rand, site int) sim.Net {
	var nets []sim.Net
	for _, s := range l.cellOf(site) {
		if !s.Out && s.Net != l.Sites[site].Net && s.Net > sim.One && !l.shapes(&s) {
			nets = append(nets, s.Net)
		}
	}
	if len(nets) == 0 {
		return sim.Open
	}
	return nets[rng.IntN(len(nets))]
}

func (l *List) cellOf(site int) []Site {
	part, first, last := l.Sites[site].Part, site, site
	for first > 0 && l.Sites[first-1].Part == part {
		first--
	}
	for last < len(l.Sites) && l.Sites[last].Part == part {
		last++
	}
	return l.Sites[first:last]
}

// flip inverts a site while a condition holds and the other pin has its level.
func (j *injection) flip(f Fault, when sim.Net) {
	if f.by > sim.One {
		by := f.by
		if !f.Level {
			by = j.c.Gate(sim.Not, by)
		}
		when = j.c.Gate(sim.And, when, by)
	}
	j.replace(f, func(n sim.Net, _ bool) sim.Net { return j.c.Gate(sim.Xor, n, when) })
}

// replace replaces a site's level, which may be inverted where it is used.
func (j *injection) replace(f Fault, by func(n sim.Net, inverted bool) sim.Net) {
	for _, u := range j.sites[f.Site].uses {
		if !j.sites[f.Site].Out {
			level := by(j.c.Cells[u.cell].In[u.operand], u.inverted)
			j.c.Cells[u.cell].In[u.operand] = level
			continue
		}
		out, alone := j.c.Cells[u.cell].Out, j.c.Net("")
		j.c.Cells[u.cell].Out = alone
		j.c.Add(sim.Buf, out, by(alone, false))
	}
}

// mutation describes a mutation.
func (l *List) mutation(f Fault) string {
	switch {
	case f.by == sim.One:
		return "inverted"
	case f.Level:
		return fmt.Sprintf("inverted while %s is 1", l.netName(f.by))
	}
	return fmt.Sprintf("inverted while %s is 0", l.netName(f.by))
}

func (l *List) netName(n sim.Net) string {
	if name := l.Design.Circuit.Nets[n]; name != "" {
		return name
	}
	return fmt.Sprint("net ", n)
}
