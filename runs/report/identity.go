package report

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile"
)

// A Chip identifies a tested chip. Equal values mean the same chip, as far as the bench can tell. Port, host and times,
// which may change for one chip, are not included.
type Chip struct {
	Kind   string `json:"kind,omitempty"`   // of transport: mock, rp2040, gpio or verilog
	Board  string `json:"board"`            // the pin map, by name
	Device string `json:"device,omitempty"` // distinguishes this board from others of its kind
	ROM    string `json:"rom,omitempty"`    // contents of the chip's ROM
	// the mock's revision; a simulation's top module and simulator; on a shuttle the value of --design
	Design string `json:"design,omitempty"`
	// SHA-256 of a simulated design's text and its macros, in hex
	Sources string `json:"design_sha256,omitempty"`
	Faults  string `json:"faults,omitempty"` // the mock's faults, and the seed of random ones
}

// The kinds of transport that reach no chip, by their names in files.
const (
	Mock    = "mock"    // the reference of a tile
	Verilog = "verilog" // a simulation of a design
	Netlist = "netlist" // a design by its gates
)

// Modelled reports whether only the mock was tested, with or without faults.
func (c *Chip) Modelled() bool { return c.Kind == Mock }

// Simulated reports whether only a simulation was tested, of Verilog or of gates.
func (c *Chip) Simulated() bool { return c.Kind == Verilog || c.Kind == Netlist }

// FourState reports whether the simulation has the level X.
func (c *Chip) FourState() bool {
	return c.Kind == Verilog && strings.HasSuffix(c.Design, "(icarus)")
}

// Chipless reports whether the target was no chip.
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

// Culprit names the likely cause of wrong samples.
func (c *Chip) Culprit() string {
	switch {
	case c.Modelled():
		return "the mock"
	case c.Simulated() && c.Faults != "":
		return "the simulated chip"
	case c.Simulated(): // it has no wires
		return "the simulated design"
	}
	return "the chip, or a wire,"
}

// NoChipNote ends a verdict's sentence if no chip was tested; otherwise it is empty.
func (c *Chip) NoChipNote() string {
	if c.Chipless() {
		return "; no chip was tested"
	}
	return ""
}

// An Identity is a chip and its reference.
type Identity struct {
	Chip
	Tile          string `json:"tile,omitempty"`           // its name
	Revision      string `json:"revision"`                 // of the model, or of the tile's sources
	ReferenceName string `json:"against,omitempty"`        // the reference, if it is not the tile's own
	Digest        string `json:"vectors_sha256,omitempty"` // of the vectors; see golden.Digest
}

// About is the head of a document about one chip.
type About struct {
	files.DocumentHead
	Transport string `json:"transport"`
	Identity
}

// NoReference is the value of Identity.ReferenceName without a reference.
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

// NoChipNote is like Chip.NoChipNote, and also notes a target that is the reference itself.
func (i *Identity) NoChipNote() string {
	if i.Chipless() && i.Faults == "" && i.ReferenceName == "" && i.Design == i.Revision && !tile.HasModel(i.Revision) {
		return i.Chip.NoChipNote() + ": the " + i.Kind + " is the reference itself"
	}
	return i.Chip.NoChipNote()
}

// A Difference is a property that should be the same but differs. As an error it names both values.
type Difference struct{ Property, Old, New string }

func (d *Difference) Error() string {
	return fmt.Sprintf("%s was %q there and is %q here", d.Property, d.Old, d.New)
}

// kinds returns the difference of the kinds, which makes all further comparison pointless.
func (c *Chip) kinds(earlier *Chip) []*Difference {
	return KeepUnequal(Difference{"the kind of transport", earlier.Kind, c.Kind})
}

// Differences lists the differences from an earlier chip.
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

// Differences lists the differences, and those of the references, which say more if the kinds are equal.
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

// CheckSame returns an error if the reached target is another chip or revision than that of the run called name,
// although the same flags name it. The vectors may differ.
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

// Conditions returns the flags among a target's words that set speed and waits.
func Conditions(words []string) string {
	var all []string
	for _, flag := range []string{"--at", "--sample", "--lead", "--settle", "--pulse"} {
		if i := slices.Index(words, flag); i >= 0 && i+1 < len(words) {
			all = append(all, flag, words[i+1])
		}
	}
	return strings.Join(all, " ")
}
