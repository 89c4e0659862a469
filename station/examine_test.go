package station

import (
	"context"
	"errors"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// pulled is a transport that returns an error when it is parked.
type pulled struct{ transport.Transport }

func (pulled) Close() error { return errors.New("the cable was pulled") }

// Each layer is reported in turn. A layer that prevents further checks is reported with its error; bad input is not.
func TestExamine(t *testing.T) {
	good := NewTarget("mock")
	faulty := NewTarget("mock")
	faulty.Faults = []string{"uo0=stuck1"}
	unknown := NewTarget("abacus")
	cut := NewTarget("it")
	cut.Kinds = []Kind{{Name: "it", DefaultBoard: "mock", Open: func(ctx context.Context, of *Target, where string,
		c *Chip) (transport.Transport, error) {
		tr, err := Kinds()[0].Open(ctx, of, where, c)
		return pulled{tr}, err
	}}}
	for name, c := range map[string]struct {
		of    *Target
		want  driver.Verdict
		blame failure.Kind // kind of the error, if the verdict is ERROR
		marks string       // marks of the findings
		last  string       // last finding
	}{
		"the model":     {&good, driver.Pass, 0, "ok ok ok --", "--  chip "},
		"a faulty mock": {&faulty, driver.Fail, 0, "ok NO ok --", "--  chip "},
		"a stranger": {wired(&stranger{}), driver.Error, failure.OtherDesign, "NO", "NO  transport        what " +
			"answers is not this design"},
		"a loose cable": {&cut, driver.Error, failure.Bench, "ok NO", "NO  parking          the cable was pulled"},
		"no such kind":  {&unknown, driver.Error, failure.User, "", " "},
	} {
		var marks []string
		var last Finding
		verdict, err := c.of.Examine(t.Context(), func(f Finding) {
			marks, last = append(marks, f.Mark), f
		})
		if verdict != c.want || (err != nil) != (verdict == driver.Error) || failure.KindOf(err) != c.blame ||
			strings.Join(marks, " ") != c.marks ||
			!strings.HasPrefix(last.String(), c.last) {
			t.Errorf("%s: %v, %v, %q, the last %q", name, verdict, err, marks, last)
		}
		if told := last.Err != nil; told != (err != nil && c.blame != failure.User) ||
			told && !errors.Is(err, last.Err) {
			t.Errorf("%s: the finding has %v, and the error is %v", name, last.Err, err)
		}
	}
}

// An examination that compares nothing is not PASS: a tile given by its gates cannot be distinguished from other
// designs, and its steps do not prove every line.
func TestExamineWithoutQuestions(t *testing.T) {
	x := inverter(t)
	for name, c := range map[string]struct {
		wires bool
		want  driver.Verdict
		said  string
	}{
		"a simulation": {false, driver.Skipped, "ok -- --  chip             not judged: it has no wires to check"},
		"a board":      {true, driver.Weak, "ok -- ok -- ok ok  parking "},
	} {
		of := NewTarget("it")
		of.Tile = x
		of.Kinds = []Kind{{Name: "it", DefaultBoard: "mock", HasWires: c.wires, Open: func(context.Context, *Target,
			string, *Chip) (transport.Transport, error) {
			return mock.Open(mock.Config{Tile: x}), nil
		}}}
		marks, last := "", Finding{}
		verdict, err := of.Examine(t.Context(), func(f Finding) { marks, last = marks+f.Mark+" ", f })
		if said := marks + last.String(); verdict != c.want || err != nil || !strings.Contains(said, c.said) {
			t.Errorf("%s: %v, %v, %s", name, verdict, err, said)
		}
	}
}
