package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// widestHelp is how many columns help takes at most: longer lines are hard to read.
const widestHelp = 100

// commandGroups are the groups of commands in the order of use.
var commandGroups = []*cobra.Group{
	{ID: "chip", Title: "Ask a chip:"},
	{ID: "look", Title: "Look at a run:"},
	{ID: "prove", Title: "Prove, measure:"},
	{ID: "board", Title: "Board and cable:"},
	{ID: "more", Title: "More:"},
}

// flagGroups are the groups of flags of commands that ask a chip, in the order of use; a flag that is in none is the
// command's own.
var flagGroups = []struct {
	title string
	flags []string
}{
	{"Target", []string{"transport", "revision", "fault", "seed"}},
	{"Selection", []string{"suite", "run", "file"}},
	{"Judging", []string{"count", "loop", "timeout", "fail-fast", "strict", "no-wiring", "resume"}},
	{"Output", []string{"verbose", "json", "junit", "html", "record", "vcd", "no-history", "db", "tag", "out"}},
	{"Board", []string{"port", "board", "design", "settle", "pulse", "patience", "insist"}},
	{"Simulation", []string{"simulator", "top", "define", "include", "cells", "cells-dir", "timescale", "sim-vcd"}},
	{"Help", []string{"help"}},
}

// environment says in help which variables count.
func environment() string {
	return "Environment: " + strings.Join(variables.Names(), ", ") + " are the flags of these names where the " +
		"command line does not have them; BENCH_DB is the history; BENCH_PROFILE is --profile NAME, a profile of " +
		"bench.yaml, and BENCH_CONFIG another such file, or none; NO_COLOR turns colours off."
}

// setHelp gives a command and those below it help in groups, as wide as the terminal.
func setHelp(root *cobra.Command) {
	cobra.EnableCommandSorting = false // they are in the order of use
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		w := cmd.OutOrStdout()
		about := cmd.Long
		if about == "" {
			about = cmd.Short
		}
		fmt.Fprintf(w, "%s\n\n", reflow(about, helpWidth(w)))
		writeUsage(w, cmd, helpWidth(w))
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		w := cmd.OutOrStderr()
		writeUsage(w, cmd, helpWidth(w))
		return nil
	})
}

// helpWidth is the terminal's, or widestHelp.
func helpWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return min(width, widestHelp)
		}
	}
	return widestHelp
}

func writeUsage(w io.Writer, cmd *cobra.Command, width int) {
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
	writeCommands(w, cmd, width)
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	for _, g := range flagsInGroups(cmd) {
		fmt.Fprintf(w, "\n%s:\n%s", g.title, g.flags.FlagUsagesWrapped(width))
	}
}

// writeCommands lists the commands below one, in their groups where it has any.
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

// A flagGroup is flags under a title.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// flagsInGroups are a command's flags: its own first, and those of a command that asks no chip all together.
func flagsInGroups(cmd *cobra.Command) (all []flagGroup) {
	flags, own := cmd.LocalFlags(), newFlagGroup("Flags")
	if flags.Lookup("transport") == nil {
		return []flagGroup{{"Flags", flags}}
	}
	grouped := map[string]bool{}
	for _, g := range flagGroups {
		in := newFlagGroup(g.title)
		for _, name := range g.flags {
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

// heading is what stands in front of the last column of a table's row.
var heading = regexp.MustCompile(`^ +\S.*  +`)

// reflowTable wraps the last column of a table. A line without a term belongs to the row before it.
func reflowTable(table string, width int) string {
	var rows [][2]string
	for _, line := range strings.Split(table, "\n") {
		if t := heading.FindString(line); t != "" || len(rows) == 0 {
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

// hanging wraps a text of which all lines but the first begin at a column.
func hanging(text string, column, width int) string {
	return strings.ReplaceAll(wrapped(text, width-column), "\n", "\n"+strings.Repeat(" ", column))
}

// wrapped breaks a text between words, so that no line has more columns than width unless a word alone has.
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
