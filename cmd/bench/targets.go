package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/compare"
	"utfbench/runs/report"
	"utfbench/station/native"
	"utfbench/transport/lab"
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
	no := func(string) bool { return false }
	if err := native.TakeAttached(context.Background(), &of, findBoards(), no); err != nil {
		return nil, err
	}
	one.Target = of.With(of.Transport)
	one.Target.Lab.Waiting = func(text string) { one.Said = append(one.Said, "bench: "+transport+": "+text) }
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

// handIn hands in runs on boards of a lab.
func (t *targets) handIn(cmd *cobra.Command, runs []int) {
	if t.History != "" {
		lab := labOf(cmd, t.Lab.Invitation)
		lab.Out = io.Discard
		lab.HandInDue(t.History, runs...)
	}
}

// A tabulated result is a compare.Table, or a lot of boards.
type tabulated interface {
	Text(io.Writer) error
	JSON(io.Writer) error
	Next(db string) []report.Next
	Interrupted() bool
	Verdict() driver.Verdict
}

// tell writes the result and its file, and returns its verdict as an error.
func (t *targets) tell(cmd *cobra.Command, of tabulated) error {
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

// listLab gives the boards of the lab of an invitation, and where it is.
func listLab(cmd *cobra.Command, invitation string) (where string, list *lab.List, err error) {
	defer cli.Working("waiting for the lab's response")()
	conn, err := lab.Enter(cmd.Context(), invitation, cmd.ErrOrStderr())
	if err != nil {
		return "", nil, err
	}
	defer conn.Close()
	list, err = conn.Boards(cmd.Context())
	return conn.Invitation.Lab, list, benchFault(err)
}

// onFlag adds --on, which selects boards of a lab; fleet.ParseOn parses it.
func onFlag(f *pflag.FlagSet, on *string) {
	f.StringVar(on, "on", "", "only boards that fit all of this: `KEY=PATTERN` or KEY!=PATTERN, with a comma between "+
		"two; KEY is board, host, kind, design, rev or note, of which a word has to match")
}
