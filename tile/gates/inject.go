package gates

import (
	"slices"

	"utfbench/tile/gates/sim"
)

const lanes = 64 // vectors of a machine

// An injection holds up to 64 faults in a copy of the circuit, each in its own vector.
type injection struct {
	c      *sim.Circuit
	sites  []FaultSite
	forces []sim.Force
	at     map[point]int // index into forces
}

// A point is the place of a force: an input of a primitive or, as operand -1, a site's output.
type point struct {
	site    int32
	cell    int32
	operand int8
}

// Inject returns the design with a fault in each of len(faults) vectors, repeated in as many further groups as fit.
func (l *FaultList) Inject(faults []StuckAt) (*Design, error) {
	c := *l.Design.Circuit
	c.Cells, c.Nets = slices.Clone(c.Cells), slices.Clip(c.Nets)
	j := injection{c: &c, sites: l.Sites, at: map[point]int{}}
	for i, f := range faults {
		vectors := uint64(0)
		for lane := i; lane <= i+lanes-len(faults); lane += len(faults) {
			vectors |= 1 << lane
		}
		for _, u := range l.Sites[f.Site].Uses {
			j.use(u, f, vectors)
		}
	}
	return l.Design.WithForces(j.c, j.forces)
}

func (j *injection) use(u SiteUse, f StuckAt, vector uint64) {
	cell := &j.c.Cells[u.Cell]
	switch {
	case !j.sites[f.Site].Out:
		j.input(point{f.Site, u.Cell, u.Operand}, f.Level != u.Inverted, vector)
	case cell.Kind == sim.Tri: // its enable is forced, so it always drives
		j.input(point{f.Site, u.Cell, 0}, f.Level, vector)
		j.input(point{f.Site, u.Cell, 1}, true, vector)
	default:
		p := point{f.Site, 0, -1}
		k, made := j.at[p]
		if !made {
			k = j.add(p, j.c.Net(""), cell.Out)
			cell.Out = j.forces[k].In
		}
		j.keep(k, f.Level, vector)
	}
}

func (j *injection) input(p point, level bool, vector uint64) {
	k, made := j.at[p]
	if !made {
		in := &j.c.Cells[p.cell].In[p.operand]
		k = j.add(p, *in, j.c.Net(""))
		*in = j.forces[k].Out
	}
	j.keep(k, level, vector)
}

// add adds a force that is not yet active in any vector.
func (j *injection) add(p point, in, out sim.Net) int {
	j.forces = append(j.forces, sim.Force{In: in, Out: out})
	j.at[p] = len(j.forces) - 1
	return j.at[p]
}

func (j *injection) keep(force int, level bool, vector uint64) {
	f := &j.forces[force]
	if level {
		f.High |= vector
	} else {
		f.Low |= vector
	}
}
