package tile

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/glossary"
	"utfbench/transport"
)

// An Explained is a tile that has words of its own: its flags, pins, registers.
type Explained interface{ Words() glossary.Group }

// Words explain the lines of a tile, and what it has words for.
func Words(t Tile) []glossary.Group {
	groups := []glossary.Group{lineWords(t)}
	if e, ok := t.(Explained); ok {
		groups = append([]glossary.Group{e.Words()}, groups...)
	}
	return groups
}

// lineWords says of each line what it is, and what the tile calls it.
func lineWords(t Tile) glossary.Group {
	g := glossary.Group{Title: "Lines", One: "a line between bench and chip"}
	for i, line := range transport.Lines {
		text := ""
		switch n := i % 8; {
		case line == "clk":
			text = "The clock: the chip takes its inputs at the rising edge."
		case line == "rst_n":
			text = "The reset, which acts when low, at a clock edge in most designs."
		case i >= transport.UIO:
			text = fmt.Sprintf("Bit %d of the bus that chip and bench drive in turn; never both.", n)
		case i >= transport.UO:
			text = fmt.Sprintf("Output %d of the chip%s.", n, named(line, outNames(t, n)...))
		default:
			text = fmt.Sprintf("Input %d of the chip%s.", n, named(line, InNames(t)[n]))
		}
		g.Entries = append(g.Entries, glossary.Entry{Words: []string{line}, Text: text,
			Examples: []string{"bench run --fault " + line + "=stuck1"}})
	}
	return g
}

// LineName is what a tile calls a line, one after the other where other inputs choose; "" if that is the line's own
// name.
func LineName(t Tile, line string) string {
	names, i := []string{line}, slices.Index(transport.Lines, line)
	switch {
	case i >= transport.UI && i < transport.UI+8:
		names = []string{InNames(t)[i-transport.UI]}
	case i >= transport.UO && i < transport.UO+8:
		names = outNames(t, i-transport.UO)
	}
	if slices.Equal(names, []string{line}) {
		return ""
	}
	return strings.Join(names, ", ")
}

// outNames are those that a bit of uo has at any levels of ui.
func outNames(t Tile, bit int) (names []string) {
	for ui := range 256 {
		if name := OutNames(t, uint8(ui))[bit]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// named says what a tile calls a line, if that is not the line's own name.
func named(line string, names ...string) string {
	if slices.Equal(names, []string{line}) {
		return ""
	}
	return ", called " + strings.Join(names, " or ")
}
