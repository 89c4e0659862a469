package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
)

// each calls a function for a command and all below it.
func each(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, c := range cmd.Commands() {
		each(c, do)
	}
}

// Help fits into a terminal of 100 columns.
func TestHelpFits(t *testing.T) {
	each(newRoot(usualDesign()), func(cmd *cobra.Command) {
		var b bytes.Buffer
		flagGroups.Write(&b, cmd)
		for line := range strings.Lines(b.String()) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > cli.Widest {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), n, line)
			}
		}
	})
}

// Each flag of bench run is in a group, and every command in one.
func TestAllIsInGroups(t *testing.T) {
	root := newRoot(usualDesign())
	cmd, _, err := root.Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	if names := flagGroups.Ungrouped(cmd); len(names) > 0 {
		t.Errorf("in no group: %q", names)
	}
	for _, c := range root.Commands() {
		if c.GroupID == "" && c.Name() != "help" {
			t.Errorf("%s is in no group", c.Name())
		}
	}
}
