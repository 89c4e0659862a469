package settings

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"utfbench/internal/failure"
)

// A Command is a starting command, with the sources of its flags. The command line overrides the environment, which
// overrides the profile, which overrides the file.
type Command struct {
	Flags     *pflag.FlagSet         // parsed
	All       []*pflag.FlagSet       // of all commands: those of the ones with a transport may stand in a file
	Target    []string               // flags that belong to a transport, which counts with them or not at all
	Variables Variables              // of the flags that the environment may set
	Runs      func(*pflag.Flag) bool // whether the value of a flag decides what runs on this machine
}

// A Taken lists what a file or profile has set.
type Taken struct {
	From  string // in words
	Flags []*pflag.Flag
}

// Take gives the flags the values of bench.yaml where the command line and the environment have no others. Only a
// command that reaches a chip takes them; and all take the history. A profile that the user names is among what was
// taken even if it sets no flag of this command.
//
// The file of the current folder may be a stranger's: if it decides what runs, the error is an *Untrusted until the
// user trusts it.
func (c *Command) Take() (taken []Taken, err error) {
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
	if path != FileName || len(layers) == 0 {
		return taken, nil
	}
	return taken, failure.Usage(c.trusted(path, layers[0].sum, taken))
}

// Words returns a flag as command-line words, with each of its values, for reading.
func Words(f *pflag.Flag) (words []string) {
	for _, value := range Values(f) {
		if strings.ContainsAny(value, " '\"") {
			value = strconv.Quote(value)
		}
		words = append(words, "--"+f.Name+"="+value)
	}
	return words
}

// Values returns the values of a repeatable flag, or its one value.
func Values(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// trusted returns an error if a file that the user does not trust decides what runs.
func (c *Command) trusted(path, sum string, taken []Taken) error {
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
		return fmt.Errorf("%s of this folder: nobody knows whether it is trusted: %w", path, err)
	}
	is, changed, err := list.Of(path, sum)
	if is || err != nil {
		return err
	}
	return &Untrusted{words, changed}
}

// apply sets flags that nothing before this layer has set, and gives them.
func (c *Command) apply(l *layer) (set []*pflag.Flag, err error) {
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

func kindOf(f *pflag.Flag) Kind {
	if _, list := f.Value.(pflag.SliceValue); list {
		return List
	}
	if f.Value.Type() == "bool" {
		return Switch
	}
	return Text
}

func setFlag(f *pflag.Flag, v *Value) error {
	if list, ok := f.Value.(pflag.SliceValue); ok && v.Kind == List {
		return list.Replace(v.Texts)
	}
	return f.Value.Set(v.Texts[0])
}

// setByKey is the annotation of a flag that something but the command line has set, with what.
const setByKey = "bench_settings"

// SetFrom records what has set a flag, other than the command line.
func SetFrom(f *pflag.Flag, what string) { f.Annotations = map[string][]string{setByKey: {what}} }

// SetBy says which file, profile or recording has set a flag; "" when none has.
func SetBy(f *pflag.Flag) string {
	if from := f.Annotations[setByKey]; from != nil {
		return from[0]
	}
	return ""
}

// Unset gives a flag that a file has set its default back.
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

// Variables are flags that the environment may set where the command line does not: BENCH_ and the flag's name.
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

// Take sets the flags that the environment says and the command line does not.
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
