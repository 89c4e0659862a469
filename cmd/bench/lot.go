package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/runs/lot"
	"utfbench/runs/report"
	"utfbench/transport/lab"
)

// boardsOfLab are boards of a lab that are judged together, as flags name them.
type boardsOfLab struct {
	asker
	targets targets // whose flags count for each of them
	on      []string
	golden  string
	invite  string // the invitation's file; "" is the one that was used last

	lot    *lot.Lot
	junits report.JUnits
	suites map[*lot.Board]*report.JUnitRun
}

func (o *boardsOfLab) begin() { o.lot, o.suites = new(lot.Lot), map[*lot.Board]*report.JUnitRun{} }

// muster finds the boards that are wanted, and says of those that cannot be asked why.
func (o *boardsOfLab) muster(cmd *cobra.Command, invite string) error {
	o.invite = invite
	conn, err := dialLab(cmd, o.invite)
	if err != nil {
		return err
	}
	defer conn.Close()
	list, err := conn.Boards(cmd.Context())
	if err != nil {
		return benchFault(err)
	}
	if len(list.Boards) == 0 {
		return &exit{exitNothing, errors.New("the lab has no boards: a machine offers its own by " +
			"bench lab join INVITE")}
	}
	o.lot.Where = conn.Invitation.Lab
	var golden *lab.Board
	if o.golden != "" {
		if golden, err = list.Find(o.golden); err != nil {
			return fmt.Errorf("--golden: %w", err)
		}
		o.lot.Golden = o.board(golden)
	}
	wanted, err := o.wanted(list)
	if err != nil {
		return err
	}
	for _, b := range wanted {
		if b != golden {
			o.lot.Boards = append(o.lot.Boards, o.board(b))
		}
	}
	if len(o.lot.Boards) == 0 {
		return fmt.Errorf("--golden %s: there is no other board to judge", o.golden)
	}
	return nil
}

// wanted are the boards that --on says, in the order of the list.
func (o *boardsOfLab) wanted(list *lab.List) (all []*lab.Board, err error) {
	patterns := o.on
	if len(patterns) == 0 {
		patterns = []string{"*"}
	}
	for _, pattern := range patterns {
		fit, err := list.Match(pattern)
		if err != nil {
			return nil, fmt.Errorf("--on %s: %w", pattern, err)
		}
		if len(fit) == 0 {
			return nil, fmt.Errorf("--on %s: no board of the lab has such a name; bench lab boards lists them", pattern)
		}
		all = append(all, fit...)
	}
	slices.SortFunc(all, func(a, b *lab.Board) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(all), nil
}

// board is one of the lot. One that is gone, or taken and not waited for, is not asked.
func (o *boardsOfLab) board(b *lab.Board) *lot.Board {
	of := &lot.Board{Name: b.String()}
	if b.State == lab.Gone || b.State == lab.Taken && !o.targets.Lab.Wait {
		of.Away, of.Why = string(b.State), b.Reason
		if b.Holder != nil && b.State == lab.Taken {
			of.Why = b.Holder.String()
		}
	}
	return of
}

// askBoards asks boards at the same time, and adds a run to each.
func (o *boardsOfLab) askBoards(cmd *cobra.Command, boards []*lot.Board) error {
	var all []*oneOf
	for _, b := range boards {
		one, err := o.targets.borrowed(cmd, b.Name, o.invite)
		if err != nil {
			return err
		}
		one.junit = o.suite(b)
		all = append(all, one)
	}
	table, err := o.ask(cmd, all, nil)
	if err != nil {
		return err
	}
	for i, b := range boards {
		column := table.Columns[i]
		if taken := new(lab.TakenError); errors.As(column.Err, &taken) && len(b.Runs) == 0 {
			b.Away, b.Why = string(lab.Taken), column.Reason // since it was listed
			continue
		}
		b.Runs = append(b.Runs, column)
	}
	return nil
}

// suite is that of a board.
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
	return o.junits.Write(w, o.lot.Elapsed)
}
