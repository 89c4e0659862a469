package station

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"utfbench/driver"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
)

// A CoverageReport lists the faults in a tile's gates that vectors detect; docs/formats.md describes its fields.
type CoverageReport struct {
	files.DocumentHead
	Tile     string                `json:"tile"`
	Revision string                `json:"revision"`
	Vectors  int                   `json:"vectors"`
	Steps    int                   `json:"steps"`
	Gates    gatesCount            `json:"gates"`
	Coverage *driver.FaultCoverage `json:"coverage"`
	Blind    []blindSpot           `json:"blind_spots"`
	Open     []openFault           `json:"not_found"`
	Mutants  *mutantShare          `json:"mutants,omitempty"`

	by     string      // source of the gates, in words
	missed []openFault // including the untestable ones
}

// A gatesCount counts the parts of a netlist.
type gatesCount struct {
	Module  string `json:"module"`
	Cells   int    `json:"cells"` // with logic
	Flops   int    `json:"flip_flops"`
	Faults  int    `json:"faults"` // stuck-at faults of their pins
	Classes int    `json:"classes"`
}

// A blindSpot is a signal with undetected faults.
type blindSpot struct {
	Signal   string `json:"signal,omitempty"`
	Source   string `json:"source,omitempty"`
	Inactive int    `json:"never_activated"`
	Unseen   int    `json:"never_seen"`
	Unknown  int    `json:"unknown"`
}

// An openFault represents an undetected class.
type openFault struct {
	Fault  string   `json:"fault"`
	Cell   string   `json:"cell_type"`
	Reason string   `json:"reason"`
	Same   []string `json:"same,omitempty"`
}

// A mutantShare counts mutations of the RTL. Open ones are neither shown nor proved never to show.
type mutantShare struct {
	Drawn      int      `json:"drawn"`
	Found      int      `json:"found"`
	Equivalent int      `json:"equivalent"`
	Open       []string `json:"not_found"`
}

// Grades are the gradings of vectors by stuck-at faults, and by mutations, which may be nil.
type Grades struct {
	Faults, Mutants *grade.Grading
	Mutations       []gates.Mutation // by class of Mutants
}

// NewCoverageReport describes the gradings of vectors. file holds the gates; "" is the tile's reference.
func NewCoverageReport(h files.DocumentHead, t tile.Tile, file string, vectors []grade.Vector,
	all Grades) *CoverageReport {
	g := all.Faults
	s := &CoverageReport{DocumentHead: h, Tile: t.Name(), Revision: t.Revision(), Gates: countGates(g.List),
		Vectors: len(vectors), Coverage: CoverageOf(g), Blind: []blindSpot{}, Open: []openFault{},
		by: tile.ReferenceOf(t.Revision())}
	if gates.TileOf(t) == nil {
		s.by = "the netlist beside " + s.by
	}
	if file != "" {
		s.by = "the netlist " + file
	}
	for i := range vectors {
		s.Steps += len(vectors[i].Steps)
	}
	for _, b := range g.UndetectedSignals() {
		s.Blind = append(s.Blind, blindSpot{b.Signal, strings.Join(b.Places, ", "), b.Open[grade.Inactive],
			b.Open[grade.Unseen], b.Open[grade.Unclear]})
	}
	s.miss(g)
	if all.Mutants != nil {
		s.Mutants = shareOf(all.Mutants, all.Mutations)
	}
	return s
}

// miss lists the undetected classes.
func (s *CoverageReport) miss(g *grade.Grading) {
	for i, f := range g.Findings {
		if f.Outcome == grade.Found {
			continue
		}
		class := &g.Classes[i]
		one := openFault{Fault: g.Describe(class.Faults[0]), Cell: g.CellType(class.Faults[0]),
			Reason: f.Outcome.String()}
		for _, same := range class.Faults[1:] {
			one.Same = append(one.Same, g.Describe(same))
		}
		if f.Outcome == grade.Untestable {
			one.Reason += ": " + class.Untestable
		} else {
			s.Open = append(s.Open, one)
		}
		s.missed = append(s.missed, one)
	}
}

