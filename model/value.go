package model

// Status flags, uo[5:0] with ERRS high (data sheet, "Error status").
const (
	Ready    uint8 = 1 << iota // input and output are complete
	Retry                      // a byte was dropped since the last reset
	Invalid                    // the value has no form
	Overlong                   // an overlong UTF-8 form
	NonUni                     // 00110000..7FFFFFFF, for any CHK
	Error                      // Retry, Invalid, Overlong, or NonUni with CHK high
)

// Property flags, uo[5:0] with ERRS low (data sheet, "Character properties").
const (
	PropNormal    uint8 = 1 << iota // none of PropControl, PropSurrogate, PropPrivate, PropNonChar
	PropControl                     // 00..1F, 7F..9F
	PropSurrogate                   // D800..DFFF
	PropHighChar                    // D800..DBFF, and 10000 and above
	PropPrivate                     // E000..F8FF, DB80..DBFF, and F0000 and above
	PropNonChar                     // FDD0..FDEF, and the last two of each plane
)

// ValueStatus returns the value's flags: Ready, Invalid, Overlong, NonUni, or none for incomplete input (underflow).
func ValueStatus(v uint32) uint8 {
	switch {
	case v < 0x110000:
		return Ready
	case v < 0x80000000:
		return Ready | NonUni
	case underflow(v):
		return 0
	case overlong(v):
		return Ready | Overlong
	}
	return Ready | Invalid
}

// underflow reports whether v, at least 80000000, is an incomplete UTF-16 or UTF-8 input.
func underflow(v uint32) bool {
	return utf16Partial(v) ||
		v >= 0xFC000000 && v <= 0xFDFFFFFF || // 5 bytes of 6
		v >= 0xFFE00000 && v <= 0xFFF7FFFF || // 4 bytes of 5 or 6
		v >= 0xFFFF0000 && v <= 0xFFFFDFFF || // 3 bytes of 4 to 6
		v >= 0xFFFFF800 && v <= 0xFFFFFF7F || // 2 bytes of 3 to 6
		v >= 0xFFFFFFC0 && v <= 0xFFFFFFFD // a first byte
}

// utf16Partial reports whether v is one byte of a unit, or a high surrogate and one byte of the next unit.
func utf16Partial(v uint32) bool {
	return v >= 0xDDD80000 && v <= 0xDDDBFFFF || v >= 0xDDDDDD00 && v <= 0xDDDDDDFF
}

// overlong reports whether v, at least 80000000, is a complete overlong UTF-8 form.
func overlong(v uint32) bool {
	return v >= 0xF0000000 && v <= 0xF3FFFFFF ||
		v >= 0xF8000000 && v <= 0xF81FFFFF ||
		v >= 0xFFC00000 && v <= 0xFFC0FFFF ||
		v >= 0xFFFE0000 && v <= 0xFFFE07FF ||
		v >= 0xFFFFF000 && v <= 0xFFFFF07F
}

// ValueProperties returns the property flags of v with CHK low. With CHK high they are 0 from 110000 on.
func ValueProperties(v uint32) uint8 {
	switch {
	case v >= 0x80000000:
		return 0
	case v >= 0x10000 && v&0xFFFE == 0xFFFE:
		return PropNonChar | PropHighChar
	case v >= 0xF0000:
		return PropPrivate | PropHighChar
	case v >= 0x10000:
		return PropNormal | PropHighChar
	}
	return bmpProperties(v)
}

func bmpProperties(v uint32) uint8 {
	switch {
	case v < 0x20, v >= 0x7F && v < 0xA0:
		return PropControl
	case v < 0xD800:
		return PropNormal
	case v < 0xDB80:
		return PropSurrogate | PropHighChar
	case v < 0xDC00:
		return PropSurrogate | PropHighChar | PropPrivate
	case v < 0xE000:
		return PropSurrogate
	case v < 0xF900:
		return PropPrivate
	case v >= 0xFFFE, v >= 0xFDD0 && v < 0xFDF0:
		return PropNonChar
	}
	return PropNormal
}

// UTF8Len returns the number of bytes in v's UTF-8 form, 0 to 6; for incomplete or overlong input, those received.
func UTF8Len(v uint32) uint8 {
	switch {
	case v < 0x80, v >= 0xFFFFFF80:
		return 1
	case v < 0x800, v >= 0xFFFFF000:
		return 2
	case v < 0x10000, v >= 0xFFFE0000:
		return 3
	case v < 0x200000, v >= 0xFFC00000:
		return 4
	case v < 0x4000000, v >= 0xF8000000:
		return 5
	case v < 0x80000000, v >= 0xF0000000:
		return 6
	}
	return 0
}

// UTF16Len returns the number of bytes in the UTF-16 form of v: 2 or 4; for an incomplete input 1 or 3; otherwise 0.
func UTF16Len(v uint32) uint8 {
	switch {
	case v < 0x10000:
		return 2
	case v < 0x110000:
		return 4
	case v >= 0xDDD80000 && v <= 0xDDDBFFFF:
		return 3
	case v >= 0xDDDDDD00 && v <= 0xDDDDDDFF:
		return 1
	}
	return 0
}

// utf8Marks holds, for each length, the marker bits of the first byte.
var utf8Marks = [...]uint8{1: 0x00, 2: 0xC0, 3: 0xE0, 4: 0xF0, 5: 0xF8, 6: 0xFC}

// UTF8Byte returns byte i of the UTF-8 form of v, of length n > i.
func UTF8Byte(v uint32, n, i uint8) uint8 {
	if n == 6 && v >= 0xF0000000 {
		v &= 0x0FFFFFFF // in an overlong 6-byte form only the top digit is a marker
	}
	b := uint8(v >> (6 * (n - 1 - i)))
	switch {
	case i > 0:
		return b&0x3F | 0x80
	case n == 1:
		return b
	}
	// an overlong value already has its markers
	return b | utf8Marks[n]
}

// UTF16Byte returns byte i of the UTF-16 form of v, of length n > i.
func UTF16Byte(v uint32, n, i uint8, bigEndian bool) uint8 {
	switch n {
	case 1:
		return uint8(v)
	case 3: // the high surrogate, then the byte as received
		if i == 2 {
			return uint8(v)
		}
		v >>= 8
	case 4:
		if i < 2 {
			v = 0xD7C0 + v>>10
		} else {
			v = 0xDC00 | v&0x3FF
		}
	}
	if bigEndian == (i&1 == 0) {
		return uint8(v >> 8)
	}
	return uint8(v)
}

// UTF32Byte returns byte i, 0 to 3, of v.
func UTF32Byte(v uint32, i uint8, bigEndian bool) uint8 {
	if bigEndian {
		i = 3 - i
	}
	return uint8(v >> (8 * i))
}
