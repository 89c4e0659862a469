package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// settingsName is the name of the file with defaults.
const settingsName = "bench.yaml"

// Settings names the flags that take defaults from the environment and bench.yaml. The file may be a stranger's, so its
// flags neither run programs nor write files. The command line overrides the environment, which overrides the file.
type Settings struct {
	Flags []string // flags that the file may set
	// the subset of Flags that belongs to a kind of transport, and applies only with that kind
	TargetFlags     []string
	Refuse          func(flag, value string) error // returns an error for a value that the file must not set
	EnvironmentOnly []string                       // flags that only the environment sets
	// flags that stay unchanged, since another source has set them for this command
	FixedFlags []string
}

// A setting is the file's value for one flag.
type setting struct {
	flag  string
	texts []string // several only for a repeatable flag
	line  int
}

// Apply sets the flags that the command line does not set, and returns a sentence about the flags set by the file, or
// "". For a command without the flag "transport" it sets only EnvironmentOnly.
func (s *Settings) Apply(flags *pflag.FlagSet, env *files.Env) (summary string, err error) {
	reachesChip := flags.Lookup("transport") != nil
	names := s.EnvironmentOnly
	if reachesChip {
		names = slices.Concat(names, s.Flags)
	}
	if err := s.applyVariables(flags, env, names); err != nil || !reachesChip {
		return "", err
	}
	path, err := findSettings(env)
	if err != nil || path == "" {
		return "", err
	}
	text, err := files.Settings.Read(path)
	if err != nil {
		return "", err
	}
	all, err := s.parse(path, text)
	if err != nil {
		return "", err
	}
	return s.apply(path, all, flags)
}

// EnvironmentVariable returns the name of the environment variable that sets a flag.
func EnvironmentVariable(flag string) string {
	return "BENCH_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func (s *Settings) applyVariables(flags *pflag.FlagSet, env *files.Env, names []string) error {
	for _, name := range names {
		f, variable := flags.Lookup(name), EnvironmentVariable(name)
		value := env.Getenv(variable)
		if f == nil || f.Changed || value == "" || slices.Contains(s.FixedFlags, name) {
			continue
		}
		if err := f.Value.Set(value); err != nil {
			return failure.Usagef("the variable %s: %w", variable, err)
		}
		setOrigin(f, "the variable "+variable)
	}
	return nil
}

// findSettings returns the path of bench.yaml in this folder, or in the user's configuration folder, or "".
func findSettings(env *files.Env) (string, error) {
	paths := []string{env.Path(settingsName)}
	if dir, err := env.ConfigDir(); err == nil { // without a home folder there is none
		paths = append(paths, filepath.Join(dir, settingsName))
	}
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
	}
	return "", nil
}

// parse parses the text of a file; path is for messages. An error begins with file:line.
func (s *Settings) parse(path string, text []byte) (all []setting, err error) {
	y, err := files.ParseYAML(path, files.Settings.Name, 2, text)
	if err != nil {
		return nil, err
	}
	err = y.Each(y.Body, files.Settings.Name, func(kv *ast.MappingValueNode) error {
		name := kv.Key.GetToken().Value
		if !slices.Contains(s.Flags, name) {
			return y.Errorf(kv.Key, "%q is no flag that a file may set%s: it may set %s", printable.Text(name),
				failure.DidYouMean(name, s.Flags), strings.Join(s.Flags, ", "))
		}
		one := setting{flag: name, line: files.YAMLLine(kv.Key)}
		items := []ast.Node{kv.Value}
		if list, is := kv.Value.(*ast.SequenceNode); is {
			items = list.Values
		}
		for _, item := range items {
			if value, ok := scalar(item); ok {
				one.texts = append(one.texts, value)
			}
		}
		if len(items) == 0 || len(one.texts) < len(items) {
			return y.Errorf(kv.Key, "%s has to be a text of one line that is not empty, a number, or a list of such "+
				"texts: leave it out for the default", name)
		}
		all = append(all, one)
		return nil
	})
	return all, err
}

