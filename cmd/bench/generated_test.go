package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// docs/commands.md and docs/words.md match the help texts and the glossary; BENCH_UPDATE=1 writes them.
func TestGeneratedPages(t *testing.T) {
	for path, want := range map[string]string{"../../docs/commands.md": commandsPage(),
		"../../docs/words.md": wordsPage()} {
		if os.Getenv("BENCH_UPDATE") != "" {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("%s is out of date (%v): BENCH_UPDATE=1 go test -run GeneratedPages ./cmd/bench", path, err)
		}
	}
}

// generated is the comment at the head of a page.
const generated = "<!-- Made by BENCH_UPDATE=1 go test -run GeneratedPages ./cmd/bench -->\n"

// commandsPage returns a list of commands for each group.
func commandsPage() string {
	var b strings.Builder
	b.WriteString("# Commands\n\n" + generated + "\n`bench help COMMAND` lists the flags of each, sorted by purpose.\n")
	root := newRoot(usualDesign())
	for _, g := range commandGroups {
		fmt.Fprintf(&b, "\n## %s\n\n", strings.TrimSuffix(g.Title, ":"))
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && c.IsAvailableCommand() {
				commandItems(&b, c)
			}
		}
	}
	return b.String()
}

// commandItems writes an item for a command and for each of its subcommands.
func commandItems(b *strings.Builder, c *cobra.Command) {
	if c.Runnable() {
		fmt.Fprintf(b, "- `%s`: %s\n", strings.TrimSuffix(c.UseLine(), " [flags]"), c.Short)
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			commandItems(b, sub)
		}
	}
}

// wordsPage returns the glossary without verdicts and exit codes, which README.md has, and a tile's words, which
// docs/chip.md describes.
func wordsPage() string {
	var b strings.Builder
	b.WriteString("# Words\n\n" + generated + "\n`bench explain WORD` explains a word, with an example to try. It " +
		"also knows the lines and [the chip's](chip.md) pins, flags and registers. Verdicts and exit codes are in " +
		"[the README](../README.md#verdicts-and-exit-codes).\n")
	for _, g := range benchWords()[2:] {
		fmt.Fprintf(&b, "\n## %s\n\n", g.Title)
		for _, e := range g.Entries {
			fmt.Fprintf(&b, "- **%s**: %s\n", strings.Join(e.Words, ", "), e.Text)
		}
	}
	return b.String()
}
