package main

import (
	"fmt"
	"io"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/runs/plan"
	"utfbench/tile"
	"utfbench/tile/gates/grade"
)

// A strengthDocument is what bench strength --json writes.
type strengthDocument struct {
	document.Head
	Tile     string           `json:"tile"`
	Revision string           `json:"revision"`
	Vectors  int              `json:"vectors"`
	Steps    int              `json:"steps"`
	Strength *driver.Strength `json:"strength"`
	Blind    []blindSpot      `json:"blind_spots"`
	Open     []openFault      `json:"not_found"`
	Mutants  *mutantShare     `json:"mutants,omitempty"`
}

// A blindSpot is a signal with faults that are not found.
type blindSpot struct {
	Signal   string `json:"signal,omitempty"`
	Source   string `json:"source,omitempty"`
	Inactive int    `json:"never_activated"`
	Unseen   int    `json:"never_seen"`
	Unknown  int    `json:"unknown"`
}

// An openFault stands for a class that is not found.
type openFault struct {
	Fault  string `json:"fault"`
	Reason string `json:"reason"`
}

// A mutantShare counts mutations. Open ones are neither found nor proved equivalent.
type mutantShare struct {
	Drawn      int      `json:"drawn"`
	Found      int      `json:"found"`
	Equivalent int      `json:"equivalent"`
	Open       []string `json:"not_found"`
}

// newStrengthDocument returns the document of a grading; mutants may be nil.
func newStrengthDocument(t tile.Tile, g, mutants *grade.Grading) *strengthDocument {
	d := &strengthDocument{Head: head(), Tile: t.Name(), Revision: t.Revision(), Strength: plan.StrengthOf(g),
		Blind: []blindSpot{}, Open: []openFault{}}
	for _, s := range g.Blind() {
		d.Blind = append(d.Blind, blindSpot{s.Signal, s.Place, s.Faults(grade.Inactive), s.Faults(grade.Unseen),
			s.Faults(grade.Unclear)})
	}
	for i, f := range g.Findings {
		switch f.Outcome {
		case grade.Inactive, grade.Unseen, grade.Unclear:
			d.Open = append(d.Open, openFault{g.Describe(g.Classes[i].Faults[0]), f.Outcome.String()})
		}
	}
	if mutants != nil {
		d.Mutants = shareOf(mutants)
	}
	return d
}

func shareOf(g *grade.Grading) *mutantShare {
	m := &mutantShare{Drawn: len(g.Classes), Open: []string{}}
	for i, f := range g.Findings {
		fault := g.Classes[i].Faults[0]
		switch {
		case f.Outcome == grade.Found:
			m.Found++
		case g.Equivalent(fault):
			m.Equivalent++
		default:
			m.Open = append(m.Open, g.Describe(fault))
		}
	}
	return m
}

// write writes the share and the open mutations; m may be nil.
func (m *mutantShare) write(w io.Writer) {
	if m == nil {
		return
	}
	percent := 100.0
	if n := m.Drawn - m.Equivalent; n > 0 {
		percent = 100 * float64(m.Found) / float64(n)
	}
	fmt.Fprintf(w, "\nmutants: %.1f %% found: %d of %d, without %d that change nothing\n", percent, m.Found,
		m.Drawn-m.Equivalent, m.Equivalent)
	for _, name := range m.Open {
		fmt.Fprintln(w, "  not found: "+name)
	}
}
