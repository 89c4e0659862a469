// Package golden holds the vectors: what documents say that the chip has to answer. README.md describes the format.
//
// A suite is a file of vectors. A vector is a list of operations with what they have to show, starts from a reset, and
// names its source. Nothing here was made by the model, and this package does not know it.
package golden

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed vectors/*.vec
var embedded embed.FS

// FS is the folder of vector files that the bench brings along.
func FS() fs.FS {
	sub, err := fs.Sub(embedded, "vectors")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return sub
}

// A Suite is one file of vectors.
type Suite struct {
	Name      string
	File      string // where it was read, for messages
	Documents []string
	Vectors   []Vector
	Text      string // of the file
}

// Digest is the SHA-256 of suites' text in hex: runs with the same digest asked the same.
func Digest(suites []*Suite) string {
	h := sha256.New()
	for _, s := range suites {
		fmt.Fprintf(h, "%d %s\n", len(s.Text), s.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A Source is where a vector comes from.
type Source struct {
	Document string // file name of the document
	Section  string // heading or quoted line
	Row      string // row of a table, step of a procedure, or sentence
}

func (s Source) String() string {
	return fmt.Sprintf("%s, %q, %s", s.Document, s.Section, s.Row)
}

// WellFormed is what Unicode says of what a vector writes, whatever the chip answers.
type WellFormed uint8

const (
	Unsaid WellFormed = iota
	Well
	Ill
)

func (w WellFormed) String() string { return [...]string{"", "well-formed", "ill-formed"}[w] }

// A Vector is one test of the chip.
type Vector struct {
	Name     string // SUITE/NAME or SUITE/TABLE/ROW/FORM-ORDER-CHECK
	Source   Source
	Line     int // in the suite's file
	Unicode  WellFormed
	Revision string // the only revision it holds for; empty for all
	Note     string
	Ops      []Op
}

// Suite is the first part of the vector's name.
func (v *Vector) Suite() string {
	s, _, _ := strings.Cut(v.Name, "/")
	return s
}

// A Kind is what an operation does.
type Kind uint8

const (
	Reset  Kind = iota
	Rewind      //
	Set         // the pins in Mask take the levels in Levels; ResetPin is rst_n
	Clock       // N clocks, with Data[0] on the bus if there is one
	Write       // Data in Form; Want[i], if not negative, is uo after byte i
	Look        // settle and compare the bits of Mask with Levels, on Page
	Bus         // settle and compare uio with Levels
	Read        // Data is what has to come in Form, then End and Past
	Raw         // Step, as it stands
)

// A Form is one of the encodings.
type Form uint8

const (
	UTF32 Form = iota
	UTF16
	UTF8
)

// Forms lists all three.
var Forms = [...]Form{UTF32, UTF16, UTF8}

func (f Form) String() string { return [...]string{"utf32", "utf16", "utf8"}[f] }

// A Page says how ERRS stands while an operation looks at uo.
type Page uint8

const (
	AsSet      Page = iota
	Status          // ERRS high
	Properties      // ERRS low
)

// ResetPin is rst_n among the pins of a Set; ui[7:0] are the bits below.
const ResetPin = 1 << 8

// An Op is one line of a vector.
type Op struct {
	Kind   Kind
	Form   Form
	Page   Page
	End    bool   // Read: nothing comes after Data
	Past   bool   // Read: read once more, 00
	N      uint8  // Clock: how often
	Mask   uint16 // Set: pins; Look: bits of uo
	Levels uint16 // Set, Look, Bus
	Line   int
	Data   []byte
	Want   []int16
	Step   *Step
}

// Load reads every suite of a folder, in the order of the file names.
func Load(dir fs.FS) ([]*Suite, error) {
	names, err := fs.Glob(dir, "*.vec")
	if err != nil {
		return nil, err
	}
	var suites []*Suite
	for _, name := range names {
		s, err := LoadFile(dir, name)
		if err != nil {
			return nil, err
		}
		suites = append(suites, s)
	}
	return suites, nil
}

// LoadFile reads one suite. The error names file and line.
func LoadFile(dir fs.FS, name string) (*Suite, error) {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return nil, err
	}
	s, err := Parse(name, string(text))
	if err != nil {
		return nil, err
	}
	if want := strings.TrimSuffix(path.Base(name), ".vec"); s.Name != want {
		return nil, fmt.Errorf("%s: the suite is called %q, but the file says %q", name, s.Name, want)
	}
	return s, nil
}
