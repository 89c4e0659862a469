package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// FileFlags holds the names of a program's flags that name files.
type FileFlags struct {
	Outputs []string // string flags that name outputs
	Inputs  []string // flags that name inputs
	// Names are flags with values that may name inputs, as in FILE.pack:NAME or gates:FILE,FILE.
	Names []string
}

// Resolve resolves the paths in flags, and arguments that name existing files, against the working directory.
func (of *FileFlags) Resolve(flags *pflag.FlagSet, args []string, env *files.Env) (err error) {
	if env.Dir == "" {
		return nil
	}
	for i := range args {
		args[i] = resolveInput(args[i], env)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		resolve := env.Path
		switch values := FlagValues(f); {
		case slices.Contains(of.Names, f.Name):
			resolve = func(value string) string { return resolveInput(value, env) }
			fallthrough
		case slices.Contains(slices.Concat(of.Inputs, of.Outputs), f.Name) && f.Value.Type() != "bool":
			for i := range values {
				values[i] = resolve(values[i])
			}
			err = cmp.Or(err, setFlag(f, values))
		}
	})
	return err
}

// resolveInput resolves those parts of a value that are paths of existing files.
func resolveInput(value string, env *files.Env) string {
	return component().ReplaceAllStringFunc(value, func(part string) string {
		path := env.Path(part)
		if _, err := os.Stat(path); err != nil {
			return part
		}
		return path
	})
}

// component matches a part of a value that may be a path.
var component = printable.LazyRegexp(`[^:,]+`)

// CheckDistinct returns an error if two outputs are the same file, or if an output is a file that the command reads. It
// ignores arguments that are not files, such as numbers.
func (of FileFlags) CheckDistinct(flags *pflag.FlagSet, args []string) (err error) {
	reads := map[string]os.FileInfo{} // by path
	by := map[string]string{}         // the flag or argument that names it, by path
	add := func(name string, paths ...string) {
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				reads[path], by[path] = info, name
			}
		}
	}
	add("the command", args...)
	for _, name := range slices.Concat(of.Inputs, of.Names) {
		for _, value := range FlagValues(flags.Lookup(name)) { // such as FILE, FILE.pack:NAME or gates:FILE,FILE
			pack, list, _ := strings.Cut(value, ":")
			add("--"+name, append(strings.Split(list, ","), pack, value)...)
		}
	}
	writes := map[string]string{}
	flags.VisitAll(func(f *pflag.Flag) {
		path := f.Value.String()
		if !slices.Contains(of.Outputs, f.Name) || f.Value.Type() != "string" || path == "" || path == os.DevNull {
			return
		}
		info, _ := os.Stat(path) // nil if the file does not exist
		for other, read := range reads {
			if os.SameFile(info, read) {
				err = failure.Usagef("--%s would be written to %s, which %s reads: give it another file", f.Name, path,
					by[other])
			}
		}
		abs, _ := filepath.Abs(path) // "" if there is no working directory; then nothing can be written
		if other := writes[abs]; other != "" {
			err = failure.Usagef("--%s and --%s are both to be written to %s: give them different files", other, f.Name,
				path)
		}
		writes[abs] = f.Name
	})
	return err
}

// CheckNotEmpty returns an error if a file flag, or one of others, is set to an empty value.
func (of *FileFlags) CheckNotEmpty(flags *pflag.FlagSet, others ...string) (err error) {
	names := slices.Concat(of.Outputs, of.Inputs, of.Names, others)
	flags.Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == "" || f.Value.String() == "[]"
		if empty && slices.Contains(names, f.Name) {
			err = failure.Usagef("--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	return err
}
