package plan

import (
	"fmt"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/transport"
)

// An Earlier is an interrupted run, as read from its event stream. The zero value means none.
type Earlier struct {
	Passed map[string]bool // vectors that passed in every round
	Failed map[string]bool // vectors that were FAIL in some round

	file  string
	start report.Start
}

// ReadEarlier reads an event stream, or a killed run's part; "" is none. A truncated last line is not an error, since a
// cable may have been pulled.
func ReadEarlier(file string) (*Earlier, error) {
	if file == "" {
		return &Earlier{}, nil
	}
	file, err := files.Interrupted(file)
	if err != nil {
		return nil, failure.Usagef("--resume: %w", err)
	}
	f, err := files.EventStream.Open(file)
	if err != nil {
		return nil, failure.Usagef("--resume: %w", err)
	}
	defer f.Close()
	e := &Earlier{file: file, Passed: map[string]bool{}, Failed: map[string]bool{}}
	if e.start, err = report.ReadJSON(f, e.add); err != nil {
		return nil, failure.Usagef("--resume: %s: %w", file, err)
	}
	return e, nil
}

func (e *Earlier) add(v report.Vector) error {
	before, met := e.Passed[v.Name] // in another round, or in another file
	if v.Verdict == driver.Fail.String() || v.Reason == driver.WasFail {
		e.Failed[v.Name] = true
	}
	e.Passed[v.Name] = v.Verdict == driver.Pass.String() && !e.Failed[v.Name] && (before || !met)
	if len(e.Passed) > golden.MostVectors {
		return failure.Usagef("it has more than %d vectors", golden.MostVectors)
	}
	return nil
}

// Fits returns an error if the run was of another bench, chip or reference, or at another speed, so it cannot be
// resumed. The note, possibly empty, is for the user.
func (e *Earlier) Fits(now *report.Run) (note string, err error) {
	if e.file == "" {
		return "", nil
	}
	was := &e.start
	differ := append(report.Unequal(report.Difference{What: "the bench", Was: was.Bench, Is: now.Version}),
		now.Differences(&was.Identity)...)
	differ = append(differ, report.Unequal(
		report.Difference{What: "the speed", Was: speed(was.Speed), Is: speed(now.Speed)},
		report.Difference{What: "the list of conditions", Was: report.Conditions(was.Target),
			Is: report.Conditions(now.Target)},
	)...)
	if len(differ) > 0 {
		return "", failure.Usagef("--resume: %s is of another run: %w; run all of it again, without --resume",
			e.file, differ[0])
	}
	n := 0
	for _, ok := range e.Passed {
		if ok {
			n++
		}
	}
	return fmt.Sprintf("%d vectors passed before, says %s, and are not run again", n, e.file), nil
}

// speed describes a run's timing; nil is step by step.
func speed(t *transport.Timing) string {
	if t == nil {
		return "step by step"
	}
	return t.String()
}
