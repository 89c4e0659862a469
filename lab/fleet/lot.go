package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/compare"
	"utfbench/runs/explain"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// A Lot judges several boards of a lab together. Fill in the fields, then call Muster and Judge.
type Lot struct {
	compare.Lot
	On      On
	Unit    string // the golden unit's name, or ""
	InJUnit bool   // keep each vector for WriteJUnit

	// Member returns a board as a target.
	Member func(transport string) (*native.Member, error)
	Ask    func([]*native.Member) (*compare.Table, error)
	// Recording opens the recording of a run for diagnosis.
	Recording func(run string) (*station.Chip, error)
	Working   func(what string) (done func()) // announces a slow operation

	junits report.JUnits
	suites map[*compare.Board]*report.JUnitRun
	listed map[*compare.Board]*lab.Board
}

// Parse sets the lot's boards from a user's texts, and returns the tags of its runs. An empty
// name stands for the present time.
func (l *Lot) Parse(on, name string) (said document.Tags, err error) {
	name = cmp.Or(name, time.Now().UTC().Format("20060102-150405"))
	if said, err = document.ParseTags([]string{document.Lot + "=" + name}); err != nil || strings.Contains(name, "/") {
		return nil, failure.Usagef("--lot %q: a name has 1 to 200 bytes of printable text without /", name)
	}
	l.On, err = ParseOn(on)
	return said, err
}

// errUnwanted reports a chip that On excludes.
var errUnwanted = errors.New("--on excludes this chip")

// Muster finds the selected boards in the list of a lab.
func (l *Lot) Muster(where string, list *lab.List) (err error) {
	l.suites, l.listed = map[*compare.Board]*report.JUnitRun{}, map[*compare.Board]*lab.Board{}
	if len(list.Boards) == 0 {
		return failure.Newf(failure.Nothing, "the lab has no boards: a machine offers its own by bench lab join INVITE")
	}
	l.Where = where
	var golden *lab.Board
	if l.Unit != "" {
		if golden, err = list.Find(l.Unit); err != nil {
			return failure.Usagef("--golden: %w", err)
		}
		l.Golden = l.board(golden)
	}
	wanted := l.On.Boards(list)
	if len(wanted) == 0 {
		return l.On.Nobody(list)
	}
	for _, name := range wanted {
		b, err := list.Find(name)
		if err != nil {
			return err
		}
		if b != golden {
			l.Boards = append(l.Boards, l.board(b))
		}
	}
	if len(l.Boards) == 0 {
		return failure.Usagef("--golden %s: there is no other board to judge", l.Unit)
	}
	return nil
}

func (l *Lot) board(b *lab.Board) *compare.Board {
	of := &compare.Board{Name: b.String()}
	l.listed[of] = b
	return of
}

// Judge runs the jobs on all boards, repeats boards that do not pass, and diagnoses their first runs.
func (l *Lot) Judge(ctx context.Context, jobs []driver.Job, retests int) error {
	if err := l.Lot.Ask(ctx, l.ask, retests); err != nil {
		return err
	}
	if len(l.Boards) == 0 {
		return l.On.Unmet()
	}
	for _, b := range l.Boards {
		if ctx.Err() != nil || !b.Judged() || b.First() == driver.Pass || b.Runs[0].Number == 0 {
			continue
		}
		done := l.Working("diagnosing " + b.Name)
		b.Cause = l.cause(ctx, strconv.Itoa(b.Runs[0].Number))
		done()
	}
	return nil
}

// Numbers returns the numbers of the runs in the history.
func (l *Lot) Numbers() (all []int) {
	for b := range l.listed {
		for _, run := range b.Runs {
			all = append(all, run.Number)
		}
	}
	return all
}

// ask runs the jobs on boards concurrently, and adds a run to each.
func (l *Lot) ask(_ context.Context, boards []*compare.Board) error {
	var all []*native.Member
	for _, b := range boards {
		one, err := l.Member("lab:" + b.Name)
		if err != nil {
			return err
		}
		if l.InJUnit {
			one.JUnit = l.suite(b)
		}
		if one.Tags = l.tags(b); b != l.Golden {
			one.Wants = func(c *station.Chip) error {
				if !l.On.Wants(KindOf(c)) {
					return errUnwanted
				}
				return nil
			}
		}
		all = append(all, one)
	}
	table, err := l.Ask(all)
	if err != nil {
		return err
	}
	for i, b := range boards {
		switch column := table.Columns[i]; {
		case len(b.Runs) > 0 || column.Err == nil:
			b.Runs = append(b.Runs, column)
		case errors.Is(column.Err, errUnwanted):
			l.Boards = slices.DeleteFunc(l.Boards, func(of *compare.Board) bool { return of == b })
			l.junits.Drop(l.suites[b])
		default:
			l.notAsked(b, column)
		}
	}
	return nil
}

