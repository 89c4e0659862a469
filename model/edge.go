package model

// write receives a byte from uio. If several strobes are low, UTF-32 has precedence over UTF-8, and UTF-8 over UTF-16.
func (c *Chip) write(ui, b uint8) {
	switch {
	case ui&CIO == 0:
		c.write32(b, ui&CBE != 0)
	case ui&BIO == 0:
		c.write8(b)
	case ui&UIO == 0:
		c.write16(b, ui&CBE != 0)
	}
}

func (c *Chip) set(v uint32) {
	c.regs.V = v
	c.regs.Written = true
	c.derive()
}

func (c *Chip) drop() {
	c.regs.Retry = true
	c.paint()
}

// accept clears RETRY, as the TT08 design does on most accepted bytes.
func (c *Chip) accept() {
	if c.rev == TT08 && c.regs.Retry {
		c.regs.Retry = false
		c.paint()
	}
}

func (c *Chip) write32(b uint8, bigEndian bool) {
	c.accept()
	n := c.regs.N
	if n >= 4 {
		if c.rev != TT08 {
			c.drop()
		}
		return
	}
	kept := c.regs.V & (1<<(8*n) - 1)
	if bigEndian {
		c.set(kept<<8 | uint32(b))
	} else {
		c.set(kept | uint32(b)<<(8*n))
	}
	c.regs.N = n + 1
}

func (c *Chip) write8(b uint8) {
	switch {
	case c.len8 == 0:
		c.accept()
		c.set(uint32(int32(int8(b))))
	case c.status&Ready != 0 || b&0xC0 != 0x80:
		c.drop()
	default:
		c.set(append8(c.regs.V, b))
	}
}

// append8 adds a continuation byte to an incomplete UTF-8 input. The value is sign-extended from its first byte, so
// complete forms have separate ranges, in which append8 removes the markers unless the form is overlong.
func append8(v uint32, b uint8) uint32 {
	sixth := v>>25 == 0xFC000000>>25
	v = v<<6 | uint32(b&0x3F)
	switch {
	case sixth && v < 0x4000000:
		return v | 0xF0000000
	case sixth:
		return v
	case v >= 0xF8200000 && v <= 0xFBFFFFFF:
		return v & 0x3FFFFFF
	case v >= 0xFFC10000 && v <= 0xFFDFFFFF:
		return v & 0x1FFFFF
	case v >= 0xFFFE0800 && v <= 0xFFFEFFFF:
		return v & 0xFFFF
	case v >= 0xFFFFF080 && v <= 0xFFFFF7FF:
		return v & 0x7FF
	}
	return v
}

func (c *Chip) write16(b uint8, bigEndian bool) {
	v := c.regs.V
	switch c.len16 {
	case 0:
		c.accept()
		c.set(0xDDDDDD00 | uint32(b))
	case 1:
		c.accept()
		c.set(unit(uint8(v), b, bigEndian))
	case 2:
		if v < 0xD800 || v > 0xDBFF {
			c.drop()
			return
		}
		c.accept()
		c.set(0xDD000000 | v<<8 | uint32(b))
	case 3:
		c.pair(v>>8&0xFFFF, unit(uint8(v), b, bigEndian))
	default:
		c.drop()
	}
}

// pair completes a surrogate pair, or drops the second unit if it is not a low surrogate.
func (c *Chip) pair(high, low uint32) {
	if low&0xFC00 != 0xDC00 {
		c.set(high)
		c.drop()
		return
	}
	c.accept()
	c.set(0x10000 + (high&0x3FF)<<10 + low&0x3FF)
}

// unit joins the bytes of a UTF-16 unit, in the order of their arrival.
func unit(first, second uint8, bigEndian bool) uint32 {
	if bigEndian {
		return uint32(first)<<8 | uint32(second)
	}
	return uint32(second)<<8 | uint32(first)
}

// read loads the next byte into the data register, with the precedence of write. Past the end the byte is 00.
func (c *Chip) read(ui uint8) {
	r := &c.regs
	switch {
	case ui&CIO == 0:
		r.Data = 0
		if r.C < 4 {
			r.Data = UTF32Byte(r.V, r.C, ui&CBE != 0)
			r.C++
		}
	case ui&BIO == 0:
		r.Data = 0
		if r.B < c.len8 {
			r.Data = UTF8Byte(r.V, c.len8, r.B)
			r.B++
		}
	case ui&UIO == 0:
		r.Data = 0
		if r.U < c.len16 {
			r.Data = UTF16Byte(r.V, c.len16, r.U, ui&CBE != 0)
			r.U++
		} else if c.rev == TT08 && r.U < 4 {
			r.U++
		}
	}
}
