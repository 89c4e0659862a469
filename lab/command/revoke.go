package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"

	"utfbench/lab/server"
)

func newRevoke() *cobra.Command {
	var data folder
	cmd := &cobra.Command{
		Use:   "revoke KEY",
		Short: "Revoke a machine's access to a lab",
		Long: `revoke removes a key from a lab. A running server disconnects the key's machines within two seconds,
and hosts park the boards that they use. The name is then free for another invitation.

Exit codes: 0 revoked, 2 bad input, such as an unknown key, 3 the change cannot be stored.`,
		Example: "  benchlab revoke pi1",
		Args:    cli.Takes(1, 1),
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
