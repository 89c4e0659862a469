package fault

import (
	"strconv"
	"strings"

	"utfbench/transport"
)

// Levels holds the levels of lines, by number. They are three-valued: a bit set in X is unknown, and 0 in V.
type Levels struct{ V, X uint32 }

func (l Levels) within(mask uint32) Levels { return Levels{l.V & mask, l.X & mask} }

func (l Levels) with(m Levels, mask uint32) Levels {
	return Levels{l.V&^mask | m.V&mask, l.X&^mask | m.X&mask}
}

func (l Levels) invert(mask uint32) Levels { return Levels{(l.V ^ mask) &^ l.X, l.X} }

// join combines up to two drivers of each line. A line without a driver, or with conflicting ones, is unknown.
func join(a Levels, aDrive uint32, b Levels, bDrive uint32) Levels {
	both := aDrive & bDrive
	l := a.within(aDrive&^bDrive).with(b, bDrive&^aDrive)
	clash := both & (a.V ^ b.V | a.X | b.X)
	l = l.with(a, both&^clash)
	l.X |= clash | ^(aDrive | bDrive)
	return l
}

// bridge joins two lines. An undriven line follows the other.
func bridge(l Levels, driven uint32, f Fault) Levels {
	a, b := uint32(1)<<f.A, uint32(1)<<f.B
	var zeros, ones, unknown int
	for _, bit := range [...]uint32{a, b} {
		switch {
		case driven&bit == 0:
		case l.X&bit != 0:
			unknown++
		case l.V&bit != 0:
			ones++
		default:
			zeros++
		}
	}
	strong, weak, high := zeros, ones, uint32(0)
	if f.Kind == BridgeOr {
		strong, weak, high = ones, zeros, a|b
	}
	switch {
	case strong > 0:
		return l.with(Levels{V: high}, a|b)
	case unknown > 0 || weak == 0:
		return l.with(Levels{X: a | b}, a|b)
	}
	return l.with(Levels{V: ^high}, a|b)
}

func exchange(m uint32, pair [2]int) uint32 {
	d := (m>>pair[0] ^ m>>pair[1]) & 1
	return m ^ (d<<pair[0] | d<<pair[1])
}

// Numbers of lines: the first of each port, clk and rst_n.
const (
	UI  = transport.UI
	UO  = transport.UO
	UIO = transport.UIO
	Clk = transport.Clk
	Rst = transport.RstN
)

// Masks of lines.
const (
	MaskUI  uint32 = 0xFF << UI
	MaskUO  uint32 = 0xFF << UO
	MaskUIO uint32 = 0xFF << UIO
	MaskClk uint32 = 1 << Clk
	MaskRst uint32 = 1 << Rst
)

// Lines names the 26 lines by number.
var Lines = transport.Lines

// NumberedNames returns n names, numbered from 0.
func NumberedNames(name string, n int) (all []string) {
	for i := range n {
		all = append(all, name+strconv.Itoa(i))
	}
	return all
}

// ranges formats names on one line, with numbered names as in "ui0-7".
func ranges(names []string) string {
	var words []string
	for i := 0; i < len(names); {
		stem := strings.TrimSuffix(names[i], "0")
		n := 0
		for stem != names[i] && i+n < len(names) && names[i+n] == stem+strconv.Itoa(n) {
			n++
		}
		if n < 2 {
			words, i = append(words, names[i]), i+1
			continue
		}
		words, i = append(words, names[i]+"-"+strconv.Itoa(n-1)), i+n
	}
	return strings.Join(words, " ")
}
