package cli

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// A ValueKind is the type of a value or flag.
type ValueKind string

// The kinds, worded for an error.
const (
	SwitchValue ValueKind = "true or false"
	TextValue   ValueKind = "a text or a number"
	ListValue   ValueKind = "a list of texts" // a single text is accepted too
)

// Takes reports whether a flag of this kind accepts a value.
func (k ValueKind) Takes(value ValueKind) bool {
	return k == value || k == ListValue && value == TextValue
}

// A Value is a file's value of one flag.
type Value struct {
	Name  string // of the flag
	Kind  ValueKind
	Texts []string // as on a command line: several for a ListValue only
	Line  int      // in the file
}

// A SettingsFile is a parsed bench.yaml.
type SettingsFile struct {
	Path     string
	Values   map[string]Value            // by flag
	Profiles map[string]map[string]Value // by name, then by flag

	sum string // the SHA-256 of its text, in hex
}

// profiles is the one key that is not a flag.
const profiles = "profiles"

// ReadSettings reads a file.
func ReadSettings(path string) (*SettingsFile, error) {
	text, err := files.Settings.Read(path)
	if err != nil {
		return nil, err
	}
	return ParseSettings(path, text)
}

// ParseSettings reads a text; path is its name in messages. An error begins with file:line.
func ParseSettings(path string, text []byte) (*SettingsFile, error) {
	y, err := files.ParseYAML(path, files.Settings.Name, 3, text)
	if err != nil {
		return nil, err
	}
	entries, err := y.Entries(y.Body, files.Settings.Name)
	if err != nil {
		return nil, err
	}
	f := &SettingsFile{Path: path, Profiles: map[string]map[string]Value{}, sum: fmt.Sprintf("%x", sha256.Sum256(text))}
	own := slices.DeleteFunc(slices.Clone(entries), func(kv *ast.MappingValueNode) bool {
		return kv.Key.String() == profiles
	})
	if f.Values, err = values(y, own); err != nil {
		return nil, err
	}
	for _, kv := range entries {
		if kv.Key.String() == profiles {
			err = f.readProfiles(y, kv.Value)
		}
	}
	return f, err
}

func (f *SettingsFile) readProfiles(y *files.YAML, n ast.Node) error {
	return y.Each(n, profiles, func(kv *ast.MappingValueNode) error {
		name, ok := text(kv.Key)
		if !ok {
			return y.Errorf(kv.Key, "the name of a profile has to be a text of one line")
		}
		entries, err := y.Entries(kv.Value, "profile "+name)
		if err != nil {
			return err
		}
		f.Profiles[name], err = values(y, entries)
		return err
	})
}

func values(y *files.YAML, entries []*ast.MappingValueNode) (map[string]Value, error) {
	all := map[string]Value{}
	for _, kv := range entries {
		name, ok := text(kv.Key)
		if !ok {
			return nil, y.Errorf(kv.Key, "a key has to be the name of a flag")
		}
		v := Value{Name: name, Line: files.YAMLLine(kv.Key)}
		if !v.take(kv.Value) {
			return nil, y.Errorf(kv.Key, "%s has to be a text of one line that is not empty, a number, true or false, "+
				"or a list of such texts: leave it out for the default", name)
		}
		all[name] = v
	}
	return all, nil
}

func (v *Value) take(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BoolNode:
		v.Kind, v.Texts = SwitchValue, []string{n.GetToken().Value}
		return true
	case *ast.SequenceNode:
		v.Kind = ListValue
		for _, item := range n.Values {
			one, ok := text(item)
			if !ok {
				return false
			}
			v.Texts = append(v.Texts, one)
		}
		return len(v.Texts) > 0
	}
	one, ok := text(n)
	v.Kind, v.Texts = TextValue, []string{one}
	return ok
}

// text returns a one-line scalar as written.
func text(n ast.Node) (string, bool) {
	var s string
	switch n := n.(type) {
	case *ast.StringNode:
		s = n.Value
	case *ast.IntegerNode, *ast.FloatNode:
		s = n.GetToken().Value
	}
	return s, s != "" && printable.Text(s) == s
}

// Check returns an error for the first key that is not a flag or has a value of the wrong kind. flags maps names to
// kinds.
func (f *SettingsFile) Check(flags map[string][]ValueKind) error {
	y := &files.YAML{Name: f.Path}
	all := slices.Collect(maps.Values(f.Values))
	for _, profile := range f.Profiles {
		all = slices.AppendSeq(all, maps.Values(profile))
	}
	slices.SortFunc(all, func(a, b Value) int { return a.Line - b.Line })
	for _, v := range all {
		kinds, known := flags[v.Name]
		switch {
		case !known:
			names := slices.Sorted(maps.Keys(flags))
			if hint := failure.Hint(v.Name, names); hint != "" {
				return y.ErrorAt(v.Line, "unknown key %q%s: BENCH_CONFIG=none bench config show --all lists all",
					v.Name, hint)
			}
			return y.ErrorAt(v.Line, "unknown key %q: allowed are %s and %s", v.Name, strings.Join(names, ", "),
				profiles)
		case !slices.ContainsFunc(kinds, func(k ValueKind) bool { return k.Takes(v.Kind) }):
			return y.ErrorAt(v.Line, "%s has to be %s", v.Name, kinds[0])
		}
	}
	return nil
}

// String returns the file's settings as command-line words.
func (f *SettingsFile) String() string {
	parts := []string{"for all runs" + words(f.Values)}
	for _, name := range slices.Sorted(maps.Keys(f.Profiles)) {
		parts = append(parts, "profile "+name+words(f.Profiles[name]))
	}
	return strings.Join(parts, "; ")
}

func words(values map[string]Value) (text string) {
	for _, v := range Sorted(values) {
		text += fmt.Sprintf(" --%s=%s", v.Name, strings.Join(v.Texts, ","))
	}
	return text
}

// Sorted returns values by flag name.
func Sorted(values map[string]Value) []Value {
	return slices.SortedFunc(maps.Values(values), func(a, b Value) int { return strings.Compare(a.Name, b.Name) })
}

// ProfileNames lists all profiles.
func (f *SettingsFile) ProfileNames() string {
	if len(f.Profiles) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(maps.Keys(f.Profiles)), ", ")
}
