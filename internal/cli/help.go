// Package cli holds the parts that commands share: help, as wide as the terminal up to 100 columns; defaults of flags
// from bench.yaml and the environment ([Settings]); and a line on standard error that shows activities and progress
// ([Progress], [Bar]).
package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// MaxColumns is the maximum width of help in columns: longer lines are hard to read.
const MaxColumns = 100

// inOrder keeps the commands in the order in which they are added.
var inOrder = sync.OnceFunc(func() { cobra.EnableCommandSorting = false })

// SetHelp installs the help of a command and its subcommands.
func SetHelp(root *cobra.Command) {
	inOrder()
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		w := cmd.OutOrStdout()
		if rest := cmd.Flags().Args(); len(rest) > 0 && cmd.HasAvailableSubCommands() {
			fmt.Fprintf(cmd.ErrOrStderr(), "note: %v\n\n", UnknownCommand(cmd, rest[0]))
		}
		WriteHelp(w, cmd, helpWidth(w))
	})
}

// helpWidth returns the terminal's width, up to MaxColumns.
func helpWidth(w io.Writer) int {
	if width := terminalWidth(w); width > 0 {
		return min(width, MaxColumns)
	}
	return MaxColumns
}

// WriteHelp writes the help of a command.
func WriteHelp(w io.Writer, cmd *cobra.Command, width int) {
	for _, p := range strings.Split(strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)), "\n\n") {
		if strings.HasPrefix(p, "Exit codes: ") {
			p += " Of all commands: 2 bad input, 3 the bench could not find out, 130 interrupted."
		}
		if !strings.HasPrefix(p, " ") { // otherwise it is a table
			p = wrapped(p, width)
		}
		fmt.Fprintf(w, "%s\n\n", p)
	}
	if cmd.Runnable() {
		fmt.Fprintf(w, "Usage: %s\n", cmd.UseLine())
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "%s\n", cmd.Example)
	}
	writeCommands(w, cmd, width)
	if len(cmd.Groups()) > 0 { // with fewer blank lines, the list of commands fits on a screen
		return
	}
	cmd.InitDefaultHelpFlag()
	fmt.Fprintf(w, "\nFlags:\n%s", cmd.LocalFlags().FlagUsagesWrapped(width))
}

// writeCommands lists a command's subcommands, in their groups if there are any.
func writeCommands(w io.Writer, cmd *cobra.Command, width int) {
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	before, indent := "\n", cmd.NamePadding()+4
	for _, g := range groups {
		before += g.Title + "\n"
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && c.IsAvailableCommand() {
				fmt.Fprintf(w, "%s  %-*s  %s\n", before, indent-4, c.Name(), hanging(c.Short, indent, width))
				before = ""
			}
		}
	}
}

// hanging wraps a text and indents all lines except the first.
func hanging(text string, column, width int) string {
	return strings.ReplaceAll(wrapped(text, width-column), "\n", "\n"+strings.Repeat(" ", column))
}

// wrapped wraps text at width columns, except within words.
func wrapped(text string, width int) string {
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case at == 0:
		case at+1+n > width:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
