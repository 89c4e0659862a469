package main

import (
	"context"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"utfbench/runs/bundle"
	"utfbench/runs/explain"
	"utfbench/runs/history"
	runpage "utfbench/runs/page"
	"utfbench/runs/report"
	"utfbench/station/native"
)

// recorded opens a run of a history for who asks by a browser. What the recording says of a tile elsewhere is not
// followed: it may come from another machine, and this one would compile what it names.
func recorded(ctx context.Context, of *history.History, number int) (*chip, error) {
	t := native.New("replay:" + strconv.Itoa(number))
	t.Tile, t.Recordings = usual, of.Recordings
	c, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &chip{Chip: c, target: c.Recording.Start.Target}, nil
}

// inBackground is a command that nobody typed: it has a context, and says nothing.
func inBackground(ctx context.Context) *cobra.Command {
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	cmd.SetErr(io.Discard)
	return cmd
}

// reportOf writes the page of a run, as bench report does.
func reportOf(ctx context.Context, w io.Writer, of *history.History, number int) error {
	c, err := recorded(ctx, of, number)
	if err != nil {
		return err
	}
	defer c.Close()
	p := &runpage.Page{Out: w, Origin: c.Origin(), When: c.Recording.Start.Time, Number: func() int { return number }}
	told := report.All{explain.Page(p, c.Board, c.Tile, native.Simulated(c.Origin()))}
	return again(inBackground(ctx), io.Discard, c, &judging{reporters: told, number: number})
}

// bundleOf writes the zip of a run, as bench bundle does that asks no chip.
func bundleOf(ctx context.Context, w io.Writer, of *history.History, number int) error {
	c, err := recorded(ctx, of, number)
	if err != nil {
		return err
	}
	defer c.Close()
	b := bundle.Bundle{Recording: c.Recording, Tile: c.Tile, State: bundle.Unasked(&c.Recording.Start),
		Version: versionLine(), Judge: func(text io.Writer, told report.All) error {
			return again(inBackground(ctx), text, c, &judging{reporters: told})
		}}
	_, err = b.Write(w)
	return err
}
