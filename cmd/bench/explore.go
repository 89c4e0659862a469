package main

import (
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
)

func newExplore(d *design) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "explore",
		Short: "Search for vectors that show what others miss, and run them",
		Long: `explore searches for vectors that show stuck-at faults in the gates of a tile, saves them, and runs
them as bench run does. --budget counts computation: a seed gives the same vectors on each machine.

` + exitCodes,
		Example: `  bench explore --tile . -t rp2040 --budget 5m --save explored.vec`,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.explore(cmd) },
	}
	o.target.flags(cmd, d)
	f, x := cmd.Flags(), &o.Explore
	f.DurationVar(&x.Budget, "budget", time.Minute, "about the `TIME` of the search on an idle core")
	f.StringVar(&o.save, "save", "", "write the vectors to this `FILE`, for bench run --file")
	acceptFlag(f, &o.Vectors.AcceptWeak)
	tagFlag(cmd.Flags(), &o.tagTexts)
	o.judging.flags(f, &o.Run)
	noWiringFlag(f, &o.NoWiring)
	coverageFlags(cmd, &o.Run)
	o.outputFlags(f)
	x.Enabled = true
	return cmd
}

func (o *runOptions) explore(cmd *cobra.Command) error {
	if o.save == "" {
		return failure.Usagef("give --save FILE for the vectors")
	}
	if err := o.target.refuseRecording(cmd); err != nil {
		return err
	}
	o.Explore.File = o.save
	return o.run(cmd)
}
