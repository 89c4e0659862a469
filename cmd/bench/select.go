package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/files"
	"utfbench/golden"
	"utfbench/internal/printable"
)

// A selection says which vectors are meant.
type selection struct {
	suites []string
	run    string
	files  []string
}

var errNothing = &exit{exitNothing, errors.New("no vector is selected: see bench list for their names")}

func (s *selection) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&s.suites, "suite", nil, "only these suites, by name; see bench list")
	f.StringVar(&s.run, "run", "", "only vectors whose name matches this regular expression")
	f.StringArrayVar(&s.files, "file", nil, "read vectors from this file instead of the built-in ones; may come again")
}

// load reads the suites: the built-in ones, or the user's files.
func (s *selection) load() ([]*golden.Suite, error) {
	if len(s.files) == 0 {
		return golden.Load(golden.FS())
	}
	var suites []*golden.Suite
	for _, path := range s.files {
		text, err := files.VectorFile.Read(path)
		if err != nil {
			return nil, fmt.Errorf("--file: %w", err)
		}
		suite, err := golden.Parse(printable.Text(filepath.ToSlash(path)), string(text))
		if err != nil {
			return nil, err
		}
		suites = append(suites, suite)
		if err := golden.Fit(suites); err != nil {
			return nil, fmt.Errorf("--file: %w", err)
		}
	}
	return suites, nil
}

func (s *selection) filter(suites []*golden.Suite) ([]*golden.Suite, error) {
	if len(s.suites) == 0 {
		return suites, nil
	}
	var names []string
	for _, suite := range suites {
		names = append(names, suite.Name)
	}
	for _, want := range s.suites {
		if !slices.Contains(names, want) {
			return nil, fmt.Errorf("--suite: unknown suite %q: allowed are %s", want, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(suites), func(g *golden.Suite) bool { return !slices.Contains(s.suites, g.Name) }), nil
}

// jobs lists the vectors that are selected.
func (s *selection) jobs() ([]driver.Job, error) {
	if _, err := s.match(); err != nil {
		return nil, err
	}
	suites, err := s.load()
	if err != nil {
		return nil, err
	}
	return s.jobsOf(suites)
}

func (s *selection) match() (*regexp.Regexp, error) {
	match, err := regexp.Compile(s.run)
	if err != nil {
		return nil, fmt.Errorf("--run: %w", err)
	}
	return match, nil
}

// jobsOf lists the vectors of some suites that are selected.
func (s *selection) jobsOf(suites []*golden.Suite) (jobs []driver.Job, err error) {
	match, err := s.match()
	if err != nil {
		return nil, err
	}
	if suites, err = s.filter(suites); err != nil {
		return nil, err
	}
	for _, suite := range suites {
		for i := range suite.Vectors {
			if v := &suite.Vectors[i]; s.run == "" || match.MatchString(v.Name) {
				jobs = append(jobs, driver.Job{Vector: v, File: suite.File})
			}
		}
	}
	return jobs, nil
}

// plan is that of a run of what is selected.
func (s *selection) plan(count int) (plan, error) {
	if _, err := s.match(); err != nil {
		return plan{}, err
	}
	suites, err := s.load()
	if err != nil {
		return plan{}, err
	}
	jobs, err := s.jobsOf(suites)
	p := plan{vectors: len(jobs), count: count, rounds: driver.Rounds(jobs, count), digest: golden.Digest(suites)}
	if len(s.files) > 0 {
		p.suites = suites
	}
	return p, err
}
