package boards

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
	ROM   string // text in the ROM of its chips, KEY=VALUE words separated by spaces; empty without a ROM

	designs []Design // by number, then name
}

// A Design is one design on one shuttle.
type Design struct {
	Shuttle string `json:"shuttle"`  // its name
	Number  int    `json:"number"`   // number on the mux, 0 to MaxNumber; a group and its subtiles share one
	Name    string `json:"design"`   // of the top module
	Clock   int    `json:"clock_hz"` // requested; 0 for none
	Danger  string `json:"danger"`   // medium: can damage the chip under certain conditions; high: will; empty: unknown
	Repo    string `json:"repo"`     // OWNER/NAME on GitHub, or a URL; empty if unknown
	Commit  string `json:"commit"`   // first ten digits; empty if unknown
}

// MaxNumber is the maximum number of a design on a mux, which has ten bits.
const MaxNumber = 1023

// scanChains lists the shuttles without a mux. Their designs are on a scan chain, which the bench does not support.
var scanChains = []string{"tt02", "tt03", "tt03p5"}

// Selectable reports whether the bench can select a design on the shuttle's chips, which requires a mux.
func (s *Shuttle) Selectable() bool { return !slices.Contains(scanChains, s.Name) }

// ROMName returns the shuttle's name in its chips' ROM, or "". It may differ from Name: ttgf0p1's ROM is ttihp0p1's.
func (s *Shuttle) ROMName() string {
	for word := range strings.FieldsSeq(s.ROM) {
		if name, ok := strings.CutPrefix(word, "shuttle="); ok {
			return name
		}
	}
	return ""
}

// Designs returns the shuttle's designs, by number, then name. The caller must not modify them.
func (s *Shuttle) Designs() []Design { return s.designs }

// DesignsAt returns the designs with the given number: none, one, or a group of subtiles.
func (s *Shuttle) DesignsAt(number int) []Design {
	from := sort.Search(len(s.designs), func(i int) bool { return s.designs[i].Number >= number })
	to := from
	for to < len(s.designs) && s.designs[to].Number == number {
		to++
	}
	return s.designs[from:to]
}

// DesignsNamed returns the designs with exactly this name: usually one, in a few cases two with different numbers.
func (s *Shuttle) DesignsNamed(name string) (found []Design) {
	for i := range s.designs {
		if s.designs[i].Name == name {
			found = append(found, s.designs[i])
		}
	}
	return found
}

// An Index holds all shuttles with their designs.
type Index struct {
	shuttles []Shuttle
	designs  []Design
}

// Shuttles returns the embedded index. It is parsed once.
var Shuttles = sync.OnceValue(func() *Index { return parse(shuttlesText, designsText) })

// Shuttles returns all shuttles, by age. The caller must not modify them.
func (x *Index) Shuttles() []Shuttle { return x.shuttles }

// Designs returns the designs of all shuttles, shuttle by shuttle. The caller must not modify them.
func (x *Index) Designs() []Design { return x.designs }

// ShuttleNames returns the names of the shuttles.
func (x *Index) ShuttleNames() []string {
	names := make([]string, len(x.shuttles))
	for i := range x.shuttles {
		names[i] = x.shuttles[i].Name
	}
	return names
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

// ShuttlesByROM returns the shuttles with shuttle=NAME in their ROM: none for an unknown name, several for copied ROMs.
func (x *Index) ShuttlesByROM(name string) (meant []*Shuttle) {
	for i := range x.shuttles {
		if s := &x.shuttles[i]; name != "" && s.ROMName() == name {
			meant = append(meant, s)
		}
	}
	return meant
}
