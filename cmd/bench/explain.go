package main

import (
	_ "embed"

	"github.com/spf13/cobra"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/runs/history"
	"utfbench/station/native"
	"utfbench/tile"
)

//go:embed terms.txt
var termWords string

func wordBook(t tile.Tile) cli.Book {
	return append(benchWords(), cli.NewBook(tile.GlossaryTexts(t)...)...)
}

// benchWords returns the terms that do not depend on the tile.
func benchWords() cli.Book {
	return cli.NewBook(driver.Glossary, failure.Glossary, diagnose.WiringGlossary, diagnose.Glossary, fault.Glossary,
		history.Glossary, native.Glossary, termWords)
}

func newExplain(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain [WORD...]",
		Short: "Explain a term, verdict, exit code, command, fault or register",
		Long: `explain says what a word means that the bench prints, with an example. A WORD may be a fault as it
is written, such as uio3~uio4=and, a line, such as uo3, or a register bit, such as v3. Without WORD it
lists the words, those of the --tile included.

Exit codes: 0 it is explained, 2 no such word.`,
		Example: `  bench explain FLAKY
  bench explain exit code 3
  bench explain uo3=stuck1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			book := append(wordBook(d.Tile), cli.CommandChapter(cmd.Root()))
			if len(args) == 0 {
				return book.WriteList(cmd.OutOrStdout())
			}
			return book.Explain(cmd.OutOrStdout(), args, func(phrase string) []string {
				return tile.ExplainedWords(d.Tile, phrase)
			})
		},
	}
	d.tileFlag(cmd)
	return cmd
}
