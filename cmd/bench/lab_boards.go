package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/document"
	"utfbench/lab/fleet"
	"utfbench/runs/report"
	"utfbench/transport/lab"
)

func newLabBoards() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "boards [INVITE]",
		Short: "List the boards of a lab, their users, faults and last verdicts",
		Long: `boards lists what the hosts of a lab said of their boards within the last second, and the last verdict
of each in the lab's history. The invitation is remembered, so that it need not be named again; a
file that BENCH_LAB names counts before it.

Exit codes: 0 they are listed, 2 bad input, 3 the lab does not answer.`,
		Example: `  bench lab boards pi1.invite
  bench lab boards --json | jq -r '.boards[] | select(.state == "free").board'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			where, list, err := listLab(cmd, strings.Join(args, ""))
			if err != nil {
				return err
			}
			return write(cmd, asJSON, func(w io.Writer) error {
				err := list.Table(w)
				report.WriteNext(w, fleet.NextOf(list))
				return err
			}, asDocument(struct {
				document.Head
				Lab    string      `json:"lab"`
				Boards []lab.Board `json:"boards"`
			}{head(), where, append([]lab.Board{}, list.Boards...)}))
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
