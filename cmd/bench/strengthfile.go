package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/files"
	"utfbench/internal/printable"
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
	Gates    gatesCount       `json:"gates"`
	Suites   []suiteShare     `json:"suites"`
	Strength *driver.Strength `json:"strength"`
	Blind    []blindSpot      `json:"blind_spots"`
	Open     []openFault      `json:"not_found"`
	Mutants  *mutantShare     `json:"mutants,omitempty"`
}

// A gatesCount counts the parts that faults are in.
type gatesCount struct {
	Module  string `json:"module"`
	Cells   int    `json:"cells"` // with logic
	Flops   int    `json:"flip_flops"`
	Faults  int    `json:"faults"` // stuck-at faults of their pins
	Classes int    `json:"classes"`
}

func (c gatesCount) String() string {
	return fmt.Sprintf("%s: %s, %d of them flip-flops; %d stuck-at faults of their pins, in %d classes", c.Module,
		printable.Count(c.Cells, "cell"), c.Flops, c.Faults, c.Classes)
}

func countGates(l *grade.List) gatesCount {
	c := gatesCount{Module: l.Design.Circuit.Name(), Flops: l.Design.Program().Flops(), Faults: 2 * len(l.Sites),
		Classes: len(l.Classes)}
	last := int32(-1)
	for _, s := range l.Sites {
		if s.Part != last {
			c.Cells, last = c.Cells+1, s.Part
		}
	}
	return c
}

// A suiteShare is the share of a suite, by the vectors that are the first to find a class.
type suiteShare struct {
	Name    string `json:"name"`
	Vectors int    `json:"vectors"`
	Steps   int    `json:"steps"`
	Found   int    `json:"first_to_find"`
}

func suitesOf(vectors []grade.Vector, firsts []int) (all []suiteShare) {
	for i, v := range vectors {
		name, _, _ := strings.Cut(v.Name, "/")
		at := slices.IndexFunc(all, func(s suiteShare) bool { return s.Name == name })
		if at < 0 {
			at, all = len(all), append(all, suiteShare{Name: name})
		}
		s := &all[at]
		s.Vectors, s.Steps, s.Found = s.Vectors+1, s.Steps+len(v.Steps), s.Found+firsts[i]
	}
	return all
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
	Fault  string   `json:"fault"`
	Cell   string   `json:"cell_type"`
	Reason string   `json:"reason"`
	Same   []string `json:"same,omitempty"`
}

// A mutantShare counts mutations. Open ones are neither found nor proved equivalent.
type mutantShare struct {
	Drawn      int      `json:"drawn"`
	Found      int      `json:"found"`
	Equivalent int      `json:"equivalent"`
	Open       []string `json:"not_found"`
}

// newStrengthDocument returns the document of a grading; mutants may be nil.
func newStrengthDocument(t tile.Tile, g *grade.Grading, vectors []grade.Vector,
	mutants *grade.Grading) *strengthDocument {
	d := &strengthDocument{Head: head(), Tile: t.Name(), Revision: t.Revision(), Gates: countGates(g.List),
		Suites: suitesOf(vectors, g.Firsts(len(vectors))), Strength: plan.StrengthOf(g), Blind: []blindSpot{},
		Open: []openFault{}}
	for _, s := range d.Suites {
		d.Vectors, d.Steps = d.Vectors+s.Vectors, d.Steps+s.Steps
	}
	for _, s := range g.Blind() {
		d.Blind = append(d.Blind, blindSpot{s.Signal, s.Place, s.Faults(grade.Inactive), s.Faults(grade.Unseen),
			s.Faults(grade.Unclear)})
	}
	for i, f := range g.Findings {
		if class := &g.Classes[i]; slices.Contains(grade.Reasons(), f.Outcome) {
			first := class.Faults[0]
			d.Open = append(d.Open, openFault{g.Describe(first), g.CellType(first), f.Outcome.String(),
				sameAs(g, class)})
		}
	}
	if mutants != nil {
		d.Mutants = shareOf(mutants)
	}
	return d
}

// sameAs names the faults of a class besides the first.
func sameAs(g *grade.Grading, class *grade.Class) (names []string) {
	for _, f := range class.Faults[1:] {
		names = append(names, g.Describe(f))
	}
	return names
}

// write writes the file of --json, if one is wanted.
func (d *strengthDocument) write(out *files.Set, path string) error {
	if path == "" {
		return nil
	}
	file, err := out.Create("--json", path, 0)
	if err != nil {
		return err
	}
	if err := document.Write(file, d); err != nil {
		return benchFault(err)
	}
	return nil
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
