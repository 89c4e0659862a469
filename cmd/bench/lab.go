package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/failure"
)

func newLab(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lab",
		Short: "Share boards between machines",
		Long: `A lab is a server, the machines that offer boards to it, and their boards. An invitation is a file
that lets a machine in; benchlab serve, which is a program of its own, writes the first one. See
docs/lab.md.`,
	}
	cmd.AddCommand(newLabBoards(), newLabPage(), newLabJoin(d), newLabRun(d), newLabSweep(d), newLabHandIn(d))
	for _, name := range []string{"serve", "invite", "revoke", "hosts"} {
		cmd.AddCommand(&cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true, Args: cobra.ArbitraryArgs,
			RunE: func(*cobra.Command, []string) error {
				return failure.Usagef("%s is a command of benchlab, a program of its own: benchlab %s", name, name)
			}})
	}
	return cmd
}

func newLabHandIn(d *design) *cobra.Command {
	var runs runFinder
	var invite string
	var every bool
	cmd := &cobra.Command{
		Use:   "hand-in [RUN...]",
		Short: "Hand in runs to the lab's history",
		Long: `hand-in copies runs of this machine's history to the lab's history, which anybody in the lab can
read. By default it copies the runs that are due: those on boards of this lab that could not be
handed in when they ended. RUN is the number of any run in the history, or last. A run that the
lab has already is not entered again.

Exit codes: 0 the lab has them, 2 bad input, 3 the lab does not answer, or does not take one.`,
		Example: `  bench lab hand-in
  bench lab hand-in 7 8 last
  bench history --lab`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if every && len(args) > 0 {
				return failure.Usagef("--all hands in every run: leave it out, or name no RUN")
			}
			h, err := runs.Open()
			if err != nil {
				return err
			}
			named, err := runs.Numbers(h, args)
			if every {
				named, err = h.Recorded()
			}
			if err != nil {
				return err
			}
			return labOf(cmd, invite).HandIn(h, named)
		},
	}
	runs.flags(cmd, d)
	f := cmd.Flags()
	f.StringVar(&invite, "invite", "", "invitation to the lab (default: BENCH_LAB, or the one that was used last)")
	f.BoolVar(&every, "all", false, "every run of the history that ended and has its recording")
	return cmd
}
