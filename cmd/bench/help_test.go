package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
	each(newRoot(), func(cmd *cobra.Command) {
		for _, width := range []int{80, widestHelp} {
			var b bytes.Buffer
			writeUsage(&b, cmd, width)
			b.WriteString(reflow(cmd.Long, width))
			for line := range strings.Lines(b.String()) {
				if width < widestHelp && strings.HasPrefix(line, "  bench ") {
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
	root := newRoot()
	cmd, _, err := root.Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range flagsInGroups(cmd) {
		if g.title == "Flags" {
			t.Errorf("in no group:\n%s", g.flags.FlagUsages())
		}
	}
	for _, c := range root.Commands() {
		if c.GroupID == "" && c.Name() != "help" {
			t.Errorf("%s is in no group", c.Name())
		}
	}
}

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		text, want string
		width      int
	}{
		{"", "", 10}, {"one", "one", 3}, {"one two", "one two", 7}, {"one two", "one\ntwo", 6},
		{"a  long-word\nb", "a\nlong-word\nb", 4},
	} {
		if got := wrapped(c.text, c.width); got != c.want {
			t.Errorf("%q in %d columns: %q; want %q", c.text, c.width, got, c.want)
		}
	}
	const text = "a\nb\n\n  x   one two\n      three\n  y z  four\n"
	if got := reflow(text, 13); got != "a b\n\n  x   one two\n      three\n  y z  four" {
		t.Errorf("paragraph and table: %q", got)
	}
}
