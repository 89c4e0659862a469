package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/printable"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
)

// A blindSpot is a signal with undetected faults.
type blindSpot struct {
	Signal   string `json:"signal,omitempty"` // the author's name without an index; "" if only tools named it
	Source   string `json:"source,omitempty"` // FILE:LINE
	Inactive int    `json:"never_activated"`
	Unseen   int    `json:"never_seen"`
	Unknown  int    `json:"unknown"`
}

// blindSpots returns the signals with undetected faults, in decreasing order of their number.
func blindSpots(g *grade.Grading) []blindSpot {
	at, places, spots := map[string]int{}, map[string]bool{}, []blindSpot{}
	for _, i := range g.UndetectedClasses() {
		signal, place := signalOf(g.FaultList, g.Classes[i].Faults[0].Site)
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

// signalOf returns the author's name for a fault site or its cell, or "", and its place in the source, or "".
func signalOf(l *gates.FaultList, site int32) (signal, place string) {
	c := l.Design.Circuit
	s := &l.Sites[site]
	part := &c.Parts[s.Part]
	names := []string{c.Nets[s.Net], part.Name}
	for i := site + 1; int(i) < len(l.Sites) && l.Sites[i].Part == s.Part; i++ {
		names = append(names, c.Nets[l.Sites[i].Net])
	}
	if part.File != "" {
		place = fmt.Sprintf("%s:%d", part.File, part.Line)
	}
	for _, n := range names {
		if !made().MatchString(n) && !strings.HasPrefix(n, c.Name()+"_") {
			return index().ReplaceAllString(n, ""), place
		}
	}
	return "", place
}
