package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
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
			found, err := explained(cmd.Root(), d.tile, book, args)
			if err != nil && len(args) > 1 { // no phrase: words of their own
				found, err = nil, nil
				for _, word := range args {
					of, werr := explained(cmd.Root(), d.tile, book, []string{word})
					found, err = append(found, of...), cmp.Or(err, werr)
				}
			}
			for i := range found {
				if i > 0 {
					fmt.Fprintln(cmd.OutOrStdout())
				}
				err = cmp.Or(found[i].Text(cmd.OutOrStdout()), err)
			}
			return err
		},
	}
}

// explained returns the entries of a phrase, and of a command with these words.
func explained(root *cobra.Command, t tile.Tile, book cli.Book, words []string) ([]cli.Found, error) {
	phrase := strings.Join(words, " ")
	if code := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(phrase, "exit"), " code")); code != "" {
		phrase = code
	}
	found, err := book.Find(phrase, tile.Parts(t, phrase)...)
	if c := commandNamed(root, words); c != nil {
		found, err = append(found, aboutCommand(c)), nil
	}
	return found, err
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
func aboutCommand(c *cobra.Command) cli.Found {
	_, words, _ := strings.Cut(c.CommandPath(), " ")
	return cli.Found{Of: &cli.Chapter{One: "a command"},
		Entry: cli.Entry{Words: []string{words}, Text: c.Short + ".", Examples: []string{"bench help " + words}}}
}
