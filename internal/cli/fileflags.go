package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"utfbench/internal/failure"
)

// FileFlags are the flags of a program that name files, in any command.
type FileFlags struct {
	Outputs []string // string flags that name an output
	Inputs  []string // flags that name inputs
}

// CheckDistinct refuses an output that is also another output of the command line, or a file that it reads. Arguments
// that are no files, such as numbers, are ignored.
func (of FileFlags) CheckDistinct(flags *pflag.FlagSet, args []string) (err error) {
	reads := map[string]os.FileInfo{} // by path
	by := map[string]string{}         // what names a path
	add := func(name string, paths ...string) {
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				reads[path], by[path] = info, name
			}
		}
	}
	add("the command", args...)
	for _, name := range of.Inputs {
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
		info, _ := os.Stat(path) // nil if it is not there
		for other, read := range reads {
			if os.SameFile(info, read) {
				err = failure.Usagef("--%s would be written to %s, which %s reads: give it another file", f.Name, path,
					by[other])
			}
		}
		abs, _ := filepath.Abs(path) // "" where there is no working directory, and nothing can be written
		if other := writes[abs]; other != "" {
			err = failure.Usagef("--%s and --%s are both to be written to %s: give them different files", other, f.Name,
				path)
		}
		writes[abs] = f.Name
	})
	return err
}

// CheckNotEmpty rejects file flags, and other given flags, with an empty value.
func (of *FileFlags) CheckNotEmpty(flags *pflag.FlagSet, others ...string) (err error) {
	names := slices.Concat(of.Outputs, of.Inputs, others)
	flags.Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == "" || f.Value.String() == "[]"
		if empty && slices.Contains(names, f.Name) {
			err = failure.Usagef("--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	return err
}
