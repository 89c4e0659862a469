// Package cli holds the shared parts of commands: help in the order of use, as wide as the terminal up to 100
// columns, with corrections, completion and manual pages; the values of flags by bench.yaml, for all runs or for a
// profile ([Settings]); and a line of standard error for activities and progress ([Working], [Bar]).
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
	"golang.org/x/term"

	"utfbench/internal/printable"
)

// Widest is the maximum width of help in columns: longer lines are hard to read.
const Widest = 100

// A Group is a list of flag names in the order of use, with a title.
type Group struct {
	Title string
	Flags []string
}

// Groups are the flag groups of the commands that have one of the flags Marks; ungrouped flags are the command's own.
// Other commands list their flags together. -h shows only the group Brief.
type Groups struct {
	Marks []string
	All   []Group
	Brief []string
}

// inOrder keeps all commands in the order of use.
var inOrder = sync.OnceFunc(func() { cobra.EnableCommandSorting = false })

// Set installs grouped help for a command and its subcommands: a screenful for -h, all for --help.
func (g *Groups) Set(root *cobra.Command) {
	inOrder()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		w := cmd.OutOrStdout()
		if rest := cmd.Flags().Args(); len(rest) > 0 && cmd.HasAvailableSubCommands() {
			fmt.Fprintf(cmd.ErrOrStderr(), "note: %v\n\n", UnknownCommand(cmd, rest[0]))
		}
		if slices.Contains(args, "-h") {
			g.writeBrief(w, cmd, helpWidth(w))
			return
		}
		g.Write(w, cmd, helpWidth(w))
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		w := cmd.OutOrStderr()
		g.writeUsage(w, cmd, helpWidth(w))
		return nil
	})
}

// Write writes the help of a command.
func (g *Groups) Write(w io.Writer, cmd *cobra.Command, width int) {
	fmt.Fprintf(w, "%s\n\n", reflow(cmp.Or(cmd.Long, cmd.Short), width))
	g.writeUsage(w, cmd, width)
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

// helpWidth returns the terminal's width, or Widest.
func helpWidth(w io.Writer) int {
	if f, ok := w.(interface{ Fd() uintptr }); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return min(width, Widest)
		}
	}
	return Widest
}

// writeBrief writes the usage, the command's own flags and the brief ones.
func (g *Groups) writeBrief(w io.Writer, cmd *cobra.Command, width int) {
	fmt.Fprintf(w, "%s.\n\n", wrapped(cmd.Short, width-1))
	writeCalls(w, cmd)
	if len(cmd.Groups()) == 0 {
		writeCommands(w, cmd, width)
	}
	for _, group := range cmd.Groups() {
		var names []string
		for _, c := range cmd.Commands() {
			if c.GroupID == group.ID && c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
		fmt.Fprintf(w, "\n%s %s", group.Title, strings.Join(names, ", "))
	}
	if len(cmd.Groups()) > 0 {
		fmt.Fprintf(w, "\n\nWhat each does: %s help\n", cmd.CommandPath())
	}
	cmd.InitDefaultHelpFlag()
	brief, left := newFlagGroup(ownTitle), 0
	for _, in := range g.of(cmd) {
		in.flags.VisitAll(func(f *pflag.Flag) {
			if in.title != ownTitle && !slices.Contains(g.Brief, f.Name) {
				left++
				return
			}
			short := *f
			short.Usage, _, _ = strings.Cut(short.Usage, "\n")
			short.Usage = strings.TrimRight(beforeDetail().Split(short.Usage, 2)[0], " ,;")
			brief.flags.AddFlag(&short)
		})
	}
	fmt.Fprintf(w, "\n%s:\n%s", brief.title, brief.flags.FlagUsagesWrapped(width))
	if left > 0 {
		fmt.Fprintf(w, "\n%d more flags, and all of this in full: %s --help\n", left, cmd.CommandPath())
	}
}

// beforeDetail matches the end of a flag's short description.
var beforeDetail = printable.Regexp(`; | \(default`)

// writeCalls writes the usage lines.
func writeCalls(w io.Writer, cmd *cobra.Command) {
	fmt.Fprintln(w, "Usage:")
	if cmd.Runnable() {
		fmt.Fprintf(w, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
}

func (g *Groups) writeUsage(w io.Writer, cmd *cobra.Command, width int) {
	writeCalls(w, cmd)
	writeCommands(w, cmd, width)
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
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
	for _, g := range groups {
		title := "\n" + g.Title + "\n"
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && (c.IsAvailableCommand() || c.Name() == "help") {
				indent := cmd.NamePadding() + 4
				fmt.Fprintf(w, "%s  %-*s  %s\n", title, indent-4, c.Name(), hanging(c.Short, indent, width))
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

// reflow wraps the paragraphs and tables of a text.
func reflow(text string, width int) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, " ") {
			paragraphs[i] = reflowTable(p, width)
			continue
		}
		paragraphs[i] = wrapped(p, width)
	}
	return strings.Join(paragraphs, "\n\n")
}

// heading matches the part of a table's row before the last column.
var heading = printable.Regexp(`^ +\S.*  +`)

// reflowTable wraps the last column of a table. A line without a term continues the previous row.
func reflowTable(table string, width int) string {
	var rows [][2]string
	for _, line := range strings.Split(table, "\n") {
		if t := heading().FindString(line); t != "" || len(rows) == 0 {
			rows = append(rows, [2]string{t, line[len(t):]})
			continue
		}
		rows[len(rows)-1][1] += " " + line
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, r[0]+hanging(r[1], len(r[0]), width))
	}
	return strings.Join(lines, "\n")
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
