package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// docs/commands.md and docs/words.md are what the program says of its commands and words; BENCH_UPDATE=1 writes them.
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
			t.Errorf("%s is of an older program (%v): BENCH_UPDATE=1 go test -run GeneratedPages ./cmd/bench", path,
				err)
		}
	}
}

// generated is the comment at the head of a page.
const generated = "<!-- Made by BENCH_UPDATE=1 go test -run GeneratedPages ./cmd/bench -->\n"

// commandsPage has a table of the commands for each of their groups.
func commandsPage() string {
	var b strings.Builder
	b.WriteString("# Commands\n\n" + generated + "\n`bench help COMMAND` has the flags of each; those of `bench " +
		"run` are " +
		"[sorted by purpose](runs.md#the-flags-of-bench-run).\n")
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

// commandRows writes a row for a command, and for each below it.
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

// wordsPage has the words that bench explain explains.
func wordsPage() string {
	var b strings.Builder
	b.WriteString("# Words\n\n" + generated + "\n`bench explain WORD` explains a word, with an example to try.\n")
	for _, g := range wordBook(usual) {
		fmt.Fprintf(&b, "\n## %s\n\n| word | is |\n| --- | --- |\n", g.Title)
		for _, e := range g.Entries {
			cell := strings.ReplaceAll(strings.Join(e.Words, ", ")+" | "+e.Text, "|", `\|`)
			fmt.Fprintf(&b, "| %s |\n", strings.Replace(cell, ` \| `, " | ", 1))
		}
	}
	return b.String()
}
