package tile

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/transport"
)

// A Glossary is a tile with its own terms: flags, pins, registers.
type Glossary interface{ GlossaryText() string }

// GlossaryTexts returns texts that explain a tile's own terms and its lines; see cli.Book.
func GlossaryTexts(t Tile) []string {
	if e, ok := t.(Glossary); ok {
		return []string{e.GlossaryText(), lineWords(t)}
	}
	return []string{lineWords(t)}
}

// lineWords returns a text that explains each line, with the tile's names.
func lineWords(t Tile) string {
	words := "Lines; a line between bench and chip"
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
			text = fmt.Sprintf("Input %d of the chip%s.", n, named(line, InputNames(t)[n]))
		}
		words += fmt.Sprintf("\n\n%s\n%s\n$ bench run --fault %[1]s=stuck1", line, text)
	}
	return words
}

// LineName returns the tile's name of a line, or "". If ui selects between several names, it joins them with commas.
func LineName(t Tile, line string) string {
	names, i := []string{line}, slices.Index(transport.Lines, line)
	switch {
	case i >= transport.UIO && i < transport.UIO+8:
		names = []string{BusNames(t)[i-transport.UIO]}
	case i >= transport.UI && i < transport.UI+8:
		names = []string{InputNames(t)[i-transport.UI]}
	case i >= transport.UO && i < transport.UO+8:
		names = outNames(t, i-transport.UO)
	}
	if slices.Equal(names, []string{line}) {
		return ""
	}
	return strings.Join(names, ", ")
}

// outNames returns all names of a bit of uo, over all levels of ui.
func outNames(t Tile, bit int) (names []string) {
	for ui := range 256 {
		if name := OutputNames(t, uint8(ui))[bit]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// named formats the tile's names of a line as a phrase, or returns "" if there are none.
func named(line string, names ...string) string {
	if slices.Equal(names, []string{line}) {
		return ""
	}
	return ", called " + strings.Join(names, " or ")
}
