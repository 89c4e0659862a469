package verilog

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
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
		sum, _ := sumOfFile(path) // unreadable by now: it is no other design's
		sums = append(sums, sum)
	}
	slices.Sort(sums)
	return slices.Compact(sums)
}

// An Effect is a construct in a design that affects the machine that simulates it.
type Effect struct {
	File string
	Line int
	What string
}

// effect matches possible effects; effectOf excludes strings and reading.
var effect = printable.Regexp(`\bimport\s*"DPI(?:-C)?"|"(?:[^"\\\n]|\\.)*"|` +
	"`systemc_\\w+|" + `\$(?:system|c\d*|writemem[bh]|dumpfile|fopen)\b(?:\s*\([^;]*)?`)

// effectOf describes the effect of a match, or "".
func effectOf(found string) string {
	switch {
	case strings.HasPrefix(found, "import"):
		return "a function of DPI: Verilator calls C code"
	case strings.HasPrefix(found, "`systemc"):
		return "C++ code, which Verilator compiles into the simulation"
	case strings.HasPrefix(found, "$system"):
		return "$system runs a command on the machine that simulates it"
	case strings.HasPrefix(found, "$fopen"):
		if m := readsFile().FindStringSubmatch(found); m != nil && readOnly().MatchString(m[3]) {
			return ""
		}
		return "$fopen writes a file on the machine that simulates it"
	case strings.HasPrefix(found, "$c"):
		return "$c is C++ code, which Verilator compiles into the simulation"
	case found[0] == '$':
		return strings.TrimRight(found[:strings.IndexAny(found+"(", " (\t\r\n")], " ") +
			" writes a file on the machine that simulates it"
	}
	return ""
}

// readOnly matches modes of $fopen that neither create nor change a file.
var readOnly = printable.Regexp(`^\s*"rb?"\s*$`)

// FindEffects returns the constructs in a design's files that affect the machine that simulates it. A macro's effect is
// reported at its definition.
func FindEffects(paths []string) (all []Effect, err error) {
	for _, path := range paths {
		text, err := files.Verilog.Read(path)
		if err != nil {
			return nil, failure.Usage(err)
		}
		for _, e := range effectsIn(string(text)) {
			e.File = path
			all = append(all, e)
		}
	}
	return all, nil
}

// effectsIn returns the effects in a text, by line.
func effectsIn(text string) (all []Effect) {
	text = commentOrString().ReplaceAllStringFunc(text, func(found string) string {
		if found[0] == '/' {
			return strings.Repeat("\n", strings.Count(found, "\n")) + " "
		}
		return found
	})
	for from := 0; ; {
		at := effect().FindStringIndex(text[from:])
		if at == nil {
			return all
		}
		found := text[from+at[0] : from+at[1]]
		if what := effectOf(found); what != "" {
			all = append(all, Effect{Line: 1 + strings.Count(text[:from+at[0]], "\n"), What: what})
		}
		if found[0] == '$' { // its arguments may have effects too
			at[1] = at[0] + 1
		}
		from += at[1]
	}
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
