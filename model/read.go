package model

// read puts the next byte into the data register: UTF-32 before UTF-8 before UTF-16. Past the end it is 00.
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