// tags returns a board's place in the lot, for the history, with the names of boards that may get no run. The number of
// boards is unknown if open chips are selected.
func (l *Lot) tags(b *compare.Board) document.Tags {
	switch {
	case b == l.Golden:
		return document.Tags{document.Golden: "yes"}
	case l.On.OfChips():
		return nil
	}
	tags, absent := document.Tags{document.Boards: strconv.Itoa(len(l.Boards))}, ""
	for _, of := range l.Boards {
		if named := strings.TrimSpace(absent + " " + of.Name); l.listed[of].State != lab.Free &&
			len(named) <= document.MostValue {
			absent, tags[document.Absent] = named, named
		}
	}
	return tags
}

// notAsked records why a board could not be used. The list of boards is a second old, so only its current state counts.
func (l *Lot) notAsked(b *compare.Board, column *compare.Column) {
	var taken *lab.TakenError
	switch listed := l.listed[b]; {
	case errors.As(column.Err, &taken):
		b.Away, b.Why = string(lab.Taken), column.Reason
		if taken.Holder != nil {
			b.Why = taken.Holder.String()
		}
	case listed.State == lab.Gone:
		b.Away, b.Why = string(lab.Gone), listed.Reason
	default:
		b.Runs = append(b.Runs, column)
	}
}

func (l *Lot) suite(b *compare.Board) *report.JUnitRun {
	if l.suites[b] == nil {
		l.suites[b] = l.junits.Add("lab:" + b.Name)
	}
	return l.suites[b]
}

// all returns all boards, the golden unit first.
func (l *Lot) all() []*compare.Board {
	if l.Golden == nil {
		return l.Boards
	}
	return append([]*compare.Board{l.Golden}, l.Boards...)
}

// WriteJUnit writes a test suite per board, with its values.
func (l *Lot) WriteJUnit(w io.Writer) error {
	boards := l.all()
	for _, b := range boards {
		if b.Away != "" || len(b.Runs) > 0 {
			of := l.suite(b)
			of.Trouble = cmp.Or(b.Reason(), of.Trouble)
		}
	}
	for _, b := range boards {
		values := b.Measured()
		for _, measure := range compare.Measures {
			if value, known := values[measure]; known {
				l.suite(b).Say(measure, compare.Amount(value, measure))
			}
		}
	}
	return l.junits.Write(w, l.Elapsed)
}

// cause returns the explanation of a run, or "" if it has none or its recording cannot be read.
func (l *Lot) cause(ctx context.Context, run string) string {
	c, err := l.Recording(run)
	if err != nil {
		return ""
	}
	defer c.Close()
	d, err := explain.Recordings(ctx, []explain.Run{explain.NewRun(run, c.Recording)}, c.Board, c.Tile,
		native.Simulated(c.Origin()), nil)
	if err != nil || d.Explanation == nil {
		return ""
	}
	if d.Ambiguous {
		return strings.Join(d.Suspects, " or ")
	}
	return strings.Join(d.Suspects, ", ")
}

// lost returns the number of boards that were absent or that a run lost.
func (l *Lot) lost() (n int) {
	for _, b := range l.all() {
		if b.Away == string(lab.Gone) || b.First() == driver.Error && b.Away == "" &&
			failure.KindOf(b.Runs[0].Err) != failure.User {
			n++
		}
	}
	return n
}

// mostNext is the maximum number of boards with next commands.
const mostNext = 5

// NextOf returns commands for boards with a failed last run, one for each cause.
func NextOf(list *lab.List) (all []report.Next) {
	seen := map[string]bool{}
	for i := range list.Boards {
		b := &list.Boards[i]
		if b.Last == nil || b.Last.Verdict != driver.Fail.String() && b.Last.Verdict != driver.Flaky.String() ||
			seen[b.Last.Cause] {
			continue
		}
		seen[b.Last.Cause] = b.Last.Cause != ""
		if all = append(all, report.Next{Words: []string{"diagnose", fmt.Sprintf("lab:%d", b.Last.Run)},
			Why: b.String() + ": what explains it"}); len(all) == mostNext {
			break
		}
	}
	return all
}

// Next returns commands for the boards that did not pass, one for each cause; db is a history other than the user's,
// or "".
func (l *Lot) Next(db string) (all []report.Next) {
	in := report.RecordedAs(1, "", "", db)[1:]
	if lost := l.lost(); lost > 0 {
		all = append(all, report.Next{Words: []string{"lab", "boards"},
			Why: fmt.Sprintf("whether the hosts of %s are there", printable.Count(lost, "lost board"))})
	}
	seen := map[string]bool{}
	for _, b := range l.all() {
		if b.Verdict() == driver.Pass || len(b.Runs) == 0 || b.Runs[0].Number == 0 || len(all) == mostNext ||
			b.First() == driver.Error || seen[b.Cause] {
			continue
		}
		seen[b.Cause] = b.Cause != ""
		if b.First() == driver.Wiring {
			all = append(all, report.Next{Words: []string{"doctor", "-t", "lab:" + b.Name},
				Why: b.Name + ", layer by layer"})
			continue
		}
		all = append(all, report.Next{Words: slices.Concat([]string{"report", strconv.Itoa(b.Runs[0].Number)}, in,
			[]string{"--open"}), Why: b.Name + ": waveforms, and what explains them"})
	}
	return all
}
