// Package command implements the program benchlab, which serves a lab, manages its keys, and lists its hosts. It is
// separate from bench, the lab's client, so that client machines need no NATS server.
package command

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/lab/server"
	"utfbench/transport/lab"
)

type program struct{ document.Build }

// Run runs benchlab and returns its exit code.
func Run(ctx context.Context, of document.Build, args []string, out, errOut io.Writer) int {
	root := (&program{of}).root()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintf(errOut, "benchlab: %s\n", printable.Lines(err.Error()))
	}
	return failure.ExitCode(err)
}

func (p *program) root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "benchlab",
		Short: "Serve a lab: many boards on many machines",
		Long: `benchlab serves a lab: machines that offer boards, and machines that use them. An invitation is a file
that admits a machine; benchlab serve writes the first one. Machines offer boards with bench lab join,
and use them with bench run -t lab:BOARD. See docs/lab.md.

Exit codes: 0 done, 2 bad input, 3 this machine or the lab's failed, 130 interrupted.`,
		Version:       p.Line("benchlab"),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArguments,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.AddCommand(p.newServe(), newInvite(), newRevoke(), p.newHosts())
	cmd.SetFlagErrorFunc(cli.FlagMistake)
	cli.Strict(cmd)
	new(cli.Groups).Set(cmd)
	return cmd
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return cli.UnknownCommand(cmd, args[0])
	}
	return nil
}

// fault marks an error as the machine's, whatever it wraps.
func fault(err error) error { return failure.New(failure.Bench, err) }

type folder struct{ given string }

func (f *folder) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.given, "data", "", "the `folder` of the lab's server (default: lab in the user's data "+
		"folder)")
}

// Folder returns the flag's folder, or else the user's.
func (f *folder) Folder() (string, error) {
	if f.given != "" {
		return f.given, nil
	}
	dir, err := lab.ServerFolder()
	if err != nil {
		return "", failure.Usagef("%w: give --data", err)
	}
	return dir, nil
}

func completeKey(data *folder) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) (all []string, _ cobra.ShellCompDirective) {
		if folder, err := data.Folder(); err == nil {
			keys, _ := server.ReadKeys(folder) // unreadable keys are not proposed
			for _, k := range keys {
				all = append(all, k.Name+"\tinvited "+k.Made.Local().Format("2006-01-02"))
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}
