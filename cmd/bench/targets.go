package main

import (
	"context"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/runs/compare"
	"utfbench/station/native"
)

// targets are several targets that run the same vectors. A flag applies to every target that uses it.
type targets struct {
	target
	native.Group
}

// member returns one of them.
func (t *targets) member(transport string) (*native.Member, error) {
	of, one := t.target.Target, new(native.Member)
	of.Transport = transport
	no := func(string) bool { return false }
	if err := native.TakeAttached(context.Background(), &of, findBoards(), no); err != nil {
		return nil, err
	}
	one.Target = of.With(of.Transport)
	one.Target.Lab.Waiting = func(text string) { one.Said = append(one.Said, "bench: "+transport+": "+text) }
	one.Target.Working = nil // several at a time would write into one line
	return one, one.Target.Check()
}

// plan selects their vectors.
func (t *targets) plan(cmd *cobra.Command) (err error) {
	t.Run.Version, t.Tile = version(), t.design.tile
	return t.Plan(cmd.Context(), &t.Target)
}

// ask runs the vectors on them, and prints their notes.
func (t *targets) ask(cmd *cobra.Command, all []*native.Member) (*compare.Table, error) {
	bar, done := cli.NewBar(len(all)*t.Run.Asked.Vectors, "vectors"), 0
	bar.Eager = true // since a board that is gone takes its time
	bar.At(0)
	t.Done = func() { done++; bar.At(done) }
	table, err := t.Group.Ask(cmd.Context(), all)
	bar.Clear()
	for _, one := range all {
		tellLines(cmd.ErrOrStderr(), one.Said)
	}
	if table != nil {
		table.About = t.About()
	}
	return table, err
}