// CoverageOf counts the fault classes by result.
func CoverageOf(g *grade.Grading) *driver.FaultCoverage {
	testable := len(g.Classes) - g.Count(grade.Untestable)
	return &driver.FaultCoverage{Faults: testable - g.Count(grade.Ungraded), Testable: testable,
		Untestable: g.Count(grade.Untestable), Found: g.Count(grade.Found), Inactive: g.Count(grade.Inactive),
		Unknown: g.Count(grade.Unclear), Unseen: g.Count(grade.Unseen), Idle: len(g.Idle), Unsettled: g.Unsettled(),
		MayBeUntestable: g.Unproved}
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

func shareOf(g *grade.Grading, all []gates.Mutation) *mutantShare {
	m := &mutantShare{Drawn: len(all), Found: g.Count(grade.Found), Equivalent: g.Count(grade.Untestable),
		Open: []string{}}
	for i, f := range g.Findings {
		if f.Outcome != grade.Found && f.Outcome != grade.Untestable {
			m.Open = append(m.Open, all[i].String())
		}
	}
	return m
}

// Limits of the text output: the number of signals, unless verbose, and of places for each signal.
const (
	mostSpots  = 20
	mostPlaces = 3
)

// WriteText writes the counts, the signals, and if verbose each fault.
func (s *CoverageReport) WriteText(w io.Writer, verbose bool) {
	g, n := s.Gates, s.Coverage
	fmt.Fprintf(w, "%s: %s, %s, graded by %s\n%s, %d of them flip-flops; %d stuck-at faults of their pins, which "+
		"act as %d, %d of them testable\n\ncoverage %s\n\n", s.Tile, printable.Count(s.Vectors, "vector"),
		printable.Count(s.Steps, "step"), s.by, printable.Count(g.Cells, "cell"), g.Flops, g.Faults,
		g.Classes, n.Testable, n.DetectedShare())
	counts := printable.NewTable()
	counts.Row(grade.Found, n.Found)
	counts.Row(grade.Inactive, n.Inactive)
	counts.Row(grade.Unseen, n.Unseen)
	counts.Row(grade.Unclear.String()+", by the state at power-up", n.Unknown)
	counts.Row("untestable, not counted above", n.Untestable)
	counts.Row("nets that never toggled, or not to a known level", n.Idle)
	_ = counts.Write(w)
	if n.Found < n.Faults {
		s.blind(w, verbose)
	}
	if s.Mutants != nil {
		s.Mutants.text(w)
	}
}

// blind writes the signals with undetected faults.
func (s *CoverageReport) blind(w io.Writer, verbose bool) {
	table := printable.NewTable("not found at", "never activated", "never seen", "unknown", "source")
	shown := s.Blind
	if !verbose {
		shown = shown[:min(len(shown), mostSpots)]
	}
	for _, b := range shown {
		if places := strings.SplitAfterN(b.Source, ", ", mostPlaces+1); len(places) > mostPlaces {
			b.Source = strings.Join(places[:mostPlaces], "") + "..."
		}
		table.Row(cmp.Or(b.Signal, "(nets named by tools only)"), b.Inactive, b.Unseen, b.Unknown, b.Source)
	}
	_ = table.Write(w, "\n")
	if n := len(s.Blind) - len(shown); n > 0 {
		fmt.Fprintf(w, "and %d more, with -v\n", n)
	}
	if !verbose {
		return
	}
	fmt.Fprintln(w, "\nnot found, and untestable:")
	for _, f := range s.missed {
		if len(f.Same) > 0 {
			f.Reason += "; the same as " + strings.Join(f.Same, ", ")
		}
		fmt.Fprintf(w, "%s   %s\n", f.Fault, f.Reason)
	}
}

// text writes the share and the open mutations.
func (m *mutantShare) text(w io.Writer) {
	fmt.Fprintf(w, "\nmutants of the RTL: %d: %d shown, %d cannot show, %d open\n", m.Drawn, m.Found, m.Equivalent,
		len(m.Open))
	for _, name := range m.Open {
		fmt.Fprintln(w, "  "+name)
	}
}
