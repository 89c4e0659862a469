package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/desk"
	"utfbench/internal/cmdline"
	"utfbench/internal/nearest"
	"utfbench/tile"
)

// noArguments is for commands that take none: a word is a mistyped subcommand, or belongs to a flag.
func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasAvailableSubCommands():
		return unknownCommand(cmd, args[0])
	}
	return fmt.Errorf("%s takes no arguments, and %q is one%s", cmd.CommandPath(), args[0], meantFlag(cmd, args[0]))
}

func unknownCommand(parent *cobra.Command, name string) error {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q for %q%s: see %s", name, parent.CommandPath(), nearest.Hint(name, names),
		helpOf(parent))
}

// meantFlag asks whether a word was meant for a flag of the command, if there is one that it would fit.
func meantFlag(cmd *cobra.Command, word string) string {
	var suites []string
	if all, err := tile.Suites(theTile); err == nil {
		for _, s := range all {
			suites = append(suites, s.Name)
		}
	}
	kind, _, _ := strings.Cut(word, ":")
	flag, value := "", word
	switch suite := nearest.Of(word, suites); {
	case slices.Contains(desk.KindNames(), kind):
		flag = "transport"
	case strings.HasSuffix(word, ".vec"):
		flag = "file"
	case strings.ContainsAny(word, "=~<"):
		flag = "fault"
	case suite != "":
		flag, value = "suite", suite
	case strings.Contains(word, "/"):
		flag = "run"
	}
	if cmd.Flags().Lookup(flag) == nil {
		return ""
	}
	return ": did you mean " + strings.TrimPrefix(cmdline.Line("--"+flag, value), "bench ") + "?"
}

// helpOf is the command that explains one.
func helpOf(cmd *cobra.Command) string {
	return cmdline.Line(append([]string{"help"}, strings.Fields(cmd.CommandPath())[1:]...)...)
}

// flagMistake names the flag that is near one that there is not.
func flagMistake(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	switch {
	case !errors.As(err, &unknown):
		return err
	case unknown.GetSpecifiedShortnames() != "": // one letter is near to every other
		return fmt.Errorf("%w: see %s", err, helpOf(cmd))
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return fmt.Errorf("%w%s: see %s", err, nearest.Hint("--"+unknown.GetSpecifiedName(), names), helpOf(cmd))
}

// strictHelp has bench help refuse a command that there is not: cobra's own shows the help of all and ends with 0.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // there is none: a mistake in this program
	}
	help.Run = nil
	help.RunE = func(_ *cobra.Command, args []string) error {
		of, rest, err := root.Find(args)
		switch {
		case err != nil:
			return err
		case len(rest) > 0 && of.HasAvailableSubCommands():
			return unknownCommand(of, rest[0])
		case len(rest) > 0:
			return fmt.Errorf("%s has no command %q below it", of.CommandPath(), rest[0])
		}
		of.InitDefaultHelpFlag()
		return of.Help()
	}
}
