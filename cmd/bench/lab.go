package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/lab/fleet"
	"utfbench/lab/host"
	"utfbench/runs/report"
	"utfbench/transport/lab"
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

func newLabPage() *cobra.Command {
	return &cobra.Command{
		Use:   "page [INVITE]",
		Short: "Print the address of a lab's page",
		Long: `page prints the address of the lab's page, with a token that admits one browser, once, within ten
minutes. The browser acts in the name of the invitation. If only the server's machine can reach the
page, use a tunnel, such as ssh -L 7061:127.0.0.1:7061 SERVER.

Exit codes: 0 printed, 2 bad input, 3 the lab does not respond, or has no page.`,
		Example: `  xdg-open "$(bench lab page)"
  bench lab page pi1.invite`,
		RunE: func(cmd *cobra.Command, args []string) error {
			conn, err := lab.Enter(cmd.Context(), strings.Join(args, ""), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			defer conn.Close()
			p, err := conn.Page(cmd.Context())
			if err != nil {
				return benchFault(err)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), p.URL)
			return err
		},
	}
}

func newLabJoin(d *design) *cobra.Command {
	var named host.Named
	cmd := &cobra.Command{
		Use:   "join [INVITE]",
		Short: "Offer this machine's boards to a lab",
		Long: `join offers boards of this machine to the lab of an invitation, until Ctrl-C: those that -t names, or
all demo boards that are plugged in, now or later. Users reach one by -t lab:BOARD. One user at a
time has it; this machine parks the chip when the user leaves or has been silent for ` + lab.Silence.String() + `.

INVITE is what benchlab serve or benchlab invite wrote, one for each machine. The first one to a lab is
remembered, and bench run and others on this machine use it too. To try it without a board, offer the
mock: -t mock. A --fault is in all mocks of the command.

Exit codes: 0 stopped; 2 bad input; 3 the lab could not be reached, or does not take the boards.`,
		Example: `  bench lab join invite
  bench lab join rpi3.invite -t gpio --name board7
  bench lab join -t mock --name good -t mock --name bad`,
		RunE: func(cmd *cobra.Command, args []string) error {
			named.Tile = d.tile
			find, err := named.Offers()
			if err != nil {
				return err
			}
			done := cli.Working("joining the lab")
			conn, err := lab.Join(cmd.Context(), strings.Join(args, ""), cmd.ErrOrStderr())
			done()
			if err != nil {
				return err
			}
			defer conn.Close()
			tell := func(text string) {
				fmt.Fprintf(cmd.OutOrStdout(), "%s  %s\n", time.Now().Format(time.DateTime), printable.Text(text))
			}
			h := host.Host{Bench: version(), Find: find, Tell: tell}
			return benchFault(h.Run(cmd.Context(), conn))
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&named.Transports, "transport", "t", nil, "a board to offer, `KIND[:WHERE]`: mock[:tt08|tt09], "+
		"rp2040[:PORT] or gpio[:BACKEND]; repeatable (default: all demo boards that are plugged in)")
	f.StringArrayVar(&named.Names, "name", nil, "its name in the lab, in the order of -t; repeatable "+
		"(default: made of the kind, or of the serial number)")
	f.StringArrayVar(&named.Notes, "note", nil, "what people should know of it, such as its place or the label on it, "+
		"in the order of -t; repeatable")
	f.StringVar(&named.Board, "board", "", "pin map of the boards of its kind (default: the transport's, or as "+
		"detected)")
	f.StringArrayVar(&named.Faults, "fault", nil, "inject a fault into the mocks, to try what users see; repeatable")
	f.Uint64Var(&named.Seed, "seed", 0, "seed for random faults (default: a new one each time that a board is opened)")
	return cmd
}
