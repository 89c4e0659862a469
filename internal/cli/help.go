// Package cli holds the shared parts of commands: help in the order of use, as wide as the terminal up to 100
// columns, with corrections; the defaults of flags by bench.yaml and the environment ([Settings]); and a line of
// standard error for activities and progress ([Progress], [Bar]).
package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// MaxColumns is the maximum width of help in columns: longer lines are hard to read.
const MaxColumns = 100

// A Group is a list of flag names in the order of use, with a title.
type Group struct {
	Title string
	Flags []string
}

// Groups are the flag groups of the commands that have the flag transport. Flags in no group are the command's own, and
// come first. Other commands list their flags together.
type Groups []Group

// inOrder keeps all commands in the order of use.
var inOrder = sync.OnceFunc(func() { cobra.EnableCommandSorting = false })

// SetHelp installs grouped help for a command and its subcommands.
func (g Groups) SetHelp(root *cobra.Command) {
	inOrder()
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		w := cmd.OutOrStdout()
		if rest := cmd.Flags().Args(); len(rest) > 0 && cmd.HasAvailableSubCommands() {
			fmt.Fprintf(cmd.ErrOrStderr(), "note: %v\n\n", UnknownCommand(cmd, rest[0]))
		}
		g.Write(w, cmd, helpWidth(w))
	})
}

// helpWidth returns the terminal's width, up to MaxColumns.
func helpWidth(w io.Writer) int {
	if width := terminalWidth(w); width > 0 {
		return min(width, MaxColumns)
	}
	return MaxColumns
}

// Write writes the help of a command.
func (g Groups) Write(w io.Writer, cmd *cobra.Command, width int) {
	for _, p := range strings.Split(strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)), "\n\n") {
		if strings.HasPrefix(p, "Exit codes: ") {
			p += " Of all: 2 bad input, 3 the bench could not find out, 130 interrupted."
		}
		if !strings.HasPrefix(p, " ") { // else a table
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
	if len(cmd.Groups()) > 0 { // so that the list of commands fits on a screen
		return
	}
	cmd.InitDefaultHelpFlag()
	for _, in := range g.of(cmd) {
		fmt.Fprintf(w, "\n%s:\n%s", in.title, in.flags.FlagUsagesWrapped(width))
	}
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

const ownTitle = "Flags"

// A flagGroup is a set of flags with a title.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// of returns a command's flag groups: its own flags first, or one group for a command that reaches no chip.
func (g Groups) of(cmd *cobra.Command) (all []flagGroup) {
	flags, own := cmd.LocalFlags(), newFlagGroup(ownTitle)
	if flags.Lookup("transport") == nil {
		return []flagGroup{{ownTitle, flags}}
	}
	grouped := map[string]bool{}
	for _, group := range g {
		in := newFlagGroup(group.Title)
		for _, name := range group.Flags {
			if f := flags.Lookup(name); f != nil {
				in.flags.AddFlag(f)
				grouped[name] = true
			}
		}
		all = append(all, in)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if !grouped[f.Name] && f.Name != "help" {
			own.flags.AddFlag(f)
		}
	})
	return slices.DeleteFunc(append([]flagGroup{own}, all...),
		func(g flagGroup) bool { return !g.flags.HasAvailableFlags() })
}

func newFlagGroup(title string) flagGroup {
	g := flagGroup{title, pflag.NewFlagSet(title, pflag.ContinueOnError)}
	g.flags.SortFlags = false
	return g
}

// hanging wraps a text and indents all lines but the first.
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
