//go:build !page

// A build without the tag page has no web server, since that takes a fifth of the first build's time.

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
)

// serveWeb builds the page of the checkout that the working directory is in, unless a folder is named, and a bench that
// serves it.
func serveWeb(cmd *cobra.Command, folder, listen string) error {
	root, err := checkout()
	if err != nil {
		return err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	if len(cmd.Flags().Args()) == 0 {
		folder = filepath.Join(root, "dist-web")
		fmt.Fprintln(cmd.OutOrStdout(), "building the page and its server, which takes a minute the first time")
		if err := runIn(cmd, root, "bash", "scripts/web", folder); err != nil {
			return fmt.Errorf("scripts/web: %w", err)
		}
	}
	dir, err := os.MkdirTemp("", "bench-web-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	server := filepath.Join(dir, "bench.exe") // .exe is for Windows
	if err := runIn(cmd, root, "go", "build", "-tags", "page", "-o", server, "./cmd/bench"); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	err = runIn(cmd, root, server, "web", folder, "--listen", listen)
	told := failure.Told(failure.User) // by the server
	if e, exited := errors.AsType[*exec.ExitError](err); exited && e.ExitCode() == failure.ExitCode(told) {
		return told
	}
	return err
}

// checkout returns the checkout of utfbench that the working directory is in.
func checkout() (string, error) {
	at, err := os.Getwd()
	for ; err == nil; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "scripts", "web")); err == nil {
			return at, nil
		}
		if filepath.Dir(at) == at {
			return "", failure.Usagef("this bench was built without the page's server: in a checkout of utfbench " +
				"bench web builds it, and the bench of a release has it")
		}
	}
	return "", err
}

// runIn runs a program in a folder until it ends or the command's context does, which is no error.
func runIn(cmd *cobra.Command, dir, name string, args ...string) error {
	c := exec.CommandContext(cmd.Context(), name, args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 3 * time.Second // then it is killed
	c.Dir, c.Stdout, c.Stderr = dir, cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := c.Run(); cmd.Context().Err() == nil {
		return err
	}
	return nil
}
