package verilog

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A File is a file read for a design.
type File struct {
	Path string
	Kind FileKind
}

// A FileKind is the reason why a file was read.
type FileKind string

// Kinds of files.
const (
	SourceFile  FileKind = "source" // listed in Sources
	IncludeFile FileKind = "include file"
	DataFile    FileKind = "data"
	MissingFile FileKind = "data, and not there"
)

// filesOf lists the files read for a design, listed ones first.
func (r *reading) filesOf(c *Config) (all []File) {
	for _, path := range c.Sources {
		all = append(all, File{path, SourceFile})
	}
	for _, path := range r.read {
		if !slices.Contains(c.Sources, path) {
			all = append(all, File{path, IncludeFile})
		}
	}
	for _, f := range r.data.files {
		kind := DataFile
		if f.sum == absent {
			kind = MissingFile
		}
		all = append(all, File{f.path, kind})
	}
	return all
}

// contents returns the digests of the files read for a design, sorted.
func (r *reading) contents() (sums []string) {
	for _, path := range slices.Concat(r.read, r.data.paths()) {
		sum, _ := sumOfFile(path) // a file that has become unreadable counts as absent
		sums = append(sums, sum)
	}
	slices.Sort(sums)
	return slices.Compact(sums)
}

// UnlistedNote describes the files that were read without being listed, or returns "".
func UnlistedNote(read []File, listed []string) string {
	var names []string
	for _, f := range read {
		is := func(path string) bool { return filepath.Clean(path) == filepath.Clean(f.Path) }
		if f.Kind != SourceFile && !slices.ContainsFunc(listed, is) {
			names = append(names, fmt.Sprintf("%s (%s)", f.Path, f.Kind))
		}
	}
	return strings.Join(names, ", ")
}
