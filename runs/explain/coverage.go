package explain

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"utfbench/cause/cells"
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
)

// A coverageReport counts the faults of a tile's gates that vectors detect, and lists the rest; see docs/formats.md.
type coverageReport struct {
	files.DocumentHead
	Tile     string              `json:"tile"`
	Revision string              `json:"revision"`
	Vectors  int                 `json:"vectors"`
	Steps    int                 `json:"steps"`
	Gates    gatesCount          `json:"gates"`
	Coverage *tile.FaultCoverage `json:"coverage"`
	Blind    []blindSpot         `json:"blind_spots"`
	Open     []openFault         `json:"not_found"`
	Mutants  *mutantShare        `json:"mutants,omitempty"`

	by         string // where the gates come from, in words
	untestable []openFault
}

// A gatesCount counts the parts of a netlist.
type gatesCount struct {
	Module  string `json:"module"`
	Cells   int    `json:"cells"` // number of cells with logic
	Flops   int    `json:"flip_flops"`
	Faults  int    `json:"faults"` // number of stuck-at faults of their pins
	Classes int    `json:"classes"`
}

// An openFault describes a class of undetected faults.
type openFault struct {
	Fault  string   `json:"fault"`
	Cell   string   `json:"cell_type"`
	Reason string   `json:"reason"`
	Same   []string `json:"same,omitempty"`
}

// A mutantShare counts mutations of the RTL. Open mutations were neither shown nor proved equivalent. Search says how
// many of them a search for vectors has shown.
type mutantShare struct {
	Drawn      int      `json:"drawn"`
	Found      int      `json:"found"`
	Equivalent int      `json:"equivalent"`
	Undetected []string `json:"not_found"`
	Search     string   `json:"search,omitempty"`
}

// Grades holds the results of grading vectors by stuck-at faults and by mutations.
type Grades struct {
	Faults, Mutants *grade.Grading
	Mutations       []gates.Mutation    // indexed by the classes of Mutants
	Search          *grade.SearchResult // search for vectors that show the open mutants; nil if none is open
}

// newCoverageReport returns a report on the grades in all. file is the netlist's; "" means the reference's gates.
func newCoverageReport(h files.DocumentHead, t tile.Tile, file string, vectors []grade.Vector,
	all Grades) *coverageReport {
	g := all.Faults
	s := &coverageReport{DocumentHead: h, Tile: t.Name(), Revision: t.Revision(), Gates: countGates(g.FaultList),
		Vectors: len(vectors), Coverage: g.Coverage(), Blind: blindSpots(g), Open: []openFault{},
		by: tile.DescribeReference(t.Revision())}
	if gates.TileOf(t) == nil {
		s.by = "gates with the logic of " + s.by
	}
	if file != "" {
		s.by = "the netlist " + file
	}
	for i := range vectors {
		s.Steps += len(vectors[i].Steps)
	}
	s.miss(g)
	if all.Mutants != nil {
		s.Mutants = all.mutantShare()
	}
	return s
}

func (s *coverageReport) miss(g *grade.Grading) {
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
			s.untestable = append(s.untestable, one)
		} else {
			s.Open = append(s.Open, one)
		}
	}
}

func countGates(l *gates.FaultList) gatesCount {
	c := gatesCount{Module: l.Design.Circuit.Name(), Flops: l.Design.Program().FlopCount(), Faults: 2 * len(l.Sites),
		Classes: len(l.Classes)}
	last := int32(-1)
	for _, s := range l.Sites {
		if s.Part != last {
			c.Cells, last = c.Cells+1, s.Part
		}
	}
	return c
}

func (g *Grades) mutantShare() *mutantShare {
	m := &mutantShare{Drawn: len(g.Mutations), Found: g.Mutants.Count(grade.Found),
		Equivalent: g.Mutants.Count(grade.Untestable), Undetected: []string{}}
	for _, i := range g.Mutants.UndetectedClasses() {
		m.Undetected = append(m.Undetected, g.Mutations[i].String())
	}
	if g.Search != nil {
		m.Search = fmt.Sprintf("a search shows %d of the open ones; %s", g.Search.Detected, g.Search)
	}
	return m
}

// limits of the text: number of signals unless it is verbose, and number of places for each signal
const mostSpots, mostPlaces = 20, 3

