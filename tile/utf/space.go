package utf

import (
	"math/bits"
	"strings"

	"utfbench/internal/failure"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/transport"
)

func (Tile) SpaceNames() []string { return []string{"codepoints", "bytes", "ops"} }

// TrimScope clears a depth that the scope's space does not use, unless the user gave it: Tile.Space then reports it.
func TrimScope(s tile.Scope, given func(flag string) bool) tile.Scope {
	if s.Space != "ops" && !given("depth") {
		s.Depth = 0
	}
	return s
}

// Space implements tile.SpaceLister; the error lists the allowed values.
func (t Tile) Space(s tile.Scope) (tile.Space, error) {
	if s.Space != "ops" && s.Depth != 0 {
		return nil, failure.Usagef("a depth is for the space ops, not for %s", s.Space)
	}
	switch s.Space {
	case "codepoints":
		return newPoints(), nil
	case "bytes":
		return newTree(model.Revision(t)), nil
	case "ops":
		return newOps(s.Depth)
	}
	return nil, failure.Usagef("space %q: allowed are %s", s.Space, strings.Join(t.SpaceNames(), ", "))
}

// cases is a space of units: each is the number of cases per unit, and block is the number of units per block.
type cases struct{ units, each, block int }

func (c cases) Blocks() int { return (c.units + c.block - 1) / c.block }

func (c cases) Cases(block int) int { return c.each * min(c.block, c.units-block*c.block) }

func (c cases) unit(block, i int) (unit, number int) { return block*c.block + i/c.each, i % c.each }

// fieldsOf returns the fields by which the bytes of a form follow a counter up to last, where all values have n bytes.
// It probes each bit of the counter, so that the form's layout is defined in one place.
func fieldsOf(form Form, levels uint8, zero, last uint32, n uint8) (fields []transport.CounterField) {
	for i := range n {
		f := transport.CounterField{Step: firstByte + int(i)}
		plain := formByte(form, levels, zero, n, i)
		for bit := range bits.Len32(last) {
			if changed := formByte(form, levels, zero+1<<bit, n, i) ^ plain; changed != 0 {
				f.Shift = uint8(bit - bits.TrailingZeros8(changed))
				f.Mask |= changed
			}
		}
		if f.Mask != 0 {
			fields = append(fields, f)
		}
	}
	return fields
}

// count returns a stretch of count cases of a template, from v on, with n bytes each in a form.
func (t template) count(form Form, levels uint8, v uint32, n, count int) tile.Stretch {
	zero := uint32(0)
	if form == UTF16 && n == 4 {
		zero = 0x10000 // surrogate pairs count from here
	}
	s := tile.Stretch{Every: 1}
	s.Steps = t.fill(nil, form, levels, zero, n)
	s.First, s.Count = v-zero, count
	s.Fields = fieldsOf(form, levels, zero, s.First+uint32(count)-1, uint8(n))
	return s
}
