package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/failure"
)

// UnknownCommand returns the error for an unknown command, and suggests a similar one.
func UnknownCommand(parent *cobra.Command, name string) error {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	hint := failure.DidYouMean(name, names)
	switch {
	case hint != "":
	case parent.Flags().NFlag() > 0:
		hint = ", or a value after a flag that takes none"
	case slices.Contains(names, "show"):
		hint = fmt.Sprintf(" (did you mean %s show %s?)", parent.CommandPath(), name)
	}
	return failure.Usagef("unknown command %q for %q%s: see %s", name, parent.CommandPath(), hint, of(parent))
}

// of returns the command that prints the help of cmd.
func of(cmd *cobra.Command) string {
	words := strings.Fields(cmd.CommandPath())
	return strings.Join(append([]string{words[0], "help"}, words[1:]...), " ")
}

// formOf maps types of flags to descriptions of their syntax.
var formOf = map[string]string{"duration": "a time with its unit, such as 30s, 10m or 1h30m", "int": "a whole number",
	"uint64": "a whole number, 0 or more", "float64": "a number", "bool": "true or false"}

// form describes the syntax of a flag's value, or returns "" for a type whose errors describe it.
func form(f *pflag.Flag) string {
	form := formOf[f.Value.Type()]
	if d, err := time.ParseDuration(f.DefValue); err == nil && 0 < d && d < time.Second {
		return "a time with its unit, such as " + f.DefValue
	}
	return form
}

// FlagError rewords an error about flags. For an unknown flag it suggests a similar one.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var wrong *pflag.InvalidValueError
	var bare *pflag.ValueRequiredError
	switch {
	case errors.As(err, &wrong) && form(wrong.GetFlag()) != "":
		f := wrong.GetFlag()
		return failure.Usagef("--%s %q: has to be %s", f.Name, wrong.GetValue(), form(f))
	case errors.As(err, &wrong):
		return failure.Usagef("--%s %s: %w", wrong.GetFlag().Name, wrong.GetValue(), wrong.Unwrap())
	case errors.As(err, &bare):
		_, does := pflag.UnquoteUsage(bare.GetFlag())
		does, _, _ = strings.Cut(does, ",")
		return failure.Usagef("--%s needs a value (%s): see %s", bare.GetFlag().Name, does, of(cmd))
	case !errors.As(err, &unknown):
		return failure.Usage(err)
	case cmd.HasSubCommands() && cmd.Flags().Arg(0) != "":
		return UnknownCommand(cmd, cmd.Flags().Arg(0))
	case unknown.GetSpecifiedShortnames() != "": // any letter would be similar
		return failure.Usagef("%w: see %s", err, of(cmd))
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return failure.Usagef("%w%s: see %s", err, failure.DidYouMean("--"+unknown.GetSpecifiedName(), names), of(cmd))
}

// NoArguments returns an error if there is an argument, which may be a mistyped subcommand.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && cmd.HasAvailableSubCommands() {
		return UnknownCommand(cmd, args[0])
	}
	return argsBetween(0, 0)(cmd, args)
}

// RejectUnknownCommands makes the command "help" reject unknown commands. Cobra's shows the general help and exits 0.
func RejectUnknownCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // cannot happen: every program has a help command
	}
	help.Run, help.Args = nil, cobra.ArbitraryArgs // its arguments are the words of a command
	help.RunE = func(_ *cobra.Command, args []string) error {
		about, rest, err := root.Find(args)
		switch {
		case err != nil:
			return failure.Usage(err)
		case len(rest) > 0 && about.HasAvailableSubCommands():
			return UnknownCommand(about, rest[0])
		case len(rest) > 0:
			return failure.Usagef("%s has no command %q below it", about.CommandPath(), rest[0])
		}
		about.InitDefaultHelpFlag()
		return about.Help()
	}
}

func argsBetween(low, high int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= low && len(args) <= high {
			return nil
		}
		_, usage, _ := strings.Cut(cmd.Use, " ")
		return failure.Usagef("%s takes %s; given: %s: see %s", cmd.CommandPath(), cmp.Or(usage, "no arguments"),
			cmp.Or(strings.Join(args, " "), "nothing"), of(cmd))
	}
}

// SetArgumentChecks sets the argument check of each command below root that has none, according to its Use: [X] is
// optional, X... is repeatable, and "--" stands for itself. Commands without an action show their help.
func SetArgumentChecks(root *cobra.Command) {
	inOrder()
	for _, c := range root.Commands() {
		c.Flags().SortFlags = false
		if c.RunE == nil && c.Run == nil {
			c.Args, c.RunE = NoArguments, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
		low, high := 0, 0
		for _, word := range strings.Fields(c.Use)[1:] {
			switch {
			case word == "--":
				continue
			case !strings.HasPrefix(word, "["):
				low++
			}
			if high++; strings.HasSuffix(strings.TrimSuffix(word, "]"), "...") {
				high = Unbounded
			}
		}
		switch {
		case c.Args != nil:
		case high == 0:
			c.Args = NoArguments
		default:
			c.Args = argsBetween(low, high)
		}
		SetArgumentChecks(c)
	}
}