// WriteText writes the counts, the signals, and each fault if verbose is set.
func (s *coverageReport) WriteText(w io.Writer, verbose bool) {
	g, n := s.Gates, s.Coverage
	fmt.Fprintf(w, "%s: %s, %s, graded by %s\n%s, %d of them flip-flops; %d stuck-at faults of their pins, which "+
		"act as %d, %d of them not proved untestable\n\ncoverage %s\n\n", s.Tile, printable.Count(s.Vectors, "vector"),
		printable.Count(s.Steps, "step"), s.by, printable.Count(g.Cells, "cell"), g.Flops, g.Faults,
		g.Classes, n.Testable, n.DetectedShare())
	counts := printable.NewTable()
	counts.Row(grade.Found, n.Found)
	counts.Row(grade.Inactive, n.Inactive)
	counts.Row(grade.Unseen, n.Unseen)
	counts.Row(grade.Unclear.String()+": perhaps activated or shown", n.Unknown)
	if n.Untried > 0 {
		counts.Row("  of these the proofs ended at a limit", n.Untried)
	}
	counts.Row("untestable, not counted above", n.Untestable)
	_ = counts.Write(w)
	if n.Found < n.Faults {
		s.blind(w, verbose)
	}
	if s.Mutants == nil {
		return
	}
	fmt.Fprintf(w, "\nmutants of the RTL: %d: %d shown, %d cannot show, %d open\n", s.Mutants.Drawn,
		s.Mutants.Found, s.Mutants.Equivalent, len(s.Mutants.Undetected))
	for _, name := range s.Mutants.Undetected {
		fmt.Fprintln(w, "  "+name)
	}
	if s.Mutants.Search != "" {
		fmt.Fprintln(w, s.Mutants.Search)
	}
}

// blind writes the signals that have undetected faults.
func (s *coverageReport) blind(w io.Writer, verbose bool) {
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
	for i, faults := range [][]openFault{s.Open, s.untestable} {
		heading := []string{"\nnot found:\n", "\nuntestable:\n"}[i]
		for _, f := range faults {
			if len(f.Same) > 0 {
				f.Reason += "; the same as " + strings.Join(f.Same, ", ")
			}
			fmt.Fprintf(w, "%s%s   %s\n", heading, f.Fault, f.Reason)
			heading = ""
		}
	}
}

// A MutationDraw is a number of mutations, and the seed with which they are drawn.
type MutationDraw struct {
	Mutants int
	Seed    uint64
}

// Grade grades a tile's vectors without a limit, by stuck-at faults of d, which has the reference's logic, and mutants.
func Grade(ctx context.Context, t tile.Tile, d *gates.Design, vectors []grade.Vector, drawn MutationDraw) (
	got Grades, err error) {
	g := grade.Grader{List: gates.NewFaultList(d), Vectors: vectors, Prove: true}
	own := gates.TileOf(t)
	if foreign := own == nil || own.Design != d; foreign {
		if err := grade.FindMismatch(g.List, vectors); err != nil {
			return got, cells.AddRevisionHint(t, g.List, vectors, err)
		}
	}
	if got.Faults, err = g.Grade(ctx); err != nil {
		return got, err
	}
	if own != nil && own.Design == d {
		got.Faults.ProveUntestable(own, vectors)
	}
	if drawn.Mutants > 0 {
		err = got.mutate(ctx, own, vectors, drawn)
	}
	return got, err
}

// perMutant limits the search for vectors that show one mutant, and perMutants the search for all mutants.
const perMutant, perMutants = 2 * time.Second, time.Minute

// mutate grades vectors by mutants of a tile's RTL, and searches for vectors that show the open mutants.
func (g *Grades) mutate(ctx context.Context, t *gates.Tile, vectors []grade.Vector, drawn MutationDraw) error {
	d, mutations, err := t.RTL.Mutate(ctx, drawn.Mutants, drawn.Seed)
	if err != nil {
		return err
	}
	list := gates.NewMutationList(d)
	g.Mutations = mutations
	if g.Mutants, err = (&grade.Grader{List: list, Vectors: vectors, Prove: true}).Grade(ctx); err != nil {
		return err
	}
	if wrong := g.Mutants.Mismatch; wrong != nil { // with no active mutation
		return fmt.Errorf("the mutated RTL differs before any mutation: %w", wrong)
	}
	open := g.Mutants.UndetectedClasses()
	if len(open) == 0 {
		return nil
	}
	x := grade.Explorer{Tile: gates.New(t.About, d, ""), List: list, Classes: open, Seed: 1,
		Budget: min(time.Duration(len(open))*perMutant, perMutants)}
	g.Search, err = x.Find(ctx)
	return err
}

