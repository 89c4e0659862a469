package main

import (
	"fmt"
	"os"

	"utfbench/driver"
	"utfbench/identity"
	"utfbench/report"
)

// An earlier is what --resume knows of a run that was cut short. Its zero value is no earlier run.
type earlier struct {
	file   string
	start  report.Start
	passed map[string]bool
}

// loadResume reads an event stream; what its last line lost is no error, since a cable may have been pulled.
func loadResume(file string) (e earlier, err error) {
	if file == "" {
		return e, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return e, fmt.Errorf("--resume: %w", err)
	}
	defer f.Close()
	e = earlier{file: file, passed: map[string]bool{}}
	e.start, err = report.ReadJSON(f, func(v report.Vector) {
		before, met := e.passed[v.Name] // in another round, or in another file
		e.passed[v.Name] = v.Verdict == driver.Pass.String() && (before || !met)
	})
	if err != nil {
		return e, fmt.Errorf("--resume: %s: %w", file, err)
	}
	return e, nil
}

// fits refuses to join runs of different chips, or against different references.
func (e *earlier) fits(c *chip, asked plan) error {
	if e.file == "" {
		return nil
	}
	now := c.identity(asked)
	differ := append(identity.Unequal(identity.Difference{What: "the bench", Was: e.start.Bench, Is: version()}), now.Differences(&e.start.Identity)...)
	if len(differ) > 0 {
		return fmt.Errorf("--resume: %s is of another run: %w; run all of it again, without --resume", e.file, differ[0])
	}
	n := 0
	for _, ok := range e.passed {
		if ok {
			n++
		}
	}
	c.notes = append(c.notes, fmt.Sprintf("%d vectors passed before, says %s, and are not run again", n, e.file))
	return nil
}
