package report

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile"
)

// A Chip identifies a tested chip. Equal values mean the same chip, as far as the bench can tell. Port, host and times
// are not included, since they may change.
type Chip struct {
	Kind   string `json:"kind,omitempty"`   // kind of transport: mock, rp2040, gpio, verilog or netlist
	Board  string `json:"board"`            // name of the pin map
	Device string `json:"device,omitempty"` // distinguishes the board from others of its kind
	ROM    string `json:"rom,omitempty"`    // contents of the chip's ROM
	// the mock's revision; a simulation's top module and simulator; on a shuttle, the value of --design
	Design string `json:"design,omitempty"`
	// SHA-256 of the text and the macros of a simulated design, in hex
	Sources string `json:"design_sha256,omitempty"`
	Faults  string `json:"faults,omitempty"` // the mock's faults, and the seed of random faults
}

// The kinds of transport that reach no chip, as files name them.
const (
	Mock    = "mock"    // the tile's reference
	Verilog = "verilog" // a simulated design
	Netlist = "netlist" // a design that is simulated by its gates
)

// Modelled reports whether only the mock was tested, with or without faults.
func (c *Chip) Modelled() bool { return c.Kind == Mock }

// Simulated reports whether only a simulation was tested, of Verilog or of gates.
func (c *Chip) Simulated() bool { return c.Kind != Mock && slices.Contains(boards.Pinless, c.Kind) }

// FourState reports whether the chip is simulated with the level X.
func (c *Chip) FourState() bool {
	return c.Kind == Verilog && strings.HasSuffix(c.Design, "(icarus)")
}

// Chipless reports whether the target was not a chip.
func (c *Chip) Chipless() bool { return c.Modelled() || c.Simulated() }

// Subject names the target, as the subject of a sentence.
func (c *Chip) Subject() string {
	switch {
	case c.Simulated():
		return "the simulation"
	case !c.Modelled():
		return "the chip"
	case c.Faults != "":
		return "the mock with its faults"
	case !tile.HasModel(c.Design):
		return "the mock"
	}
	return "the model"
}

// Culprit names the probable cause of wrong samples.
func (c *Chip) Culprit() string {
	switch {
	case c.Modelled():
		return "the mock"
	case c.Simulated() && c.Faults != "":
		return "the simulated chip"
	case c.Simulated(): // a simulation has no wires
		return "the simulated design"
	}
	return "the chip, or a wire,"
}

// NoChipNote returns the end of the sentence on a verdict if no chip was tested, and "" otherwise.
func (c *Chip) NoChipNote() string {
	if c.Chipless() {
		return "; no chip was tested"
	}
	return ""
}

// An Identity identifies a chip and its reference.
type Identity struct {
	Chip
	Tile          string `json:"tile,omitempty"`           // name of the tile
	Revision      string `json:"revision"`                 // the revision of the model, or of the tile's sources
	ReferenceName string `json:"against,omitempty"`        // the reference, unless it is the tile's own
	Digest        string `json:"vectors_sha256,omitempty"` // digest of the vectors; see golden.Digest
}

// About is the head of a document on a chip.
type About struct {
	files.DocumentHead
	Transport string `json:"transport"`
	Identity
}

// NoReference is the value of Identity.ReferenceName if there is no reference.
const NoReference = "the vectors alone"

// Reference describes the reference.
func (i *Identity) Reference() string {
	if i.ReferenceName != "" {
		return i.ReferenceName
	}
	return tile.DescribeReference(i.Revision)
}

// Authority names the source of the expected samples.
func (i *Identity) Authority() string {
	switch {
	case i.ReferenceName == NoReference:
		return "the vectors"
	case i.ReferenceName == "" && i.Revision != "" && tile.HasModel(i.Revision):
		return "the documents and the model"
	}
	return "the vectors and the reference"
}

// NoChipNote is like Chip.NoChipNote, but also notes if the target is the reference itself.
func (i *Identity) NoChipNote() string {
	if i.Chipless() && i.Faults == "" && i.ReferenceName == "" && i.Design == i.Revision && !tile.HasModel(i.Revision) {
		return i.Chip.NoChipNote() + ": the " + i.Kind + " is the reference itself"
	}
	return i.Chip.NoChipNote()
}

// A Difference is a property with two values that should be equal. Its error text names both.
type Difference struct{ Property, Old, New string }

func (d *Difference) Error() string {
	return fmt.Sprintf("%s was %q there and is %q here", d.Property, d.Old, d.New)
}

func (c *Chip) kinds(earlier *Chip) []*Difference {
	return KeepUnequal(Difference{"the kind of transport", earlier.Kind, c.Kind})
}

// Differences returns the differences from an earlier chip.
func (c *Chip) Differences(earlier *Chip) []*Difference {
	return append(c.kinds(earlier), KeepUnequal(
		Difference{"the board", earlier.Board, c.Board},
		Difference{"the board's id", earlier.Device, c.Device},
		Difference{"the chip's ROM", earlier.ROM, c.ROM},
		Difference{"the design", earlier.Design, c.Design},
		Difference{"the SHA-256 of the design", earlier.Sources, c.Sources},
		Difference{"the list of faults", earlier.Faults, c.Faults},
	)...)
}

// Differences returns all differences. The references' come first if the kinds are equal, since they then say more.
func (i *Identity) Differences(earlier *Identity) []*Difference {
	against := KeepUnequal(
		Difference{"the tile", earlier.Tile, i.Tile},
		Difference{"the revision", earlier.Revision, i.Revision},
		Difference{"what it is compared with", earlier.ReferenceName, i.ReferenceName},
		Difference{"the SHA-256 of the vectors", earlier.Digest, i.Digest},
	)
	if kinds := i.kinds(&earlier.Chip); len(kinds) > 0 {
		return append(kinds, against...)
	}
	return append(against, i.Chip.Differences(&earlier.Chip)...)
}

// CheckSame returns an error if the chip or revision that the same flags have reached differs from the named run's.
func (i *Identity) CheckSame(name string, reached Chip, revision string) error {
	now := Identity{Chip: reached, Tile: i.Tile, Revision: revision, ReferenceName: i.ReferenceName, Digest: i.Digest}
	if i.Revision == "" { // the run had no reference
		now.Revision = ""
	}
	if differ := now.Differences(i); len(differ) > 0 {
		return failure.Usagef("%s is of another chip: %w; give -t to test the present one", name, differ[0])
	}
	return nil
}

// KeepUnequal returns the differences with unequal values.
func KeepUnequal(all ...Difference) (found []*Difference) {
	for _, d := range all {
		if d.Old != d.New {
			found = append(found, &d)
		}
	}
	return found
}

// ConditionFlags returns the flags among words that set a target's speed and waits.
func ConditionFlags(words []string) string {
	var all []string
	for _, flag := range []string{"--at", "--sample", "--lead", "--settle", "--pulse"} {
		if i := slices.Index(words, flag); i >= 0 && i+1 < len(words) {
			all = append(all, flag, words[i+1])
		}
	}
	return strings.Join(all, " ")
}
