// Package shuttles says which design is where on which of Tiny Tapeout's shuttles, from the shuttle index (README.md
// has its state and how to make it anew). Nothing is read before the first Load.
//
// A shuttle is the chips that were made together; each carries all designs of the shuttle, and a mux selects one by
// number.
package shuttles

import (
	_ "embed"
	"slices"
	"sort"
	"strings"
	"sync"
)

//go:embed shuttles.tsv
var shuttlesText string

//go:embed designs.tsv
var designsText string

// A Shuttle is one production run.
type Shuttle struct {
	Name  string // tt09
	Title string // Tiny Tapeout 9
	PDK   string // sky130A
	ROM   string // what the ROM of its chips says, KEY=VALUE words with a space between; empty where there is none

	designs []Design // by number, then name
}

// A Design is one design on one shuttle.
type Design struct {
	Shuttle string // its name
	Number  int    // on the mux, 0 to MaxNumber; a group and its subtiles share one
	Name    string // of the top module
	Clock   int    // that the design asks for, in Hz; 0: none
	Danger  string // medium: can damage the chip under certain conditions; high: will; empty: not said
	Repo    string // OWNER/NAME on GitHub, or an address; empty where the index has none
	Commit  string // first ten digits; empty where the index has none
}

// MaxNumber is the highest number that a mux takes, which counts with ten bits.
const MaxNumber = 1023

// scanChains are the shuttles without a mux: their designs hang on a scan chain, where the bench cannot select.
var scanChains = []string{"tt02", "tt03", "tt03p5"}

// Selectable reports whether the bench can select a design on the shuttle's chips, which takes a mux.
func (s *Shuttle) Selectable() bool { return !slices.Contains(scanChains, s.Name) }

// Says returns the shuttle's name in its chips' ROM, or "". It may differ from Name: ttgf0p1's ROM is a copy of
// ttihp0p1's.
func (s *Shuttle) Says() string {
	for word := range strings.FieldsSeq(s.ROM) {
		if name, ok := strings.CutPrefix(word, "shuttle="); ok {
			return name
		}
	}
	return ""
}

// Designs returns the shuttle's designs, by number, then name. Do not modify them.
func (s *Shuttle) Designs() []Design { return s.designs }

// At gives the designs with a number: none, one, or a group of subtiles.
func (s *Shuttle) At(number int) []Design {
	from := sort.Search(len(s.designs), func(i int) bool { return s.designs[i].Number >= number })
	to := from
	for to < len(s.designs) && s.designs[to].Number == number {
		to++
	}
	return s.designs[from:to]
}

// Named gives the designs with a name, which is one, or in a few cases one at two numbers. Case counts.
func (s *Shuttle) Named(name string) (found []Design) {
	for i := range s.designs {
		if s.designs[i].Name == name {
			found = append(found, s.designs[i])
		}
	}
	return found
}

// An Index is all shuttles with their designs.
type Index struct {
	shuttles []Shuttle
	designs  []Design
}

// Load gives the index that is built in; it is read once.
var Load = sync.OnceValues(func() (*Index, error) { return parse(shuttlesText, designsText) })

// Shuttles returns all shuttles, by age. Do not modify them.
func (x *Index) Shuttles() []Shuttle { return x.shuttles }

// Designs returns the designs of all shuttles, shuttle by shuttle. Do not modify them.
func (x *Index) Designs() []Design { return x.designs }

// Names lists the shuttles' names.
func (x *Index) Names() []string {
	names := make([]string, len(x.shuttles))
	for i := range x.shuttles {
		names[i] = x.shuttles[i].Name
	}
	return names
}

// Complete returns the names of designs that begin so, on a shuttle, or on any for "".
func (x *Index) Complete(on, begin string) (all []string) {
	for _, d := range x.designs {
		if strings.HasPrefix(d.Name, begin) && (on == "" || on == d.Shuttle) {
			all = append(all, d.Name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Shuttle finds a shuttle by name, or returns nil.
func (x *Index) Shuttle(name string) *Shuttle {
	for i := range x.shuttles {
		if x.shuttles[i].Name == name {
			return &x.shuttles[i]
		}
	}
	return nil
}

// Said lists the shuttles whose ROM says shuttle=NAME: none for an unknown name, several if a ROM was copied.
func (x *Index) Said(name string) (meant []*Shuttle) {
	for i := range x.shuttles {
		if s := &x.shuttles[i]; name != "" && s.Says() == name {
			meant = append(meant, s)
		}
	}
	return meant
}
