package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/printable"
	"utfbench/lab/host"
	"utfbench/transport/lab"
)

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
	f.Uint64Var(&named.Seed, "seed", 1, "seed for random faults")
	return cmd
}
