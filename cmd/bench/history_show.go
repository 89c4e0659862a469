package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/runs/history"
	"utfbench/runs/plan"
)

func newHistoryShow(d *design) *cobra.Command {
	var runs runFinder
	var verbose bool
	cmd := &cobra.Command{
		Use:   "show RUN",
		Short: "Show a run's report again",
		Long:  "show judges the recording of a run again. " + runWords,
		Args:  takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := runs.recording(args[0])
			if err == nil {
				defer c.Close()
				_, err = plan.Suites(c.Recording, c.Tile)
			}
			if err != nil {
				_ = runs.Entered(args[0], func(h *history.History, r *history.Run) error {
					// prints the history's row; the missing recording is the error
					return h.Outline(cmd.OutOrStdout(), r)
				})
				return err
			}
			if end := c.Recording.End; end != nil && end.BadWires() {
				fmt.Fprintln(cmd.OutOrStdout(), "the wiring was at fault, and the chip was not judged")
				return nil
			}
			if err := again(cmd, cmd.OutOrStdout(), c, &judging{verbose: verbose}); err != nil {
				return err
			}
			return runs.Since(cmd.OutOrStdout(), args[0])
		},
	}
	runs.flags(cmd, d)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "a line for every vector, every failure in full")
	return cmd
}
