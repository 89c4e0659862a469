package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/lab/fleet"
	"utfbench/lab/past"
	"utfbench/runs/explain"
	"utfbench/runs/lot"
	"utfbench/runs/matrix"
	"utfbench/runs/next"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// boardsOfLab are boards of a lab that are judged together, as flags name them.
type boardsOfLab struct {
	asker
	targets targets // whose flags count for each of them
	on      string
	fit     fleet.On // what on says
	golden  string
	invite  string // the invitation's file; "" is the one that was used last

	lot     *lot.Lot
	junits  report.JUnits
	suites  map[*lot.Board]*report.JUnitRun
	listed  map[*lot.Board]*lab.Board
	inJUnit bool // whether there are suites
	clocks  bool // whether the highest clock is measured
	speedy  speedyJobs
}

func (o *boardsOfLab) begin() {
	o.lot, o.listed, o.suites = new(lot.Lot), map[*lot.Board]*lab.Board{}, map[*lot.Board]*report.JUnitRun{}
}

// muster finds the boards that are wanted.
func (o *boardsOfLab) muster(cmd *cobra.Command, invite string) error {
	o.invite = invite
	where, list, err := listLab(cmd, o.invite)
	if err != nil {
		return err
	}
	if len(list.Boards) == 0 {
		return failure.New(failure.Nothing, errors.New("the lab has no boards: a machine offers its own by "+
			"bench lab join INVITE"))
	}
	o.lot.Where = where
	var golden *lab.Board
	if o.golden != "" {
		if golden, err = list.Find(o.golden); err != nil {
			return failure.Usagef("--golden: %w", err)
		}
		o.lot.Golden = o.board(golden)
	}
	wanted := o.fit.Boards(list)
	if len(wanted) == 0 {
		return o.fit.Nobody(list)
	}
	for _, name := range wanted {
		b, err := list.Find(name)
		if err != nil {
			return err
		}
		if b != golden {
			o.lot.Boards = append(o.lot.Boards, o.board(b))
		}
	}
	slices.SortFunc(o.lot.Boards, func(a, b *lot.Board) int { return printable.Natural(a.Name, b.Name) })
	if len(o.lot.Boards) == 0 {
		return failure.Usagef("--golden %s: there is no other board to judge", o.golden)
	}
	return nil
}

// board returns a board of the lot.
func (o *boardsOfLab) board(b *lab.Board) *lot.Board {
	of := &lot.Board{Name: b.String()}
	o.listed[of] = b
	return of
}

// handIn hands in the runs, which the table has told of.
func (o *boardsOfLab) handIn(cmd *cobra.Command) {
	if o.history == "" {
		return
	}
	mine := []int{}
	for b := range o.listed {
		for _, run := range b.Runs {
			mine = append(mine, run.Number)
		}
	}
	handInDue(cmd, o.invite, o.history, func(*past.Given) {}, mine...)
}

// askBoards asks boards at the same time, and adds a run to each.
func (o *boardsOfLab) askBoards(cmd *cobra.Command, boards []*lot.Board) error {
	var all []*oneOf
	for _, b := range boards {
		one, err := o.targets.borrowed(cmd, b.Name, o.invite)
		if err != nil {
			return err
		}
		if o.inJUnit {
			one.junit = o.suite(b)
		}
		if o.clocks && len(b.Runs) == 0 {
			one.then = func(ctx context.Context, c *station.Chip, v driver.Verdict) {
				b.Timing = o.speedy.time(ctx,
					c, v)
			}
		}
		if b != o.lot.Golden {
			one.wants = func(c *station.Chip) bool { return o.fit.Wants(fleet.KindOf(c)) }
		}
		all = append(all, one)
	}
	table, err := o.ask(cmd, all, nil)
	if err != nil {
		return err
	}
	for i, b := range boards {
		switch column := table.Columns[i]; {
		case len(b.Runs) > 0 || column.Err == nil:
			b.Runs = append(b.Runs, column)
		case errors.Is(column.Err, errUnwanted):
			o.drop(b)
		default:
			o.notAsked(b, column)
		}
	}
	return nil
}

