// Package cli holds the shared parts of commands: help in the order of use, with corrections; the values of flags by
// bench.yaml, for all runs or for a profile ([Settings]); and a line of standard error for activities and progress
// ([Working], [Bar]).
//
// It knows few flags by name: transport, to which others belong, profile, db and help.
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

// Widest is the maximum width of help in columns: longer lines are hard to read.
const Widest = 100

// A Group is a list of flag names in the order of use, with a title.
type Group struct {
	Title string
	Flags []string
}

// Groups are the flag groups of the commands that have one of the flags Marks; ungrouped flags are the command's own.
// Other commands list their flags together.
type Groups struct {
	Marks []string
	All   []Group
}

// inOrder keeps all commands in the order of use.
var inOrder = sync.OnceFunc(func() { cobra.EnableCommandSorting = false })

// Set installs grouped help for a command and its subcommands.
func (g *Groups) Set(root *cobra.Command) {
	inOrder()
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if rest := cmd.Flags().Args(); len(rest) > 0 && cmd.HasAvailableSubCommands() {
			fmt.Fprintf(cmd.ErrOrStderr(), "note: %v\n\n", UnknownCommand(cmd, rest[0]))
		}
		g.Write(cmd.OutOrStdout(), cmd)
	})
}

// Write writes the help of a command.
func (g *Groups) Write(w io.Writer, cmd *cobra.Command) {
	for p := range strings.SplitSeq(strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)), "\n\n") {
		if !strings.HasPrefix(p, " ") { // a table
			p = wrap("", strings.Fields(p), Widest)
		}
		fmt.Fprintf(w, "%s\n\n", strings.TrimRight(p, "\n"))
	}
	io.WriteString(w, "Usage:\n")
	if cmd.Runnable() {
		fmt.Fprintf(w, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	writeCommands(w, cmd)
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	for _, in := range g.of(cmd) {
		fmt.Fprintf(w, "\n%s:\n%s", in.title, in.flags.FlagUsagesWrapped(Widest))
	}
}

// Ungrouped returns the flags of a marked command that are in no group.
func (g *Groups) Ungrouped(cmd *cobra.Command) (names []string) {
	for _, in := range g.of(cmd) {
		if in.title == ownTitle {
			in.flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		}
	}
	return names
}

// writeCommands lists a command's subcommands, in their groups if there are any.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, g := range groups {
		title := "\n" + g.Title + "\n"
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && (c.IsAvailableCommand() || c.Name() == "help") {
				fmt.Fprintf(w, "%s  %-*s  %s\n", title, cmd.NamePadding(), c.Name(), c.Short)
				title = ""
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

// of returns a command's flag groups: its own flags first, or one group without a mark.
func (g *Groups) of(cmd *cobra.Command) (all []flagGroup) {
	flags, own := cmd.LocalFlags(), newFlagGroup(ownTitle)
	if !slices.ContainsFunc(g.Marks, func(mark string) bool { return flags.Lookup(mark) != nil }) {
		return []flagGroup{{ownTitle, flags}}
	}
	grouped := map[string]bool{}
	for _, group := range g.All {
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
		if !grouped[f.Name] {
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
