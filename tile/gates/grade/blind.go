package grade

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Spot is the faults at one signal that the vectors do not find.
type Spot struct {
	Signal string // the author's name, without an index; "" of cells that only the tools have named
	Place  string // FILE:LINE; "" where nothing says it
	Open   [len(outcomes)]int
}

// Faults returns the number of faults that are not found, for one reason or for all.
func (s *Spot) Faults(reasons ...Outcome) (n int) {
	for _, r := range reasons {
		n += s.Open[r]
	}
	return n
}

// Reasons are the outcomes of a class that is open.
func Reasons() []Outcome { return []Outcome{Inactive, Unseen, Unclear} }

// Blind returns where the vectors find nothing, the signal with the most faults first.
func (g *Grading) Blind() []Spot {
	at := map[Spot]int{}
	var spots []Spot
	for i, f := range g.Findings {
		if !slices.Contains(Reasons(), f.Outcome) {
			continue
		}
		key := g.spot(g.Classes[i].Faults[0].Site)
		k, known := at[key]
		if !known {
			k = len(spots)
			at[key] = k
			spots = append(spots, key)
		}
		spots[k].Open[f.Outcome]++
	}
	slices.SortStableFunc(spots, func(a, b Spot) int {
		return cmp.Or(cmp.Compare(b.Faults(Reasons()...), a.Faults(Reasons()...)), cmp.Compare(a.Signal, b.Signal))
	})
	return spots
}

// made are names that tools give: those of Yosys and of place and route.
var made = regexp.MustCompile(`^$|^_\d+_$|^\$|^(net|fanout|hold|wire|max_cap|output|input|clkbuf|clknet|place)_?\w*\d`)

var index = regexp.MustCompile(`\[\d+\]$`)

// spot returns the signal and the place of a site: the name of its net, of its cell, or of the net that the cell
// drives.
func (l *List) spot(site int32) Spot {
	c := l.Design.Circuit
	s := &l.Sites[site]
	part := &c.Parts[s.Part]
	names := []string{c.Nets[s.Net], part.Name}
	for i := site + 1; int(i) < len(l.Sites) && l.Sites[i].Part == s.Part; i++ {
		names = append(names, c.Nets[l.Sites[i].Net])
	}
	spot := Spot{}
	if part.File != "" {
		spot.Place = fmt.Sprintf("%s:%d", part.File, part.Line)
	}
	for _, n := range names {
		if !made.MatchString(n) && !strings.HasPrefix(n, c.Name()+"_") {
			spot.Signal = index.ReplaceAllString(n, "")
			break
		}
	}
	return spot
}

// Describe names a fault: CELL/PIN stuck at a level, as bench run --fault cell: takes it, or what a mutation does.
func (l *List) Describe(f Fault) string {
	s, level := &l.Sites[f.Site], 0
	pin := l.Design.Circuit.Parts[s.Part].Name + "/" + s.Pin
	if f.flips {
		return l.mutation(f, pin)
	}
	if f.Level {
		level = 1
	}
	return fmt.Sprintf("%s=stuck%d", pin, level)
}
