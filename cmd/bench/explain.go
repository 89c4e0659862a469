package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/glossary"
	"utfbench/tile"
)

func newExplain(d *design) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [WORD...]",
		Short: "Explain a term, verdict, exit code, conclusion, fault or register",
		Long: `explain says what a word means that the bench prints, with an example. A WORD may be a fault as it
is written, such as uio3~uio4=and, a line, such as uo3, a register bit, such as v3, or a command. A
word with several meanings, such as ERROR, is explained in each of them; uio and UIO are two words.
Without WORD it lists the words, those of the --tile included.

Exit codes: 0 it is explained, 2 no such word.`,
		Example: `  bench explain FLAKY
  bench explain exit code 3
  bench explain uo3=stuck1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			book := wordBook(d.tile)
			if len(args) == 0 {
				return book.List(cmd.OutOrStdout())
			}
			word := strings.Join(args, " ")
			if code := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(word, "exit"), " code")); code != "" {
				word = code
			}
			found, err := tile.Explain(d.tile, book, word)
			if c := commandNamed(cmd.Root(), args); c != nil {
				found, err = append(found, aboutCommand(c)), nil
			}
			for i := range found {
				if i > 0 {
					fmt.Fprintln(cmd.OutOrStdout())
				}
				if err == nil {
					err = found[i].Text(cmd.OutOrStdout())
				}
			}
			return err
		},
	}
}

// commandNamed finds a command by the words of its path, or returns nil.
func commandNamed(root *cobra.Command, words []string) *cobra.Command {
	c, rest, err := root.Find(words)
	if err != nil || c == root || len(rest) > 0 || !c.IsAvailableCommand() {
		return nil
	}
	return c
}

// aboutCommand returns the help line of a command as an entry.
func aboutCommand(c *cobra.Command) glossary.Found {
	_, words, _ := strings.Cut(c.CommandPath(), " ")
	return glossary.Found{Of: &glossary.Group{One: "a command"},
		Entry: glossary.Entry{Words: []string{words}, Text: c.Short + ".", Examples: []string{"bench help " + words}}}
}
