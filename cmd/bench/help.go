package main

import (
	_ "embed"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/cause/diagnose"
	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/history"
	"utfbench/station/native"
	"utfbench/tile"
)

// commandGroups are the groups of commands in the order of use.
var commandGroups = []*cobra.Group{
	{ID: "chip", Title: "Test a chip:"},
	{ID: "look", Title: "Examine a run:"},
	{ID: "prove", Title: "Prove and measure:"},
	{ID: "board", Title: "Boards and cables:"},
	{ID: "more", Title: "More:"},
}

// flagGroups are the groups of flags of commands that ask a chip, in the order of use; a flag that is in none is the
// command's own.
var flagGroups = cli.Groups{
	{Title: "Target", Flags: []string{"tile", "transport", "revision", "fault", "seed"}},
	{Title: "Selection", Flags: []string{"suite", "run", "file", "random", "budget", "save"}},
	{Title: "Judging", Flags: []string{"again", "against", "count", "timeout", "accept-weak", "coverage", "no-wiring"}},
	{Title: "Output", Flags: slices.Concat([]string{"verbose"}, native.OutputNames(), []string{"vcd", "no-history",
		"tag", "out"})},
	{Title: "At speed, boards and simulators", Flags: []string{"at", "sample", "lead", "board", "design",
		"settle", "pulse", "insist", "simulator", "define"}},
}

// environment says in help what sets the flags that the command line does not set.
const environment = "Defaults stand in bench.yaml, or in variables: BENCH_ and the flag's name (docs/runs.md)."

// noArguments refuses an argument, which is a mistyped subcommand or belongs to a flag.
func (d *design) noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasAvailableSubCommands():
		return cli.UnknownCommand(cmd, args[0])
	}
	meant := d.meantFlag(cmd, args[0])
	if meant == "" {
		return cli.ArgsBetween(0, 0)(cmd, args)
	}
	return failure.Usagef("unexpected argument %q%s", args[0], meant)
}

// meantFlag suggests a flag in place of a word.
func (d *design) meantFlag(cmd *cobra.Command, word string) string {
	flag, value := native.SuggestFlag(usualTile, word)
	if json := cmd.Flags().Lookup("json"); json != nil && json.Changed && json.Value.Type() == "bool" {
		return ": --json prints on standard output, so put > before it for a file"
	}
	if at, err := os.Stat(d.env.Path(word)); err == nil && at.IsDir() {
		flag, value = "tile", word
	}
	if cmd.Flags().Lookup(flag) == nil {
		return ""
	}
	return ": did you mean " + strings.TrimPrefix(printable.Command("--"+flag, value), "bench ") + "?"
}

//go:embed terms.txt
var termWords string

// wordBook returns all words, a tile's included.
func wordBook(t tile.Tile) cli.Book {
	return append(benchWords(), cli.NewBook(tile.GlossaryTexts(t)...)...)
}

// benchWords returns the words that mean the same for every tile.
func benchWords() cli.Book {
	return cli.NewBook(driver.Glossary, failure.Glossary, wiring.Glossary, diagnose.Glossary, fault.Glossary,
		history.Glossary, termWords)
}
