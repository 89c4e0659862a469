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

// Help fits into 80 columns of a terminal, and into 100 of a wider one.
func TestHelpFits(t *testing.T) {
	each(newRoot(usualDesign()), func(cmd *cobra.Command) {
		for _, width := range []int{80, cli.Widest} {
			var b bytes.Buffer
			flagGroups.Write(&b, cmd, width)
			for line := range strings.Lines(b.String()) {
				if width < cli.Widest && strings.HasPrefix(line, "  bench ") {
					continue // an example, which is to be pasted
				}
				if n := len([]rune(strings.TrimRight(line, "\n"))); n > width {
					t.Errorf("%s: %d columns, not %d: %s", cmd.CommandPath(), n, width, line)
				}
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
