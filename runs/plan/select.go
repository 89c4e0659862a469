// Package plan decides which vectors a run executes, how often, and in which order. A [Selection] is the user's choice,
// and a [Plan] applies it to a chip; package station plans the executions of a recording. Errors report bad input, and
// name fields by the flags of bench that set them.
package plan

import (
	"cmp"
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/tile/gates"
)

// A Selection selects vectors of a tile. Only Tile is required. Without other fields it selects all built-in vectors.
type Selection struct {
	Tile     tile.Tile
	TileName string   // the user's name for the tile; "" for a built-in tile
	Suites   []string // names of suites; none means all
	Match    string   // regular expression for the names of vectors; "" means all
	Files    []string // files of vectors that replace the built-in ones
	// ReadFile reads one of Files. If it is nil, the file is read from the disk, up to the limit for such files.
	ReadFile    func(path string) ([]byte, error)
	RandomSteps int    // number of random steps that replace all vectors; 0 for none
	Seed        uint64 // seed of the random steps; 0 means 1

	Context context.Context // ends the generation of vectors; nil for no limit
	// Generate generates vectors, as Exploration.Suite of package station does. If nil, existing ones are selected.
	Generate func(*Selection) (*golden.Suite, error)
	Capture  *driver.Capture // a stream that replaces the vectors; nil for none

	AcceptWeak string // output lines that need not be compared, such as "uo0-uo6,uio3"; "" for none

	kept bool // the recording includes the vectors, since they are not built in
}

// Jobs returns the selected vectors.
func (s *Selection) Jobs() ([]driver.Job, error) {
	if _, err := s.match(); err != nil {
		return nil, err
	}
	suites, err := s.load()
	if err != nil {
		return nil, err
	}
	return s.JobsOf(suites)
}

// load returns the suites to select from: generated ones, the user's files, or the tile's own.
func (s *Selection) load() ([]*golden.Suite, error) {
	switch {
	case s.RandomSteps > 0 && len(s.Files) > 0:
		return nil, failure.Usagef("--random makes its own vectors: omit --file")
	case s.Generate != nil:
		suite, err := s.Generate(s)
		return []*golden.Suite{suite}, err
	case s.RandomSteps > 0:
		suite, err := s.random(s.RandomSteps)
		return []*golden.Suite{suite}, err
	case len(s.Files) == 0:
		return s.brought()
	}
	read := s.ReadFile
	if read == nil {
		read = files.VectorFile.Read
	}
	var suites []*golden.Suite
	for _, path := range s.Files {
		if ext := filepath.Ext(path); ext == ".vcd" || ext == ".fst" {
			return nil, failure.Usagef("--file %s is a waveform: bench import makes vectors of it", path)
		}
		text, err := read(path)
		if err != nil {
			return nil, failure.Usagef("--file: %w", err)
		}
		suite, err := golden.Parse(printable.Text(filepath.ToSlash(path)), string(text), tile.Dialect(s.Tile))
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(suites, func(s *golden.Suite) bool { return s.Text == suite.Text }); i >= 0 {
			return nil, failure.Usagef("--file %s: these vectors are already selected by --file %s; --count repeats a "+
				"run", suite.File, suites[i].File)
		}
		suites = append(suites, suite)
		if err := golden.CheckLimits(suites); err != nil {
			return nil, failure.Usagef("--file: %w", err)
		}
	}
	return suites, nil
}

// usualRandom is the default number of random steps for a tile without vectors.
const usualRandom = 20_000

// brought returns the tile's own vectors. If there are none, it returns all inputs of a tile without state, or else
// random steps, preceded by the wiring check's steps unless the tile has gates.
func (s *Selection) brought() ([]*golden.Suite, error) {
	suites, err := tile.Suites(s.Tile)
	sources := gates.TileOf(s.Tile) != nil // vectors may change with the sources
	s.kept = sources || len(suites) == 0
	if err != nil || len(suites) > 0 {
		return suites, err
	}
	if suite, err := ExhaustiveSuite(s.Tile); suite != nil || err != nil {
		return []*golden.Suite{suite}, err
	}
	suite, err := s.random(usualRandom)
	if err != nil {
		return nil, err
	}
	if first, err := wired(s.context(), s.Tile); first != nil || err != nil {
		return []*golden.Suite{first, suite}, err
	}
	return []*golden.Suite{suite}, nil
}

func (s *Selection) context() context.Context { return cmp.Or(s.Context, context.Background()) }

func (s *Selection) random(n int) (*golden.Suite, error) {
	ctx := s.context()
	suite, err := tile.RandomSuite(ctx, s.Tile, s.Seed, n)
	return suite, cmp.Or(StopError(ctx), err)
}

// StopError returns an error if the generation of vectors was stopped, and nil otherwise.
func StopError(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return failure.Newf(failure.Interrupted, "stopped: nothing was run")
}

func (s *Selection) filter(suites []*golden.Suite) ([]*golden.Suite, error) {
	if len(s.Suites) == 0 {
		return suites, nil
	}
	var names []string
	for _, suite := range suites {
		names = append(names, suite.Name)
	}
	for _, want := range s.Suites {
		if !slices.Contains(names, want) {
			return nil, failure.Usagef("--suite: unknown suite %q%s: allowed are %s", want, failure.DidYouMean(want,
				names), strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(suites),
		func(g *golden.Suite) bool { return !slices.Contains(s.Suites, g.Name) }), nil
}

func (s *Selection) match() (*regexp.Regexp, error) {
	match, err := regexp.Compile(s.Match)
	if err != nil {
		return nil, failure.Usagef("--run: %w", err)
	}
	return match, nil
}

// JobsOf selects vectors from the given suites.
func (s *Selection) JobsOf(suites []*golden.Suite) (jobs []driver.Job, err error) {
	match, err := s.match()
	if err != nil {
		return nil, err
	}
	if suites, err = s.filter(suites); err != nil {
		return nil, err
	}
	for _, suite := range suites {
		for i := range suite.Vectors {
			v := &suite.Vectors[i]
			if s.Match == "" || match.MatchString(v.Name) {
				jobs = append(jobs, driver.Job{Vector: v, File: suite.File})
			}
		}
	}
	return jobs, nil
}

// SelectsAll reports whether no flag restricts the selection. A command may then choose the vectors itself.
func (s *Selection) SelectsAll() bool { return s.Match == "" && len(s.Suites)+len(s.Files) == 0 }

// NoVectorError returns the error for a selection that selects no vector.
func (s *Selection) NoVectorError() error {
	if s.Match == "" {
		return failure.Newf(failure.Nothing, "no vector is selected: bench vectors shows the suites")
	}
	of := ""
	if len(s.Suites) > 0 {
		of = " of " + strings.Join(s.Suites, ", ")
	}
	return failure.Newf(failure.Nothing, "no vector is selected: no name%s matches %s; this lists all of them: %s",
		of, s.Match, s.listing(""))
}
