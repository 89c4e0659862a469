package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cmdline"
	"utfbench/internal/failure"
	"utfbench/runs/plan"
	"utfbench/station"
)

// A selection is the vectors that a command works on, as its flags name them.
type selection struct {
	plan.Selection
	design *design
}

// Plan returns the plan of a run of this selection.
func (s *selection) Plan(count int) (plan.Plan, error) {
	s.Tile = s.design.tile
	return s.Selection.Plan(count)
}

// open reports whether the user selected nothing, so that a command may choose.
func (s *selection) open() bool { return s.Match == "" && len(s.Suites)+len(s.Files) == 0 && !s.Smoke }

// Jobs returns the selected vectors.
func (s *selection) Jobs() ([]driver.Job, error) {
	s.Tile = s.design.tile
	return s.Selection.Jobs()
}

var errNothing = failure.Newf(failure.Nothing, "no vector is selected: see bench list for their names")

// nothing says what left no vector.
func (s *selection) nothing() error {
	if s.Match == "" {
		return errNothing
	}
	of := ""
	if len(s.Suites) > 0 {
		of = " of " + strings.Join(s.Suites, ", ")
	}
	return failure.Newf(failure.Nothing, "no vector is selected: no name%s matches --run %s; bench list --vectors "+
		"has them", of, s.Match)
}

func (s *selection) flags(cmd *cobra.Command, d *design) {
	f := cmd.Flags()
	f.StringSliceVar(&s.Suites, "suite", nil, "only these suites, by name; see bench list")
	f.StringVar(&s.Match, "run", "", "only vectors whose name matches this regular expression")
	f.Var((*stepCount)(&s.Random), "random", "instead of vectors, this many random legal steps, against the "+
		"reference; see --seed")
	f.BoolVar(&s.Explore.On, "explore", false, "instead of vectors, those that a search finds which is led by what "+
		"is not tested yet of the tile's gates; see --budget and --seed")
	f.DurationVar(&s.Explore.Budget, "budget", time.Minute, "board time for --explore, which also bounds the search")
	f.BoolVar(&s.Smoke, "smoke", false, "only the few vectors that find as much inside of the chip as all of "+
		"them; see docs/coverage.md")
	s.fileFlag(cmd, d)
}

// acceptFlag adds --accept-weak.
func (s *selection) acceptFlag(cmd *cobra.Command) {
	cmd.Flags().Var((*outputLines)(&s.AcceptWeak), "accept-weak", "output `LINES` that need not be compared, as in "+
		"uo0-uo6,uio3: a run that compares none of them is not WEAK for that")
}

// A stepCount is a flag's number of steps, 1 or more.
type stepCount int

// Set implements pflag.Value.
func (c *stepCount) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errors.New("has to be 1 or more")
	}
	*c = stepCount(n)
	return nil
}

// String implements pflag.Value.
func (c *stepCount) String() string { return strconv.Itoa(int(*c)) }

// Type implements pflag.Value.
func (c *stepCount) Type() string { return "steps" }

// outputLines are a flag's list of lines of uo and uio.
type outputLines string

// Set implements pflag.Value.
func (o *outputLines) Set(list string) error {
	_, err := driver.ParseOutputs(list)
	*o = outputLines(list)
	return err
}

// String implements pflag.Value.
func (o *outputLines) String() string { return string(*o) }

// Type implements pflag.Value.
func (o *outputLines) Type() string { return "LINES" }

func (s *selection) fileFlag(cmd *cobra.Command, d *design) {
	s.design = d
	cmd.Flags().StringArrayVar(&s.Files, "file", nil, "read vectors from this file instead of the built-in "+
		"ones; can be given more than once")
}

// replayed returns the selected executions of a recording.
func (s *selection) replayed(c *station.Chip) (plan.Plan, error) {
	return c.PlanAgain(&s.Selection)
}

// find gives the vector of this name.
func (s *selection) find(name string) (driver.Job, error) {
	jobs, err := s.Jobs()
	if err != nil {
		return driver.Job{}, err
	}
	for _, j := range jobs {
		if j.Vector.Name == name {
			return j, nil
		}
	}
	return driver.Job{}, s.unknown(name, jobs)
}

// mostNamed is how many vectors an error names.
const mostNamed = 10

// unknown lists the vectors with part in their names, after a name that does not exist.
func (s *selection) unknown(part string, jobs []driver.Job) error {
	var names []string
	for _, j := range jobs {
		if strings.Contains(strings.ToLower(j.Vector.Name), strings.ToLower(part)) {
			names = append(names, j.Vector.Name)
		}
	}
	words := []string{"list", "--vectors"}
	for _, file := range s.Files {
		words = append(words, "--file", file)
	}
	if len(names) == 0 {
		return failure.Usagef("unknown vector %q; this lists all of them: %s", part, cmdline.Line(words...))
	}
	text := fmt.Sprintf("no vector is called %q; it is a part of the names of %d:", part, len(names))
	for _, name := range names[:min(len(names), mostNamed)] {
		text += "\n  " + name
	}
	if len(names) > mostNamed {
		text += fmt.Sprintf("\n  and %d more, which this lists: %s", len(names)-mostNamed,
			cmdline.Line(append(words, "--run", "(?i)"+regexp.QuoteMeta(part))...))
	}
	return failure.Usagef("%s", text)
}

// mostJobs is far more than the processors of any bench.
const mostJobs = 256

func checkJobs(n int) error {
	if n < 1 || n > mostJobs {
		return failure.Usagef("--jobs %d: has to be 1 to %d", n, mostJobs)
	}
	return nil
}
