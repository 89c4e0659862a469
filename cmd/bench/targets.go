package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/compare"
	"utfbench/runs/report"
	"utfbench/station/native"
)

// targets are several targets that run the same vectors. A flag applies to every target that uses it.
type targets struct {
	target
	native.Group
	noHistory, json bool
	junit           string
	files           files.Set
	save            func(any) error // writes --junit
}

// commonFlags adds the flags of every command about several targets; each names one of them.
func (t *targets) commonFlags(cmd *cobra.Command, d *design, each, timeout string) {
	f := cmd.Flags()
	selectFlags(f, &t.Run.Vectors)
	acceptFlag(f, &t.Run.Vectors.AcceptWeak)
	timeoutFlag(f, &t.Timeout, timeout)
	noWiringFlag(f, &t.Run.NoWiring)
	jsonFlag(cmd, &t.json)
	f.StringVar(&t.junit, "junit", "", "write JUnit XML to this file, a test suite for each "+each)
	noHistoryFlag(f, &t.noHistory)
	t.runs.flags(cmd, d)
}

// member returns one of them.
func (t *targets) member(transport string) (*native.Member, error) {
	of, one := t.target.Target, new(native.Member)
	of.Transport = transport
	if err := native.TakeAttached(&of, findBoards()); err != nil {
		return nil, err
	}
	one.Target = of.With(of.Transport)
	one.Target.Working = nil // several at a time would write into one line
	return one, one.Target.Check()
}

// begin begins the file of --junit, and selects the vectors.
func (t *targets) begin(cmd *cobra.Command, junit func(io.Writer) error) (err error) {
	t.files.Out = standard(cmd, t.junit)
	t.save, err = files.Begin(&t.files, files.Output[any]{Flag: "--junit", Path: t.junit,
		Write: func(_ any, w io.Writer) error { return junit(w) }})
	if err != nil {
		return err
	}
	t.Run.Version, t.Tile = version(), t.design.tile
	return t.Plan(cmd.Context(), &t.Target)
}

// enter enters the runs into the history, unless the user wants none.
func (t *targets) enter(cmd *cobra.Command) {
	if !t.noHistory {
		t.History = t.runs.enterInto(cmd)
	}
}

// tell writes the result and its file, and returns its verdict as an error.
func (t *targets) tell(cmd *cobra.Command, of *compare.Table) error {
	if err := cmp.Or(write(cmd, t.json, of.Text, of.JSON), t.save(nil)); err != nil {
		return benchFault(fmt.Errorf("writing the table: %w", err))
	}
	if !t.json {
		report.WriteNext(cmd.OutOrStdout(), of.Next(t.runs.DB))
	}
	if of.Interrupted() {
		return failure.Told(failure.Interrupted)
	}
	return judged(of.Verdict())
}

// ask runs the vectors on them, and prints their notes.
func (t *targets) ask(cmd *cobra.Command, all []*native.Member) (*compare.Table, error) {
	bar := cli.NewEagerBar(len(all)*t.Run.Asked.Vectors, "vectors")
	t.Done = func() { bar.Add(1) }
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
