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
			t.Errorf("%s is out of date (%v): BENCH_UPDATE=1 go test -run GeneratedPages ./cmd/bench", path,
				err)
		}
	}
}

// generated is the comment at the head of a page.
const generated = "<!-- Made by BENCH_UPDATE=1 go test -run GeneratedPages ./cmd/bench -->\n"

// commandsPage returns a table of commands for each group.
func commandsPage() string {
	var b strings.Builder
	b.WriteString("# Commands\n\n" + generated + "\n`bench help COMMAND` lists the flags of each, sorted by purpose.\n")
	root := newRoot(usualDesign())
	for _, g := range commandGroups {
		fmt.Fprintf(&b, "\n## %s\n\n| command | does |\n| --- | --- |\n", strings.TrimSuffix(g.Title, ":"))
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && c.IsAvailableCommand() {
				commandRows(&b, c)
			}
		}
	}
	return b.String()
}

// commandRows writes a row for a command and for each of its subcommands.
func commandRows(b *strings.Builder, c *cobra.Command) {
	if c.Runnable() {
		use := strings.ReplaceAll(strings.TrimSuffix(c.UseLine(), " [flags]"), "|", `\|`)
		fmt.Fprintf(b, "| `%s` | %s |\n", use, c.Short)
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			commandRows(b, sub)
		}
	}
}

// wordsPage returns the glossary without a tile's words, which docs/chip.md describes.
func wordsPage() string {
	var b strings.Builder
	b.WriteString("# Words\n\n" + generated + "\n`bench explain WORD` explains a word, with an example to try. It " +
		"also knows the lines and [the chip's](chip.md) pins, flags and registers.\n")
	for _, g := range benchWords() {
		fmt.Fprintf(&b, "\n## %s\n\n", g.Title)
		for _, e := range g.Entries {
			fmt.Fprintf(&b, "- **%s**: %s\n", strings.Join(e.Words, ", "), e.Text)
		}
	}
	return b.String()
}
