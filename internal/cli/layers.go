package cli

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"utfbench/internal/failure"
)

// SettingsName is the name of the settings file.
const SettingsName = "bench.yaml"

// A layer is a file's settings for all runs, or a profile's.
type layer struct {
	from   string // a description
	path   string // the file's path
	sum    string // its content's SHA-256
	values map[string]Value
}

// find returns BENCH_CONFIG, or the path of bench.yaml in this folder or in the user's configuration folder, or "".
func find() (string, error) {
	switch file := os.Getenv("BENCH_CONFIG"); file {
	case "":
	case "none":
		return "", nil
	default:
		if _, err := os.Stat(file); err != nil {
			return "", failure.Usagef("BENCH_CONFIG: %w", err)
		}
		return file, nil
	}
	paths := []string{SettingsName}
	if dir, err := os.UserConfigDir(); err == nil { // none without a home
		paths = append(paths, filepath.Join(dir, "utfbench", SettingsName))
	}
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
	}
	return "", nil
}

// layers reads a file, and returns the requested profile first.
func (c *Settings) layers(path string) ([]layer, error) {
	name, by := c.Flags.Lookup("profile").Value.String(), "--profile"
	if name == "" {
		by, name = c.Variables.Of("profile")
	}
	switch {
	case path == "" && name == "":
		return nil, nil
	case path == "":
		return nil, failure.Usagef("%s %s: there is no %s, neither in this folder nor in the user's configuration "+
			"folder", by, name, SettingsName)
	}
	f, err := ReadSettings(path)
	if err != nil {
		return nil, err
	}
	if err := f.Check(settable(c.All)); err != nil {
		return nil, err
	}
	layers := []layer{{"file " + path, path, f.sum, f.Values}}
	if name == "" {
		return layers, nil
	}
	profile, ok := f.Profiles[name]
	if !ok {
		return nil, failure.Usagef("%s %s: %s has no such profile: it has %s", by, name, path, f.ProfileNames())
	}
	return slices.Insert(layers, 0, layer{"profile " + name + " of " + path, path, f.sum, profile}), nil
}

// own lists flags that a file cannot set.
var own = []string{"help", "profile", "all"}

// settable returns the flags of all commands that use a chip, with their kinds.
func settable(commands []*pflag.FlagSet) map[string][]ValueKind {
	all := map[string][]ValueKind{}
	for _, flags := range commands {
		if !reachesChip(flags) {
			continue
		}
		flags.VisitAll(func(f *pflag.Flag) {
			kind := kindOf(f)
			if !slices.Contains(own, f.Name) && !slices.Contains(all[f.Name], kind) {
				all[f.Name] = append(all[f.Name], kind)
			}
		})
	}
	return all
}

// dropTargets removes a target's flags from each layer with another kind of transport than the selected one: they
// belong to it.
func (c *Settings) dropTargets(layers []layer) {
	f := c.Flags.Lookup("transport")
	if f == nil {
		return
	}
	used := ""
	if f.Changed {
		used = f.Value.String()
	} else if _, value := c.Variables.Of(f.Name); value != "" {
		used = value
	}
	for _, l := range layers {
		own, says := l.values[f.Name]
		if says && used == "" {
			used = own.Texts[0]
		}
		if !says || TransportKind(own.Texts[0]) == TransportKind(used) {
			continue
		}
		for _, option := range c.Target {
			delete(l.values, option)
		}
	}
}

// Profiles returns the profiles of the current file, if readable.
func Profiles() []string {
	path, err := find()
	if err != nil || path == "" {
		return nil
	}
	f, err := ReadSettings(path)
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(f.Profiles))
}
