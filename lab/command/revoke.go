package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/help"

	"utfbench/lab/server"
)

func newRevoke() *cobra.Command {
	var data folder
	cmd := &cobra.Command{
		Use:   "revoke KEY",
		Short: "Revoke a machine's access to a lab",
		Long: `revoke takes a key away from a lab. A server that runs cuts off, within two seconds, whoever uses
it; a board that they have is parked by its host. The name is free for another invitation. Where
NATS elsewhere carries the lab, that happens when it was given what benchlab keys prints.

Exit codes: 0 revoked, 2 bad input, such as a key that the lab does not have, 3 it cannot be kept.`,
		Example: "  benchlab revoke pi1",
		Args:    help.Takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder, err := data.Folder()
			if err != nil {
				return err
			}
			if err := server.Revoke(folder, args[0]); err != nil {
				return err
			}
			if err := awaitKey(cmd, folder, args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "the invitation of %s is revoked\n", args[0])
			return err
		},
	}
	data.flag(cmd)
	cmd.ValidArgsFunction = completeKey(&data)
	return cmd
}
