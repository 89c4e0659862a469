package grade

import (
	"fmt"
	"math/rand/v2"

	"utfbench/tile/gates/sim"
)

// A Short determines the levels of two bridged nets if their drivers disagree.
type Short uint8

// Shorts. The zero value is no bridge.
const (
	WiredAND Short = 1 + iota // both are low
	WiredOR                   // both are high
	Dominant                  // the site follows the other one, whose driver is stronger
)

// Shorts lists the kinds.
func Shorts() []Short { return []Short{WiredAND, WiredOR, Dominant} }

// A Bridger makes bridges of a list's nets.
type Bridger struct {
	l       *List
	drivers *sim.Drivers
	site    []int32 // the site that is a net's only driver, by net; -1 if there is none
	behind  map[sim.Net][]bool
}

// NewBridger returns a Bridger for the list.
func (l *List) NewBridger() *Bridger {
	c := l.Design.Circuit
	b := &Bridger{l: l, drivers: c.Drivers(), site: make([]int32, len(c.Nets)), behind: map[sim.Net][]bool{}}
	for i := range b.site {
		b.site[i] = -1
	}
	for i := range l.Sites {
		if s := &l.Sites[i]; s.Out && len(b.drivers.Of[s.Net]) == 1 && c.Cells[s.uses[0].cell].Kind != sim.Tri {
			b.site[s.Net] = int32(i)
		}
	}
	return b
}

// Sites returns the sites whose nets can be bridged: each is its net's only driver.
func (b *Bridger) Sites() (sites []int32) {
	for _, s := range b.site {
		if s >= 0 {
			sites = append(sites, s)
		}
	}
	return sites
}

// Bridge returns the fault that joins the nets of two sites. ok is false if a net would then depend on itself without
// state in between.
func (b *Bridger) Bridge(site, other int32, short Short) (f Fault, ok bool) {
	n, m := b.l.Sites[site].Net, b.l.Sites[other].Net
	if n == m || b.cone(m)[n] || short != Dominant && b.cone(n)[m] {
		return f, false
	}
	return Fault{Site: site, other: other, short: short}, true
}

// Bridges returns a list with up to n random bridges as its classes. They join nets that meet at a cell, which are
// likely to be neighbors on the chip.
func (l *List) Bridges(n int, seed uint64) *List {
	all := &List{Design: l.Design, Sites: l.Sites, never: l.never}
	b, rng, met := l.NewBridger(), rand.New(rand.NewPCG(seed, 4)), map[Fault]bool{}
	for tries := 0; len(all.Classes) < n && tries < mostTries*n && len(l.Sites) > 0; tries++ {
		at := rng.IntN(len(l.Sites))
		cell, short := l.cellOf(at), Shorts()[rng.IntN(len(Shorts()))]
		one, other := b.site[l.Sites[at].Net], b.site[cell[rng.IntN(len(cell))].Net]
		if one < 0 || other < 0 {
			continue
		}
		if f, ok := b.Bridge(one, other, short); ok && !met[f] {
			met[f] = true
			all.Classes = append(all.Classes, Class{Faults: []Fault{f}})
		}
	}
	return all
}

// cone returns the nets that a net depends on without state in between, and the net itself.
func (b *Bridger) cone(n sim.Net) []bool {
	if b.behind[n] == nil {
		b.behind[n] = b.drivers.Behind(false, n)
	}
	return b.behind[n]
}

// bridge joins the nets of two sites, in all vectors.
func (j *injection) bridge(f Fault) {
	n, m := j.sites[f.Site].Net, j.sites[f.other].Net
	a := j.stem(f.Site)
	switch f.short {
	case WiredAND:
		j.c.Add(sim.And, n, a, j.stem(f.other))
	case WiredOR:
		j.c.Add(sim.Or, n, a, j.stem(f.other))
	default:
		j.c.Add(sim.Buf, n, m)
		return
	}
	j.c.Add(sim.Buf, m, n)
}

// stem disconnects the driver of a site from its net, and returns its new net.
func (j *injection) stem(site int32) sim.Net {
	cell := &j.c.Cells[j.sites[site].uses[0].cell]
	cell.Out = j.c.Net("")
	return cell.Out
}

// With returns the other site of a bridge; ok is false for other faults.
func (f Fault) With() (site int32, ok bool) { return f.other, f.short != 0 }

// bridged describes a bridge by its nets.
func (l *List) bridged(f Fault) string {
	other := l.netName(l.Sites[f.other].Net)
	return fmt.Sprintf("bridged with %s%s", other, [...]string{WiredAND: ", wired AND", WiredOR: ", wired OR",
		Dominant: ", which dominates"}[f.short])
}
