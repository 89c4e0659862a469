package command

import (
	"github.com/spf13/cobra"

	"utfbench/internal/help"

	"utfbench/internal/files"
	"utfbench/lab/server"
)

func newKeys() *cobra.Command {
	var data folder
	var out string
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Print a lab's keys for an external NATS server",
		Long: `keys prints the public halves of a lab's keys, with their permissions, as users in the configuration
of NATS. It is for benchlab serve --nats: include the output in an account, or in authorization, of
each server, and reload the servers whenever a key was invited or revoked.

Exit codes: 0 printed, 2 bad input, such as a folder without a lab, 3 it cannot be written.`,
		Example: `  benchlab keys
  benchlab keys --data /srv/lab --out /etc/nats/lab-keys.conf && nats-server --signal reload`,
		Args: help.Takes(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := data.Folder()
			if err != nil {
				return err
			}
			text, err := server.ClusterKeys(folder)
			if err != nil {
				return err
			}
			file := files.Set{Out: cmd.OutOrStdout()}
			defer file.Discard()
			if out == "" {
				out = files.Standard
			}
			f, err := file.Create("--out", out, 0)
			if err != nil {
				return err
			}
			f.Write(text) // Commit returns the error
			if err := file.Commit(); err != nil {
				return fault(err)
			}
			return nil
		},
	}
	data.flag(cmd)
	cmd.Flags().StringVar(&out, "out", "", "write it to this `file`, replacing its contents")
	return cmd
}