// A Coverage grades vectors by a tile's gates: it shows which faults they would detect.
type Coverage struct {
	files.Set
	Netlist string // the netlist's file; "" means the gates of the tile's reference
	MutationDraw
	Verbose   bool              // list every fault
	JSON      string            // path of the JSON file; "" for none
	Recording *report.Recording // source of the vectors, or nil
	Searched  bool              // set by Grade if a search made some of the vectors

	Head         files.DocumentHead
	ShowActivity func(what string) (done func())
}

// OpenNetlist compiles the netlist in the file of --netlist.
func OpenNetlist(path string) (*gates.Design, error) {
	d, _, err := gates.OpenFile(path, "", nil)
	if err == nil {
		err = d.CheckJudgeable(path)
	}
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("--netlist: %w", err))
	}
	return d, nil
}

// Grade grades the vectors that choose returns, by faults of their tile. It prints the result and writes the files.
func (s *Coverage) Grade(ctx context.Context, w io.Writer, choose func() (tile.Tile, []driver.Job, error)) (
	_ *tile.FaultCoverage, err error) {
	save, err := files.CreateOutputs(&s.Set, files.Output[*coverageReport]{Flag: "--json", Path: s.JSON,
		Write: func(of *coverageReport, w io.Writer) error { return files.WriteDocument(w, of) }})
	if err != nil {
		return nil, err
	}
	t, jobs, err := choose()
	if err != nil {
		return nil, err
	}
	s.Searched = slices.ContainsFunc(jobs, func(j driver.Job) bool { return report.IsSearched(j.Vector) })
	vectors, err := cells.ExpectedVectors(ctx, t, jobs)
	if err != nil {
		return nil, failure.New(failure.Bench, err)
	}
	d, err := s.gates(t)
	if err != nil {
		return nil, err
	}
	switch {
	case len(vectors) == 0 && s.Recording != nil:
		return nil, failure.Newf(failure.Nothing, "no vector of the run was applied, so there is nothing to grade")
	case len(vectors) == 0:
		return nil, failure.Newf(failure.Nothing, "no vector is selected: bench vectors shows the suites")
	}
	done := s.ShowActivity("simulating faults")
	got, err := Grade(ctx, t, d, vectors, s.MutationDraw)
	done()
	if err != nil {
		return nil, failure.New(failure.Bench, err)
	}
	of := newCoverageReport(s.Head, t, s.Netlist, vectors, got)
	of.WriteText(w, s.Verbose)
	if of.Coverage.Unknown > 0 && gates.TileOf(t) != nil {
		fmt.Fprintln(w, "\nLevels that a run deduces from its samples do not count here.")
	}
	if r := s.Recording; r != nil && r.End != nil && r.End.Evidence != nil && r.Start.Vectors == len(vectors) &&
		s.Netlist == "" {
		if c := r.End.Evidence.Coverage; c != nil && c.Faults > 0 && of.Coverage.Faults > c.Faults-c.Unsettled {
			fmt.Fprintf(w, "\nThe run estimated it within its budget, with shorter proofs: %s.\n", c.DetectedShare())
		}
	}
	return of.Coverage, save(of)
}

func (s *Coverage) gates(t tile.Tile) (*gates.Design, error) {
	own := gates.TileOf(t)
	of, _ := gates.FaultTile(t)
	switch {
	case s.Mutants > 0 && (own == nil || own.RTL == nil):
		return nil, failure.Usagef("--mutants changes RTL, and the reference of %s is made otherwise: give --tile "+
			"the sources", t.Name())
	case s.Netlist != "":
		return OpenNetlist(s.Netlist)
	case gates.MissingReference(t) != nil:
		return nil, fmt.Errorf("%s has no gates to grade: %w", t.Name(), gates.MissingReference(t))
	case of == nil:
		return nil, failure.Usagef("the reference of %s has no gates, so its faults are unknown: give its netlist "+
			"with --netlist FILE; docs/coverage.md says where it is", t.Name())
	}
	return of.Design, nil
}
