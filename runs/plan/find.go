package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// Find returns the vector with the given name.
func (s *Selection) Find(name string) (driver.Job, error) {
	jobs, err := s.Jobs()
	if err != nil {
		return driver.Job{}, err
	}
	i := slices.IndexFunc(jobs, func(j driver.Job) bool { return j.Vector.Name == name })
	if i < 0 {
		return driver.Job{}, s.unknown(name, jobs)
	}
	return jobs[i], nil
}

// mostNamed is the maximum number of vectors that an error lists.
const mostNamed = 10

// unknown returns the error for an unknown name. It lists the vectors whose names contain part.
func (s *Selection) unknown(part string, jobs []driver.Job) error {
	var names []string
	for _, j := range jobs {
		if strings.Contains(strings.ToLower(j.Vector.Name), strings.ToLower(part)) {
			names = append(names, j.Vector.Name)
		}
	}
	if len(names) == 0 {
		return failure.Usagef("unknown vector %q; this lists all of them: %s", part, s.listing(""))
	}
	run := ""
	if n, err := strconv.Atoi(part); err == nil && strconv.Itoa(n) == part {
		run = fmt.Sprintf(" (a run of that number: bench report %d)", n)
	}
	text := fmt.Sprintf("no vector is called %q%s; these contain it:", part, run)
	for _, name := range names[:min(len(names), mostNamed)] {
		text += "\n  " + name
	}
	if len(names) > mostNamed {
		text += fmt.Sprintf("\n  and %d more, which this lists: %s", len(names)-mostNamed,
			s.listing("(?i)"+regexp.QuoteMeta(part)))
	}
	return failure.Usagef("%s", text)
}

// listing returns the command that lists the vectors of the selection, with pattern in place of Match.
func (s *Selection) listing(pattern string) string {
	words := []string{"vectors"}
	if s.TileName != "" {
		words = append(words, "--tile", s.TileName)
	}
	for _, file := range s.Files {
		words = append(words, "--file", file)
	}
	if len(s.Suites) > 0 {
		words = append(words, "--suite", strings.Join(s.Suites, ","))
	}
	if pattern == "" && len(s.Suites) == 0 {
		pattern = ".*" // without a pattern, the command lists suites
	}
	if pattern != "" {
		words = append(words, pattern)
	}
	return printable.Command(words...)
}
