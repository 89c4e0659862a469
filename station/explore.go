package station

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/plan"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/transport"
)

// An Exploration generates vectors that detect faults inside a tile. They replace the existing vectors.
type Exploration struct {
	Enabled bool
	Budget  time.Duration // budget of computation; see grade.Explorer
	File    string        // where the user saves the vectors; "" is nowhere

	DetectedFaults, TriedFaults int    // minimum number of faults that the suite detects, and number of tried faults
	Summary                     string // describes the search

	made *golden.Suite
}

// Text returns the suite that Suite has generated as text, or "".
func (e *Exploration) Text() string {
	if e.made == nil {
		return ""
	}
	return e.made.Text
}

const mostBudget = time.Hour

// Suite generates the suite on the first call, and returns it. For a tile without state the suite contains all inputs.
func (e *Exploration) Suite(s *plan.Selection) (*golden.Suite, error) {
	if e.made != nil {
		return e.made, nil
	}
	t, _ := gates.FaultTile(s.Tile)
	switch {
	case t == nil:
		return nil, failure.Usagef("the reference of %s has no gates to search vectors for: run --random N applies "+
			"random steps", s.Tile.Name())
	case e.Budget <= 0 || e.Budget > mostBudget:
		return nil, failure.Usagef("--budget %s: must be more than 0 and at most %s", e.Budget, mostBudget)
	}
	made, err := plan.ExhaustiveSuite(t)
	if made == nil && err == nil {
		made, err = e.explore(s, t)
	}
	e.made = made
	return made, err
}

func (e *Exploration) explore(s *plan.Selection, t *gates.Tile) (*golden.Suite, error) {
	known, err := knownOf(t, s.Tile)
	if err != nil {
		return nil, err
	}
	ctx := cmp.Or(s.Context, context.Background())
	x := grade.Explorer{Tile: t, Seed: cmp.Or(s.Seed, 1), Budget: e.Budget, KnownVectors: known}
	found, err := x.Find(ctx)
	if err == nil {
		e.Summary = found.String()
		e.DetectedFaults, e.TriedFaults = found.Detected, found.Detected+found.Open
		err = found.Compact(ctx)
	}
	if err := cmp.Or(plan.StopError(ctx), err); err != nil {
		return nil, err
	}
	if len(found.Vectors) == 0 {
		return nil, failure.Newf(failure.Nothing, "without deduced levels the search found no vector that "+
			"shows a fault of %s: %s lists its faults", t.Name(), printable.Command("coverage", "--tile", s.TileName,
			"--random", "2000"))
	}
	return golden.Parse("explored", textOf(found, x.Seed, s.Tile), tile.Dialect(s.Tile))
}

// knownOf returns the vectors of a tile, with the samples that its gates predict.
func knownOf(t *gates.Tile, of tile.Tile) (all []grade.Vector, err error) {
	suites, err := tile.Suites(of)
	for _, suite := range suites {
		for i := range suite.Vectors {
			v := grade.Vector{Name: suite.Vectors[i].Name, Steps: suite.Vectors[i].Steps}
			v.Want = make([]transport.Sample, len(v.Steps))
			if err := tile.Expect(t, v.Steps, v.Want); err != nil {
				return nil, err
			}
			all = append(all, v)
		}
	}
	return all, err
}

// words in the source of an exploration's vectors
const exploration, of = "exploration", ", of "

// exploredNote returns a note if a search generated vectors from a reference other than t's, or "".
func exploredNote(suites []*golden.Suite, t tile.Tile) string {
	for _, s := range suites {
		if len(s.Vectors) == 0 || s.Vectors[0].Source.Document != exploration {
			continue
		}
		if _, from, _ := strings.Cut(s.Vectors[0].Source.Section, of); from != tile.DescribeReference(t.Revision()) {
			return fmt.Sprintf("a search made the vectors from %s; they expect the levels of this run's reference, "+
				"so they do not show a mistake that is new in it", from)
		}
	}
	return ""
}

func textOf(found *grade.SearchResult, seed uint64, t tile.Tile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "suite explored\n\ndocument %s\nsection \"seed %d%s%s\"\n", exploration, seed, of,
		tile.DescribeReference(t.Revision()))
	for i, v := range found.Vectors {
		golden.WriteVector(&b, i, "explored", v.Steps[1:])
	}
	return b.String()
}
