package cmdline

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/internal/settings"
)

// Kinds maps flags to the kinds of transport that use them, joined by "or". A missing flag is for all.
type Kinds map[string]string

// HasUse reports whether a kind of transport uses a flag.
func (k Kinds) HasUse(kind, flag string) bool {
	of := k[flag]
	return of == "" || slices.Contains(strings.Split(of, " or "), kind)
}

// Unused refuses a flag that was given and that a kind of transport would not look at.
func (k Kinds) Unused(given *pflag.FlagSet, kind string) (err error) {
	given.Visit(func(f *pflag.Flag) {
		if !k.HasUse(kind, f.Name) {
			err = failure.Usagef("--%s is for the transport %s, and this one is %s: choose with --transport", f.Name,
				k[f.Name], kind)
		}
	})
	return err
}

// A Target is the flags that name a chip.
type Target struct {
	Flags *pflag.FlagSet // all of them, none of them set
	Kinds Kinds
	Aside []string // those that write a file, and have no part in which chip it is
}

// Words name the target of a command as on its command line: the transport, and what else was given there or by the
// environment or bench.yaml, as far as the transport has a use for it.
func (t *Target) Words(command *pflag.FlagSet) []string {
	words := []string{"-t", command.Lookup("transport").Value.String()}
	kind := settings.TransportKind(words[1])
	t.Flags.VisitAll(func(f *pflag.Flag) {
		given := command.Lookup(f.Name)
		if f.Name == "transport" || slices.Contains(t.Aside, f.Name) || !t.Kinds.HasUse(kind, f.Name) ||
			!given.Changed && given.Value.String() == f.DefValue {
			return
		}
		words = append(words, Flag(given)...)
	})
	return words
}

// Bring sets a command's flags to the target that words names, as Words wrote them, unless its command line sets them;
// bench.yaml is ignored, since it describes another target. With a transport on the command line nothing is set. It
// reports whether the target is the one of words, unchanged. The Target is used up.
func (t *Target) Bring(words []string, command *pflag.FlagSet) (same bool, err error) {
	if command.Changed("transport") {
		return false, nil
	}
	if err := t.Flags.Parse(words); err != nil {
		return false, failure.Usagef("it says %q of how its chip is reached, which this bench does not know: give -t",
			strings.Join(words, " "))
	}
	t.Flags.VisitAll(func(f *pflag.Flag) {
		if uerr := settings.Unset(command.Lookup(f.Name)); uerr != nil && err == nil {
			err = uerr
		}
	})
	same = true
	t.Flags.Visit(func(f *pflag.Flag) {
		mine := command.Lookup(f.Name)
		switch {
		case slices.Contains(t.Aside, f.Name):
			return
		case mine.Changed:
			same = false
			return
		}
		for _, value := range Values(f) {
			if serr := command.Set(f.Name, value); serr != nil && err == nil {
				err = serr
			}
		}
		settings.SetFrom(mine, "the recorded run")
	})
	return same, err
}
