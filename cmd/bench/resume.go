package main

import (
	"fmt"
	"os"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/runs/identity"
	"utfbench/runs/plan"
	"utfbench/runs/report"
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
	file, err = killed(file)
	if err != nil {
		return e, fmt.Errorf("--resume: %w", err)
	}
	f, err := files.EventStream.Open(file)
	if err != nil {
		return e, fmt.Errorf("--resume: %w", err)
	}
	defer f.Close()
	e = earlier{file: file, passed: map[string]bool{}}
	e.start, err = report.ReadJSON(f, func(v report.Vector) error {
		before, met := e.passed[v.Name] // in another round, or in another file
		e.passed[v.Name] = v.Verdict == driver.Pass.String() && (before || !met)
		if len(e.passed) > golden.MostVectors {
			return fmt.Errorf("it has more than %d vectors", golden.MostVectors)
		}
		return nil
	})
	if err != nil {
		return e, fmt.Errorf("--resume: %s: %w", file, err)
	}
	return e, nil
}

// killed gives the event stream that a run left which was to write it to file: the part, when it was killed.
func killed(file string) (string, error) {
	part := files.PartName(file)
	if _, err := os.Stat(part); err != nil {
		return file, nil
	}
	if _, err := os.Stat(file); err == nil {
		return "", fmt.Errorf("%s is there, and %s of a run that was cut short: give --resume %s for that, or move it away to go on with %s", file, part, part, file)
	}
	return part, nil
}

// fits refuses to join runs of different chips, or against different references.
func (e *earlier) fits(c *chip, asked plan.Plan) error {
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
	c.Notes = append(c.Notes, fmt.Sprintf("%d vectors passed before, says %s, and are not run again", n, e.file))
	return nil
}
