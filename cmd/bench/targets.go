package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/terminal"
	"utfbench/lab/fleet"
	"utfbench/runs/matrix"
	"utfbench/station/native"
)

// targets are several targets that run the same vectors. A flag applies to every target that uses it.
type targets struct {
	target
	native.Group
}

// member returns one of them.
func (t *targets) member(transport string) (*native.Member, error) {
	of, one := t.target, new(native.Member)
	of.Transport = transport
	if err := of.takeAttached(); err != nil {
		return nil, err
	}
	one.Target = of.With(of.Transport)
	one.Target.Lab.Waiting = func(text string) { one.Said = append(one.Said, "bench: "+transport+": "+text) }
	one.Target.Working = nil // several at a time would write into one line
	return one, one.Target.Check()
}

// plan selects their vectors.
func (t *targets) plan(cmd *cobra.Command) (err error) {
	r := &t.Run
	r.Version, r.Vectors.Tile, r.Vectors.Seed = version(), t.design.tile, t.Seed
	r.Vectors.Explore.Context = cmd.Context()
	if r.Asked, err = r.Vectors.Plan(1); err != nil {
		return err
	}
	r.Asked.Asked.NoWiring = r.NoWiring
	if r.Asked.Vectors == 0 {
		return r.Vectors.Nothing()
	}
	return nil
}

// ask runs the vectors on them, and prints their notes.
func (t *targets) ask(cmd *cobra.Command, all []*native.Member) (*matrix.Table, error) {
	bar, done := terminal.NewBar(len(all)*t.Run.Asked.Vectors, "vectors"), 0
	t.Done = func() { done++; bar.At(done) }
	table, err := t.Group.Ask(cmd.Context(), all)
	bar.Clear()
	for _, one := range all {
		tellLines(cmd.ErrOrStderr(), one.Said)
	}
	if table != nil {
		table.About = t.about()
	}
	return table, err
}

func (t *targets) about() matrix.About {
	return matrix.About{Bench: version(), Tile: t.design.tile.Name(), Vectors: t.Run.Asked.Vectors,
		Digest: t.Run.Asked.Digest}
}

// labOptions makes the target a board of a lab, and returns the options of such; the lab is an argument.
func (t *targets) labOptions() (names []string) {
	t.Transport = "lab:*"
	for _, o := range t.Options() {
		if t.Uses(o.Name) && o.Name != "invite" && o.Name != "board" {
			names = append(names, o.Name)
		}
	}
	return names
}

// handIn hands in the runs on boards of a lab.
func (t *targets) handIn(cmd *cobra.Command, all []*native.Member) {
	var mine []int
	for _, one := range all {
		if native.DueAt(&one.Target) != "" && one.Number() > 0 {
			mine = append(mine, one.Number())
		}
	}
	if mine != nil {
		handInDue(cmd, t.Lab.Invitation, t.History, func(*fleet.Given) {}, mine...)
	}
}
