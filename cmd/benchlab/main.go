// Benchlab serves a lab of boards on several machines, offers boards to it, and uses them. See package lab.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/lab"
)

// release and commit are set by the linker: -ldflags "-X main.release=1.0.0 -X main.commit=...".
var release, commit = "", ""

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE) // so that a closed pipe is a write error
	context.AfterFunc(ctx, stop)   // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func version() string { return files.Build{Release: release, Commit: commit}.Version() }

// run runs a command line and returns its exit code.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = failure.Newf(failure.Interrupted, "stopped")
	}
	if err != nil && !failure.IsAlreadyPrinted(err) {
		fmt.Fprintf(errOut, "benchlab: %s\n", printable.Lines(err.Error()))
	}
	return failure.ExitCode(err)
}

func newRoot() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "benchlab",
		Short: "Many boards on many machines",
		Long: `benchlab serves a lab, offers this machine's boards to one, and has boards of a lab judge vectors. An
invitation, a file that benchlab invite writes, admits a machine once; the machine makes its own key
of it. See docs/lab.md.

Exit codes: 0 done, or all passed; 1 FAIL; 2 bad input; 3 this machine or the lab failed; 7 WEAK;
130 interrupted.`,
		Version:       files.Build{Release: release, Commit: commit}.Description("benchlab"),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.AddCommand(newServe(), newInvite(), newRevoke(), newJoin(), newBoards(), newRun(), newSweep(), newFetch(),
		newPage())
	cmd.SetFlagErrorFunc(cli.FlagError)
	cli.SetArgumentChecks(cmd)
	cli.RejectUnknownCommands(cmd)
	cli.SetHelp(cmd)
	return cmd
}

// A client holds the flags with which a machine connects to a lab.
type client struct {
	invitation, creds, nats, name string
}

// inLab adds the flags of the connection to a command, and makes the command connect to the lab and call run.
func inLab(cmd *cobra.Command, run func(cmd *cobra.Command, args []string, s *lab.Store) error) {
	var c client
	f := cmd.Flags()
	f.StringVar(&c.invitation, "invite", "", "use this invitation `FILE`, which makes this machine's key")
	f.StringVar(&c.creds, "creds", "", "`FILE` of this machine's key (default: lab-key.json in utfbench "+
		"of the user's data folder)")
	f.StringVar(&c.nats, "nats", "", "a NATS `URL` of your own; --creds is then its credentials, --as this machine's "+
		"name")
	f.StringVar(&c.name, "as", "", "with --nats: this machine's `NAME`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		nc, err := c.dial(cmd)
		if err != nil {
			return err
		}
		defer nc.Close()
		s, err := lab.Open(cmd.Context(), nc)
		if err != nil {
			return err
		}
		return run(cmd, args, s)
	}
}

// orOwn returns path, or if that is "", the path of name in the user's data folder.
func orOwn(path, name string) (string, error) {
	if path != "" {
		return path, nil
	}
	dir, err := files.ProcessEnv().DataDir()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	return filepath.Join(dir, name), failure.Usage(err)
}

// dial connects to the lab with this machine's key.
func (c *client) dial(cmd *cobra.Command) (*nats.Conn, error) {
	if c.nats == "" {
		own, err := c.credential(cmd)
		if err != nil {
			return nil, err
		}
		return lab.Dial(cmd.Context(), own)
	}
	if err := lab.CheckName("--as", c.name); err != nil {
		return nil, err
	}
	return lab.DialNATS(c.nats, c.creds, c.name)
}

// credential returns this machine's key. It exchanges an invitation, if any, for a key.
func (c *client) credential(cmd *cobra.Command) (*lab.Credential, error) {
	path, err := orOwn(c.creds, "lab-key.json")
	if err != nil {
		return nil, err
	}
	if c.invitation == "" {
		own, err := lab.ReadCredential(path)
		switch {
		case err == nil && own.Invitation:
			return nil, failure.Usagef("%s is an invitation: give it with --invite", path)
		case err != nil && c.creds == "":
			return nil, failure.Usagef("this machine has no key of a lab (%w): give an invitation with --invite", err)
		}
		return own, err
	}
	inv, err := lab.ReadCredential(c.invitation)
	if err != nil {
		return nil, err
	}
	own, err := lab.Enrol(cmd.Context(), inv)
	if err == nil {
		err = own.Write(path)
	}
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "benchlab: the key of %s is in %s; the invitation is used\n", own.Name, path)
	return own, nil
}
