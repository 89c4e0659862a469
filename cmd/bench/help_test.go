package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/files"
)

func each(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, c := range cmd.Commands() {
		each(c, do)
	}
}

// Help fits in 100 columns, the help of run in 60 lines, and the list of commands with the prompt in 80 by 40.
func TestHelpFits(t *testing.T) {
	each(newRoot(usualDesign(files.ProcessEnv())), func(cmd *cobra.Command) {
		columns, lines := cli.MaxColumns, 1000
		switch cmd.CommandPath() {
		case "bench":
			columns, lines = 80, 39
		case "bench run":
			lines = 60
		}
		var b bytes.Buffer
		cli.WriteHelp(&b, cmd, columns)
		for line := range strings.Lines(b.String()) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > columns {
				t.Errorf("%s: %d columns, not %d: %s", cmd.CommandPath(), n, columns, line)
			}
		}
		if n := strings.Count(b.String(), "\n"); n > lines {
			t.Errorf("%s: %d lines, not %d", cmd.CommandPath(), n, lines)
		}
	})
}

// Every command belongs to a group.
func TestAllIsInGroups(t *testing.T) {
	for _, c := range newRoot(usualDesign(files.ProcessEnv())).Commands() {
		if c.GroupID == "" && c.Name() != "help" {
			t.Errorf("%s is in no group", c.Name())
		}
	}
}
