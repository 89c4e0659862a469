// Package golden holds the vectors: the responses that documents demand of a chip. README.md describes the format.
//
// A suite is a file of vectors. A vector is a list of operations with their expected results; it starts with a reset
// and names its source. No model generated the vectors, and this package depends on no model.
//
// The format is the same for every tile: suites, sources, vectors, steps (parse.go, step.go). A [Dialect] adds
// operations and tables of a tile (table.go). The folder vectors holds the suites of the UTF chip, from five documents.
package golden

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"utfbench/internal/failure"
)

//go:embed vectors/*.vec
var embedded embed.FS

// FS returns the built-in vector files.
func FS() fs.FS {
	sub, err := fs.Sub(embedded, "vectors")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// A Suite is one file of vectors.
type Suite struct {
	Name      string
	File      string // for messages
	Documents []string
	Vectors   []Vector
	Text      string // of the file
}

// Digest returns the SHA-256 of the suites' text in hex; equal digests mean equal vectors.
func Digest(suites []*Suite) string {
	h := sha256.New()
	for _, s := range suites {
		fmt.Fprintf(h, "%d %s\n", len(s.Text), s.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A Source is the origin of a vector.
type Source struct {
	Document string // file name
	Section  string // heading or quoted line
	Row      string // row of a table, step of a procedure, or sentence
}

func (s Source) String() string {
	return fmt.Sprintf("%s, %q, %s", s.Document, s.Section, s.Row)
}

// A Vector is one test of a chip.
type Vector struct {
	Name   string // SUITE/NAME or SUITE/TABLE/ROW/CASE
	Source Source
	Line   int // in the suite's file
	// the class in the tile's documents, independent of the chip's response; "" without classes
	Class    string
	Revision string // the only revision to which it applies; empty for all
	Note     string
	Sequence
}

// AppliesTo reports whether the vector applies to a revision.
func (v *Vector) AppliesTo(revision string) bool { return v.Revision == "" || v.Revision == revision }

// Suite returns the first part of the vector's name.
func (v *Vector) Suite() string {
	s, _, _ := strings.Cut(v.Name, "/")
	return s
}

// Load parses every suite in a folder, in the order of the file names.
func Load(dir fs.FS, d Dialect) ([]*Suite, error) {
	names, err := fs.Glob(dir, "*.vec")
	if err != nil {
		return nil, err
	}
	var suites []*Suite
	for _, name := range names {
		s, err := LoadFile(dir, name, d)
		if err != nil {
			return nil, err
		}
		suites = append(suites, s)
	}
	return suites, nil
}

// LoadFile parses one suite. The error names file and line.
func LoadFile(dir fs.FS, name string, d Dialect) (*Suite, error) {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return nil, err
	}
	s, err := Parse(name, string(text), d)
	if err != nil {
		return nil, err
	}
	if want := strings.TrimSuffix(path.Base(name), ".vec"); s.Name != want {
		return nil, failure.Usagef("%s: the suite is called %q, but the file says %q", name, s.Name, want)
	}
	return s, nil
}
