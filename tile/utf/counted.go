package utf

import (
	"math/bits"

	"utfbench/tile"
	"utfbench/tile/utf/dialect"
	"utfbench/transport"
)

// fieldsOf returns how the bytes of a form follow a counter from v to last, all with n bytes in that form. It probes
// each bit of the counter, so that the form's layout stays in one place.
func fieldsOf(form dialect.Form, levels uint8, zero, last uint32, n uint8) (fields []transport.Field) {
	for i := range n {
		f := transport.Field{Step: firstByte + int(i)}
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

// count returns a stretch of a template: the cases from v on, with n bytes each in that form.
func (t template) count(form dialect.Form, levels uint8, v uint32, n, count int) tile.Stretch {
	zero := uint32(0)
	if form == dialect.UTF16 && n == 4 {
		zero = 0x10000 // surrogates count from here
	}
	s := tile.Stretch{Every: 1}
	s.Steps = t.fill(nil, form, levels, zero, n)
	s.First, s.Count = v-zero, count
	s.Fields = fieldsOf(form, levels, zero, s.First+uint32(count)-1, uint8(n))
	return s
}