// scalar returns a one-line text or a number as written.
func scalar(n ast.Node) (string, bool) {
	var s string
	switch n := n.(type) {
	case *ast.StringNode:
		s = n.Value
	case *ast.IntegerNode, *ast.FloatNode:
		s = n.GetToken().Value
	}
	return s, s != "" && printable.Text(s) == s
}

// apply sets the file's flags that neither the command line nor the environment has set.
func (s *Settings) apply(path string, all []setting, flags *pflag.FlagSet) (summary string, err error) {
	var words []string
	other := otherKind(all, flags.Lookup("transport"))
	for _, one := range all {
		f := flags.Lookup(one.flag)
		if f == nil || f.Changed || Origin(f) != "" || slices.Contains(s.FixedFlags, one.flag) ||
			other && slices.Contains(s.TargetFlags, one.flag) {
			continue
		}
		if err := cmp.Or(s.Refuse(one.flag, one.texts[0]), setFlag(f, one.texts)); err != nil {
			return "", failure.Usagef("%s:%d: %s: %w", path, one.line, one.flag, err)
		}
		setOrigin(f, path)
		for _, value := range one.texts {
			if strings.ContainsAny(value, " '\"") {
				value = strconv.Quote(value)
			}
			words = append(words, "--"+one.flag+"="+value)
		}
	}
	if words == nil {
		return "", nil
	}
	return path + " sets " + strings.Join(words, " "), nil
}

// otherKind reports whether the command line or the environment selects a different kind of transport than the file.
func otherKind(all []setting, transport *pflag.Flag) bool {
	kind := func(transport string) string { kind, _, _ := strings.Cut(transport, ":"); return kind }
	at := slices.IndexFunc(all, func(one setting) bool { return one.flag == transport.Name })
	return at >= 0 && (transport.Changed || Origin(transport) != "") &&
		kind(transport.Value.String()) != kind(all[at].texts[0])
}

func setFlag(f *pflag.Flag, texts []string) error {
	switch list, is := f.Value.(pflag.SliceValue); {
	case is:
		return list.Replace(texts)
	case len(texts) != 1:
		return errors.New("has to be one text or number, and no list")
	}
	return f.Value.Set(texts[0])
}

// originKey is the annotation that holds the origin of a flag's value unless it is from the command line.
const originKey = "bench_settings"

func setOrigin(f *pflag.Flag, origin string) {
	f.Annotations = map[string][]string{originKey: {origin}}
}

// Origin returns the variable or the file that has set a flag, or "".
func Origin(f *pflag.Flag) string {
	if origin := f.Annotations[originKey]; origin != nil {
		return origin[0]
	}
	return ""
}

// flagIn matches flags in a message, and the message's first word, which may be the name of a flag.
var flagIn = printable.LazyRegexp(`^([a-z]+)\b|--([a-z]+(?:-[a-z]+)*)`)

// ExplainOrigins appends to a message the origin of each flag that it mentions but the user did not type.
func ExplainOrigins(message string, flags *pflag.FlagSet) string {
	explained := map[string]bool{}
	for _, m := range flagIn().FindAllStringSubmatch(message, -1) {
		f := flags.Lookup(m[1] + m[2])
		if f == nil || explained[f.Name] || Origin(f) == "" {
			continue
		}
		explained[f.Name] = true
		message += fmt.Sprintf(" (--%s comes from %s)", f.Name, Origin(f))
	}
	return message
}

// FlagArgs returns a flag with each of its values, as arguments of a command line.
func FlagArgs(f *pflag.Flag) (words []string) {
	for _, value := range FlagValues(f) {
		switch {
		case f.NoOptDefVal == "":
			words = append(words, "--"+f.Name, value)
		case f.NoOptDefVal == value: // a switch takes no argument
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+value)
		}
	}
	return words
}

// FlagValues returns the values of a repeatable flag, or the only value of another flag; none for nil.
func FlagValues(f *pflag.Flag) []string {
	if f == nil {
		return nil
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}
