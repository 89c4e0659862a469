package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Typing is a command line to complete at its end.
type Typing struct {
	Cmd  *cobra.Command
	Args []string
	Text string                   // the unfinished word
	Does cobra.ShellCompDirective // what the shell does with the values; by default no files
}

// What the shell does.
const (
	OrFiles   = cobra.ShellCompDirectiveDefault // if no value fits
	Alone     = cobra.ShellCompDirectiveNoFileComp
	GoesOn    = cobra.ShellCompDirectiveNoSpace
	KeepOrder = cobra.ShellCompDirectiveKeepOrder
)

// A Proposal proposes values, each with its description.
type Proposal func(t *Typing) [][2]string

// Fixed proposes the same values each time, and files.
func Fixed(values ...string) Proposal {
	return func(t *Typing) [][2]string {
		t.Does = OrFiles
		return Bare(values)
	}
}

// Bare returns values without descriptions.
func Bare(values []string) (all [][2]string) {
	for _, v := range values {
		all = append(all, [2]string{v})
	}
	return all
}

// Flag returns the value of a flag, or "" if the command lacks it.
func (t *Typing) Flag(name string) string {
	if f := t.Cmd.Flags().Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// complete is a cobra.CompletionFunc.
func (p Proposal) complete(cmd *cobra.Command, args []string, typed string) (all []string, _ cobra.ShellCompDirective) {
	t := Typing{cmd, args, typed, Alone}
	for _, value := range p(&t) {
		if value[1] != "" {
			value[0] = cobra.CompletionWithDesc(value[0], strings.ReplaceAll(value[1], "\n", " "))
		}
		all = append(all, value[0])
	}
	return all, t.Does
}

// Complete adds completions to a command and its subcommands: by flag name, and by the words of Use for arguments.
// Without one the shell proposes files.
func Complete(cmd *cobra.Command, flags, arguments map[string]Proposal) {
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			do := flags[f.Name]
			if _, done := cmd.GetFlagCompletionFunc(f.Name); do == nil || done {
				return
			}
			if err := cmd.RegisterFlagCompletionFunc(f.Name, do.complete); err != nil {
				panic(err) // the flag does not exist: a mistake in this program
			}
		})
	}
	words := strings.FieldsFunc(cmd.Use, func(r rune) bool { return strings.ContainsRune(" []", r) })[1:]
	if len(words) > 0 {
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string,
			cobra.ShellCompDirective) {
			word := words[min(len(args), len(words)-1)]
			if do := arguments[strings.TrimSuffix(word, "...")]; do != nil &&
				(len(args) < len(words) || strings.HasSuffix(word, "...")) {
				return do.complete(cmd, args, typed)
			}
			return nil, OrFiles
		}
	}
	for _, c := range cmd.Commands() {
		Complete(c, flags, arguments)
	}
}

// Unquote removes the quotes around the names of values from all flags' usage, for completions, which show it as it is.
func Unquote(cmd *cobra.Command) {
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		set.VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
	}
	for _, c := range cmd.Commands() {
		Unquote(c)
	}
}
