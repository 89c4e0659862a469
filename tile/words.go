package tile

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/transport"
)

// A Namer is a tile with names for its pins.
type Namer interface {
	// Inputs returns the data sheet's names of the bits of ui; Outputs returns the names for uo at these levels of ui.
	Inputs() []string
	Outputs(ui uint8) []string
}

// A BusNamer is a tile with names for the lines of uio.
type BusNamer interface{ BusNames() []string }

// A StepDescriber describes steps.
type StepDescriber interface {
	// Operation describes a step's operation without static levels; Describe includes them.
	Operation(s transport.Step) string
	Describe(s transport.Step) string
}

// InputNames returns the names of the bits of ui.
func InputNames(t Tile) []string {
	if s, ok := t.(Namer); ok {
		return s.Inputs()
	}
	return transport.Lines[transport.UI : transport.UI+8]
}

// OutputNames returns the names of the bits of uo at these levels of ui.
func OutputNames(t Tile, ui uint8) []string {
	if s, ok := t.(Namer); ok {
		return s.Outputs(ui)
	}
	return transport.Lines[transport.UO : transport.UO+8]
}

// BusNames returns the names of the lines of uio.
func BusNames(t Tile) []string {
	if b, ok := t.(BusNamer); ok {
		return b.BusNames()
	}
	return transport.Lines[transport.UIO : transport.UIO+8]
}

// OutputName returns the line at a bit of transport.Outputs and its name at these levels of ui, as in "uo3 (OVERLONG)".
func OutputName(t Tile, ui uint8, bit int) string {
	line, names := transport.Lines[transport.UO+bit], OutputNames(t, ui)
	if bit >= 8 {
		names = BusNames(t)
	}
	if name := names[bit%8]; name != line {
		return line + " (" + name + ")"
	}
	return line
}

// Operation describes a step's operation, without static levels.
func Operation(t Tile, s transport.Step) string {
	if p, ok := t.(StepDescriber); ok {
		return p.Operation(s)
	}
	switch {
	case s.Reset:
		return "reset"
	case s.Clocks == 0:
		return "look"
	}
	return "clock"
}

// Describe describes a step's operation and its levels.
func Describe(t Tile, s transport.Step) string {
	if p, ok := t.(StepDescriber); ok {
		return p.Describe(s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, ui %02X", Operation(t, s), s.In)
	if s.Drive != 0 {
		fmt.Fprintf(&b, ", uio %s", HexOrBinary(s.IO, ^s.Drive))
	}
	if s.Linger {
		b.WriteString(", lingers")
	}
	if s.Clocks > 1 {
		fmt.Fprintf(&b, ", %d clocks", s.Clocks)
	}
	return b.String()
}

// HighOutputs lists the names of the set bits of uo, or returns "-".
func HighOutputs(t Tile, ui, uo uint8) string {
	var set []string
	for i, name := range OutputNames(t, ui) {
		if uo>>i&1 != 0 {
			set = append(set, name)
		}
	}
	if set == nil {
		return "-"
	}
	return strings.Join(set, " ")
}

// Hex formats a byte as two digits, with x for a digit with an unknown bit.
func Hex(b, unknown uint8) string {
	const digits = "0123456789ABCDEF"
	s := []byte{digits[b>>4], digits[b&15]}
	if unknown&0xF0 != 0 {
		s[0] = 'x'
	}
	if unknown&0x0F != 0 {
		s[1] = 'x'
	}
	return string(s)
}

// Binary formats a byte bit by bit, 7 first; an unknown bit is x.
func Binary(b, unknown uint8) string {
	s := []byte(fmt.Sprintf("%08b", b))
	for i := range s {
		if unknown>>(7-i)&1 != 0 {
			s[i] = 'x'
		}
	}
	return string(s)
}

// HexOrBinary formats a byte as Hex does, or as Binary does if only some bits are unknown.
func HexOrBinary(b, unknown uint8) string {
	if unknown == 0 || unknown == 0xFF {
		return Hex(b, unknown)
	}
	return Binary(b, unknown)
}

// ExplainedWords returns the glossary terms that explain a tile's fault or register bit; nil for any other word.
func ExplainedWords(t Tile, word string) (parts []string) {
	bits := RegisterBits(t)
	if f, err := bits.Parse(word); err == nil {
		parts = append([]string{f.GlossaryTerm()}, f.Places()...)
	} else if slices.Contains(bits, word) {
		parts = []string{word}
	}
	for i, part := range parts {
		if of := strings.TrimRight(part, "0123456789"); slices.Contains(bits, part) && of != "" {
			parts[i] = of // v12 is a bit of v
		}
	}
	return parts
}
