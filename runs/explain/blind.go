package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/printable"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/tile/gates/sim"
)

// A blindSpot is a signal with undetected faults.
type blindSpot struct {
	Signal   string `json:"signal,omitempty"` // the author's name without an index, of a net or of the next named one
	Source   string `json:"source,omitempty"` // FILE:LINE
	Inactive int    `json:"never_activated"`
	Unseen   int    `json:"never_seen"`
	Unknown  int    `json:"unknown"`
}

// blindSpots returns the signals with undetected faults, in decreasing order of their number.
func blindSpots(g *grade.Grading) []blindSpot {
	at, places, spots := map[string]int{}, map[string]bool{}, []blindSpot{}
	names := authorNames(g.Design.Circuit)
	for _, i := range g.UndetectedClasses() {
		signal, place := signalOf(g.FaultList, names, g.Classes[i].Faults[0].Site)
		k, known := at[signal]
		if !known {
			k = len(spots)
			at[signal] = k
			spots = append(spots, blindSpot{Signal: signal})
		}
		s := &spots[k]
		switch g.Findings[i].Outcome {
		case grade.Inactive:
			s.Inactive++
		case grade.Unseen:
			s.Unseen++
		case grade.Unclear:
			s.Unknown++
		}
		if of := signal + " " + place; place != "" && !places[of] {
			places[of] = true
			s.Source = strings.TrimPrefix(s.Source+", "+place, ", ")
		}
	}
	total := func(s blindSpot) int { return s.Inactive + s.Unseen + s.Unknown }
	slices.SortStableFunc(spots, func(a, b blindSpot) int {
		return cmp.Or(cmp.Compare(total(b), total(a)), cmp.Compare(a.Signal, b.Signal))
	})
	return spots
}

// made matches constants and the names that tools such as Yosys or place-and-route generate.
var made = printable.LazyRegexp(
	`^$|^1'b|^_\d+_$|^\$|^(net|fanout|hold|wire|max_cap|output|input|clkbuf|clknet|place)_?\w*\d`)

var index = printable.LazyRegexp(`\[\d+\]$`)

// authorName returns a name without an index, or "" if a tool generated it.
func authorName(c *sim.Circuit, name string) string {
	if made().MatchString(name) || strings.HasPrefix(name, c.Name()+"_") {
		return ""
	}
	return index().ReplaceAllString(name, "")
}

// authorNames returns, by net, the author's name or, without one, the name of the nearest net that it leads to, or "".
func authorNames(c *sim.Circuit) []string {
	names, drivers := make([]string, len(c.Nets)), c.Drivers()
	var next []sim.Net
	for n, name := range c.Nets {
		if names[n] = authorName(c, name); names[n] != "" {
			next = append(next, sim.Net(n))
		}
	}
	for ; len(next) > 0; next = next[1:] {
		for _, k := range drivers.ByNet[next[0]] {
			cell := &c.Cells[k]
			for _, in := range cell.In[:cell.Kind.Inputs()] {
				if in > sim.One && names[in] == "" {
					names[in] = names[next[0]]
					next = append(next, in)
				}
			}
		}
	}
	return names
}

// signalOf returns the author's name for a fault site or its cell, or for the net that the site leads to, and its place
// in the source; each may be "".
func signalOf(l *gates.FaultList, names []string, site int32) (signal, place string) {
	c, s := l.Design.Circuit, &l.Sites[site]
	part := &c.Parts[s.Part]
	if part.File != "" {
		place = fmt.Sprintf("%s:%d", part.File, part.Line)
	}
	return cmp.Or(authorName(c, c.Nets[s.Net]), authorName(c, part.Name), names[s.Net]), place
}