// notAsked records why a board could not be used. The list of boards is a second old, so only its current state counts.
func (o *boardsOfLab) notAsked(b *lot.Board, column *matrix.Column) {
	var taken *lab.TakenError
	switch listed := o.listed[b]; {
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

// drop takes a board out of the lot.
func (o *boardsOfLab) drop(b *lot.Board) {
	o.lot.Boards = slices.DeleteFunc(o.lot.Boards, func(of *lot.Board) bool { return of == b })
	o.junits.Drop(o.suites[b])
}

// suite returns a board's suite.
func (o *boardsOfLab) suite(b *lot.Board) *report.JUnitRun {
	if o.suites[b] == nil {
		o.suites[b] = o.junits.Add("lab:" + b.Name)
	}
	return o.suites[b]
}

// writeJUnit writes the suites of all boards, with the limits as test cases.
func (o *boardsOfLab) writeJUnit(w io.Writer) error {
	boards := o.lot.Boards
	if o.lot.Golden != nil {
		boards = append([]*lot.Board{o.lot.Golden}, boards...)
	}
	for _, b := range boards {
		if b.Away != "" || len(b.Runs) > 0 {
			o.suite(b).Trouble = b.Reason()
		}
	}
	for _, c := range o.lot.Checks() {
		failure := ""
		if c.Is == lot.Outside || c.Is == lot.Unmeasured {
			failure = c.String()
		}
		o.suite(c.Board).Check(c.Limit.String(), failure)
	}
	o.say(boards)
	return o.junits.Write(w, o.lot.Elapsed)
}

// say adds the measured values of boards to their suites.
func (o *boardsOfLab) say(boards []*lot.Board) {
	for _, b := range boards {
		values := b.Measured()
		for _, measure := range lot.Measures {
			if value, known := values[measure]; known {
				o.suite(b).Say(measure, lot.Amount(value, measure))
			}
		}
	}
}

// causes has the first run of each board that was judged and did not pass explained, as bench diagnose does.
func (o *boardsOfLab) causes(ctx context.Context) {
	for _, b := range o.lot.Boards {
		if ctx.Err() != nil || !b.Judged() || b.First() == driver.Pass || b.Runs[0].Number == 0 {
			continue
		}
		done := working("looking for what explains " + b.Name)
		b.Cause = o.cause(strconv.Itoa(b.Runs[0].Number))
		done()
	}
}

// cause returns the explanation of a run, or "" without one or a readable recording.
func (o *boardsOfLab) cause(run string) string {
	c, err := o.targets.runs.recording(run)
	if err != nil {
		return ""
	}
	defer c.Close()
	d, err := explain.Recordings([]explain.Run{explain.NewRun(run, c.Recording)}, c.Board, c.Tile,
		native.Simulated(c.Origin()))
	if err != nil || d.Explanation == nil {
		return ""
	}
	return strings.Join(d.Suspects, "; ")
}

// mostNext is the number of boards for which next commands are printed.
const mostNext = 5

// next returns commands for the boards that did not pass.
func (o *boardsOfLab) next() (all []next.Step) {
	db := next.Recorded(1, "", "", o.targets.runs.DB)[1:]
	for _, b := range o.lot.Boards {
		if b.Verdict() == driver.Pass || len(b.Runs) == 0 || b.Runs[0].Number == 0 || len(all) == mostNext {
			continue
		}
		run := strconv.Itoa(b.Runs[0].Number)
		if b.First() == driver.Wiring {
			all = append(all, next.Step{Words: []string{"doctor", "-t", "lab:" + b.Name},
				Why: b.Name + ", layer by layer"})
			continue
		}
		all = append(all, next.Step{Words: slices.Concat([]string{"report", run}, db, []string{"--open"}),
			Why: b.Name + ": waveforms, and what explains them"})
	}
	return all
}
