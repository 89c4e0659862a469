package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"utfbench/internal/failure"
)

// A Settings is a starting command, with the sources of its flags. The command line overrides the environment, which
// overrides the profile, which overrides the file.
type Settings struct {
	Flags     *pflag.FlagSet         // parsed
	All       []*pflag.FlagSet       // of all commands: a file may set those of any command with a transport
	Target    []string               // flags that belong to a transport, and apply only together with it
	Variables Variables              // flags that the environment may set
	Runs      func(*pflag.Flag) bool // reports whether a flag's value decides which program runs on this machine

	Looks bool     // it only prints the flags, so that an untrusted file does no harm
	Own   []string // flags that the command has from elsewhere, which TakeAndTell does not mention
}

// A Taken lists the flags that a file or profile has set.
type Taken struct {
	From  string // a description
	Flags []*pflag.Flag
}

// Take sets the flags from bench.yaml that neither the command line nor the environment has set. It does so only for a
// command that reaches a chip; every command takes the history. A profile named by the user is returned even if it sets
// no flag of this command.
//
// The file in the current folder may be foreign: if it decides which program runs, the error is an *Untrusted until the
// user trusts it.
func (c *Settings) Take() (taken []Taken, err error) {
	if !reachesChip(c.Flags) && c.Flags.Lookup("db") == nil {
		return nil, nil
	}
	path, err := find()
	if err != nil {
		return nil, err
	}
	layers, err := c.layers(path)
	if err != nil {
		return nil, err
	}
	c.dropTargets(layers)
	for i, l := range layers {
		flags, err := c.apply(&l)
		if err != nil {
			return nil, err
		}
		if len(flags) > 0 || i+1 < len(layers) {
			taken = append(taken, Taken{l.from, flags})
		}
	}
	if path != SettingsName || len(layers) == 0 {
		return taken, nil
	}
	return taken, failure.Usage(c.trusted(path, layers[0].sum, taken))
}

// TakeAndTell takes the settings, and returns in a sentence which flags each source has set; "" is none.
func (c *Settings) TakeAndTell() (said string, err error) {
	taken, err := c.Take()
	if _, untrusted := errors.AsType[*Untrusted](err); c.Looks && (untrusted || err == nil) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var parts []string
	for _, t := range taken {
		var words []string
		for _, f := range t.Flags {
			if !slices.Contains(c.Own, f.Name) {
				words = append(words, Words(f)...)
			}
		}
		if words == nil {
			words = []string{"nothing of this command"}
		}
		parts = append(parts, t.From+" sets "+strings.Join(words, " "))
	}
	return strings.Join(parts, "; "), nil
}

// CommandLine returns a flag as words of a command line, with each of its values.
func CommandLine(f *pflag.Flag) (words []string) {
	for _, value := range Values(f) {
		switch {
		case f.NoOptDefVal == "":
			words = append(words, "--"+f.Name, value)
		case f.NoOptDefVal == value: // a switch takes no word of its own
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+value)
		}
	}
	return words
}

// Words returns a flag with each of its values as command-line words, for display.
func Words(f *pflag.Flag) (words []string) {
	for _, value := range Values(f) {
		if strings.ContainsAny(value, " '\"") {
			value = strconv.Quote(value)
		}
		words = append(words, "--"+f.Name+"="+value)
	}
	return words
}

// Values returns the values of a repeatable flag, or its one value; none of a flag that is nil.
func Values(f *pflag.Flag) []string {
	if f == nil {
		return nil
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// trusted returns an error if an untrusted file decides which program runs.
func (c *Settings) trusted(path, sum string, taken []Taken) error {
	var words []string
	for _, t := range taken {
		for _, f := range t.Flags {
			if c.Runs(f) {
				words = append(words, f.Name+": "+strings.Join(Values(f), ", "))
			}
		}
	}
	if len(words) == 0 {
		return nil
	}
	list, err := ReadTrust()
	if err != nil {
		return fmt.Errorf("%s of this folder: cannot determine whether it is trusted: %w", path, err)
	}
	is, changed, err := list.Of(path, sum)
	if is || err != nil {
		return err
	}
	return &Untrusted{words, changed}
}

// apply sets the flags that no earlier layer has set, and returns them.
func (c *Settings) apply(l *layer) (set []*pflag.Flag, err error) {
	for _, v := range Sorted(l.values) {
		f := c.Flags.Lookup(v.Name)
		if f == nil || !reachesChip(c.Flags) && f.Name != "db" || !kindOf(f).Takes(v.Kind) {
			continue
		}
		if _, value := c.Variables.Of(f.Name); value != "" || f.Changed || SetBy(f) != "" {
			continue
		}
		if err := setFlag(f, &v); err != nil {
			return nil, failure.Usagef("%s:%d: %s: %w", l.path, v.Line, v.Name, err)
		}
		SetFrom(f, l.from)
		set = append(set, f)
	}
	return set, nil
}

// reachesChip reports whether a command has the flags of a target.
func reachesChip(flags *pflag.FlagSet) bool { return flags.Lookup("transport") != nil }

// TransportKind returns the kind in KIND[:WHERE], the value of the flag transport.
func TransportKind(transport string) string {
	kind, _, _ := strings.Cut(transport, ":")
	return kind
}

func kindOf(f *pflag.Flag) ValueKind {
	if _, list := f.Value.(pflag.SliceValue); list {
		return ListValue
	}
	if f.Value.Type() == "bool" {
		return SwitchValue
	}
	return TextValue
}

func setFlag(f *pflag.Flag, v *Value) error {
	if list, ok := f.Value.(pflag.SliceValue); ok && v.Kind == ListValue {
		return list.Replace(v.Texts)
	}
	return f.Value.Set(v.Texts[0])
}

// setByKey is the annotation with the origin of a flag's value, other than the command line.
const setByKey = "bench_settings"

// SetFrom records the origin of a flag's value, other than the command line.
func SetFrom(f *pflag.Flag, what string) { f.Annotations = map[string][]string{setByKey: {what}} }

// SetBy returns the file, profile or recording that has set a flag, or "".
func SetBy(f *pflag.Flag) string {
	if from := f.Annotations[setByKey]; from != nil {
		return from[0]
	}
	return ""
}

// Unset resets a flag that a file has set to its default.
func Unset(f *pflag.Flag) error {
	if SetBy(f) == "" || f.Changed {
		return nil
	}
	delete(f.Annotations, setByKey)
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.Replace(nil)
	}
	return f.Value.Set(f.DefValue)
}

// Variables are flags that the environment may set where the command line does not, by BENCH_ and the flag's name.
type Variables []string

// Of returns the environment's value of a flag, and its variable; "" if there is none.
func (v Variables) Of(flag string) (variable, value string) {
	if !slices.Contains(v, flag) {
		return "", ""
	}
	variable = variableOf(flag)
	return variable, os.Getenv(variable)
}

// Names returns the variables.
func (v Variables) Names() (names []string) {
	for _, flag := range v {
		names = append(names, variableOf(flag))
	}
	return names
}

// Take sets flags from the environment that the command line does not set.
func (v Variables) Take(flags *pflag.FlagSet) error {
	for _, name := range v {
		f := flags.Lookup(name)
		variable, value := v.Of(name)
		if f == nil || f.Changed || value == "" {
			continue
		}
		if err := f.Value.Set(value); err != nil {
			return failure.Usagef("the variable %s: %w", variable, err)
		}
	}
	return nil
}

func variableOf(flag string) string { return "BENCH_" + strings.ToUpper(flag) }
