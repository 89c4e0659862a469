package command

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/files"
	"utfbench/lab/server"
	"utfbench/transport/lab"
)

func newInvite() *cobra.Command {
	var data folder
	var out string
	cmd := &cobra.Command{
		Use:   "invite NAME",
		Short: "Invite a machine to a lab",
		Long: `invite makes a key and prints its invitation, a secret that admits one machine. The host, or the user
of boards, is called NAME.

Exit codes: 0 invited, 2 bad input, such as an existing name, 3 the key cannot be stored.`,
		Example: `  benchlab invite pi1 --out pi1.invite
  benchlab invite pi1 | ssh pi1 'umask 077; cat > lab.invite'`,
		Args: cli.Takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder, err := data.Folder()
			if err != nil {
				return err
			}
			file := files.Set{Out: cmd.OutOrStdout()}
			defer file.Discard()
			out = cmp.Or(out, files.Standard)
			f, err := file.Create("--out", out, files.Private|files.New) // before the key, so no key is made in vain
			if err != nil {
				return err
			}
			inv, err := server.Invite(folder, args[0])
			if err != nil {
				return err
			}
			f.Write(inv.Text()) // Commit returns the error
			if err := file.Commit(); err != nil {
				return revokeLost(folder, inv, err)
			}
			how := "copy " + out + " to"
			if out == files.Standard {
				out = inv.Name + ".invite"
				how = "save this as " + out + " on"
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s the machine, and run there: bench lab join %s\n", how, out)
			if inv.Local() {
				fmt.Fprintf(cmd.ErrOrStderr(), "note: only this machine reaches %s: for others start benchlab serve "+
					"with --listen 0.0.0.0:PORT\n", inv.Lab)
			}
			return nil
		},
	}
	data.flag(cmd)
	cmd.Flags().StringVar(&out, "out", "", "write it to this `file`, which only you can read")
	return cmd
}

// revokeLost revokes a key without an invitation.
func revokeLost(folder string, inv *lab.Invitation, lost error) error {
	if err := server.Revoke(folder, inv.Name); err != nil {
		return fault(fmt.Errorf("the invitation is lost (%w), and its key stays: %w", lost, err))
	}
	return fault(fmt.Errorf("the invitation is lost, so its key was revoked: %w", lost))
}

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
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "the invitation of %s is revoked\n", args[0])
			return err
		},
	}
	data.flag(cmd)
	cmd.ValidArgsFunction = completeKey(&data)
	return cmd
}
