package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/settings"
)

// ownSettings is the file with values for flags.
const ownSettings = "bench.yaml"

// A layer is what a file says for all runs, or a profile of it.
type layer struct {
	from   string // in words
	path   string // of the file
	values map[string]settings.Value
}

// takeSettings gives the flags of a command the values of bench.yaml where the command line and the environment have no
// others. Only commands that reach a chip take them; and all take the history.
func takeSettings(cmd *cobra.Command) error {
	if !readsSettings(cmd) {
		return nil
	}
	path, err := settingsFile()
	if err != nil {
		return err
	}
	layers, err := readLayers(cmd, path)
	if err != nil {
		return err
	}
	dropTargets(cmd, layers)
	var set []string
	for _, l := range layers {
		words, err := l.apply(cmd)
		if err != nil {
			return err
		}
		set = append(set, words...)
	}
	if path == ownSettings && len(set) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s of this folder sets %s\n", path, strings.Join(set, " "))
	}
	return nil
}

// reachesChip says whether a command has the flags of a target.
func reachesChip(cmd *cobra.Command) bool { return cmd.Flags().Lookup("transport") != nil }

func readsSettings(cmd *cobra.Command) bool {
	return reachesChip(cmd) || cmd.Flags().Lookup("db") != nil
}

// settingsFile is BENCH_CONFIG, or bench.yaml in this folder, or that in the user's folder for configuration; "" for
// none.
func settingsFile() (string, error) {
	switch file := os.Getenv("BENCH_CONFIG"); file {
	case "":
	case "none":
		return "", nil
	default:
		return file, nil
	}
	paths := []string{ownSettings}
	if dir, err := os.UserConfigDir(); err == nil { // without a home there is none
		paths = append(paths, filepath.Join(dir, "utfbench", ownSettings))
	}
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
	}
	return "", nil
}

// readLayers reads a file: the profile that is asked for first, if one is.
func readLayers(cmd *cobra.Command, path string) ([]layer, error) {
	name, by := cmd.Flags().Lookup("profile").Value.String(), "--profile"
	if name == "" {
		name, by = os.Getenv("BENCH_PROFILE"), "BENCH_PROFILE"
	}
	switch {
	case path == "" && name == "":
		return nil, nil
	case path == "":
		return nil, fmt.Errorf("%s %s: there is no %s, neither in this folder nor in the user's folder for "+
			"configuration", by, name, ownSettings)
	}
	f, err := settings.Read(path)
	if err != nil {
		return nil, err
	}
	if err := f.Check(settable(cmd.Root())); err != nil {
		return nil, err
	}
	layers := []layer{{"file " + path, path, f.Values}}
	if name == "" {
		return layers, nil
	}
	profile, ok := f.Profiles[name]
	if !ok {
		return nil, fmt.Errorf("%s %s: %s has no such profile: it has %s", by, name, path, f.ProfileNames())
	}
	return slices.Insert(layers, 0, layer{"profile " + name + " of " + path, path, profile}), nil
}

// settable are the flags of all commands that reach a chip, with what they take.
func settable(root *cobra.Command) map[string][]settings.Kind {
	all := map[string][]settings.Kind{}
	for _, c := range root.Commands() {
		if !reachesChip(c) {
			continue
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			kind := kindOf(f)
			if f.Name != "help" && f.Name != "profile" && !slices.Contains(all[f.Name], kind) {
				all[f.Name] = append(all[f.Name], kind)
			}
		})
	}
	return all
}

func kindOf(f *pflag.Flag) settings.Kind {
	if _, list := f.Value.(pflag.SliceValue); list {
		return settings.List
	}
	if f.Value.Type() == "bool" {
		return settings.Switch
	}
	return settings.Text
}

// dropTargets takes the flags of a target out of each layer that says them of another kind of transport than the one
// that is used: they belong to it.
func dropTargets(cmd *cobra.Command, layers []layer) {
	f := cmd.Flags().Lookup("transport")
	if f == nil {
		return
	}
	used := ""
	if f.Changed {
		used = f.Value.String()
	} else if _, value := fromVariable(f.Name); value != "" {
		used = value
	}
	for _, l := range layers {
		own, says := l.values[f.Name]
		if says && used == "" {
			used = own.Texts[0]
		}
		if !says || kindWord(own.Texts[0]) == kindWord(used) {
			continue
		}
		targetFlags().VisitAll(func(of *pflag.Flag) { delete(l.values, of.Name) })
	}
}

func kindWord(transport string) string {
	kind, _, _ := strings.Cut(transport, ":")
	return kind
}

// apply sets flags that nothing before this layer has set. It gives those that make the bench write a file, or go on
// where it would refuse, as words of a command line.
func (l *layer) apply(cmd *cobra.Command) (telling []string, err error) {
	for _, v := range settings.Sorted(l.values) {
		f := cmd.Flags().Lookup(v.Name)
		if f == nil || !reachesChip(cmd) && f.Name != "db" || !kindOf(f).Takes(v.Kind) || f.Changed || setBy(f) != "" {
			continue
		}
		if _, value := fromVariable(f.Name); value != "" {
			continue
		}
		if err := setFlag(f, &v); err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", l.path, v.Line, v.Name, err)
		}
		f.Annotations = map[string][]string{settingsKey: {l.from}}
		if tells(f) {
			telling = append(telling, "--"+f.Name+"="+f.Value.String())
		}
	}
	return telling, nil
}

func setFlag(f *pflag.Flag, v *settings.Value) error {
	if list, ok := f.Value.(pflag.SliceValue); ok && v.Kind == settings.List {
		return list.Replace(v.Texts)
	}
	return f.Value.Set(v.Texts[0])
}

// told are flags that are told of when a file in the current folder sets them, which may be a stranger's. So are
// fileFlags.
var told = []string{"vcd", "insist", "force", "reboot"}

func tells(f *pflag.Flag) bool {
	_, writes := fileFlags.Outputs[f.Name]
	return (writes || slices.Contains(told, f.Name)) && f.Value.String() != f.DefValue
}

// settingsKey is the annotation of a flag that a file has set, with where.
const settingsKey = "bench_settings"

// setBy says which file or profile has set a flag; "" when none has.
func setBy(f *pflag.Flag) string {
	if from := f.Annotations[settingsKey]; from != nil {
		return from[0]
	}
	return ""
}

// unset gives a flag that a file has set its default back.
func unset(f *pflag.Flag) error {
	if setBy(f) == "" || f.Changed {
		return nil
	}
	delete(f.Annotations, settingsKey)
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.Replace(nil)
	}
	return f.Value.Set(f.DefValue)
}

// fromVariable is what the environment says of a flag; "" for nothing.
func fromVariable(flag string) (variable, value string) {
	if !slices.Contains(variables, flag) && flag != "db" && flag != "profile" {
		return "", ""
	}
	variable = "BENCH_" + strings.ToUpper(flag)
	return variable, os.Getenv(variable)
}
