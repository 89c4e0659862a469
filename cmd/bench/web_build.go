//go:build !page

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// serveWeb runs scripts/web in the checkout around the working directory, to serve a folder or the page that it builds.
// Without the build tag "page", the bench has no web server, and its first build takes a fifth less time.
func serveWeb(cmd *cobra.Command, env *files.Env, folder, listen string) error {
	args := []string{"scripts/web", "--serve", listen}
	at, err := filepath.Abs(env.Path("."))
	if folder != "" && err == nil {
		folder, err = filepath.Abs(env.Path(folder))
		args = append(args, folder)
	}
	for ; err == nil; at = filepath.Dir(at) {
		if _, there := os.Stat(filepath.Join(at, "scripts", "web")); there == nil {
			break
		}
		if filepath.Dir(at) == at {
			err = failure.Usagef("this bench was built without the page's server: in a checkout of utfbench bench " +
				"web builds it, and the bench of a release has it")
		}
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(), "building the page and its server, which takes a minute the first time")
	c := exec.CommandContext(cmd.Context(), "bash", args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.Dir, c.Stdout, c.Stderr, c.WaitDelay = at, cmd.OutOrStdout(), cmd.ErrOrStderr(), 3*time.Second
	err = c.Run()
	if e, exited := errors.AsType[*exec.ExitError](err); exited && e.ExitCode() == 2 {
		return failure.AlreadyPrinted(failure.User) // the server printed it
	} else if cmd.Context().Err() == nil {
		return err
	}
	return nil
}
