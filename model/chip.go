// Package model implements the UTF chip, the Tiny Tapeout tile that converts between UTF-8, UTF-16 and UTF-32, exactly
// in every bit at every clock edge. docs/chip.md describes the chip in words. The model is the reference of a run, and
// the chip inside the mock transport.
//
// value.go holds the encodings as pure functions of a 32-bit value. chip.go holds the pins and registers; step.go
// evaluates a step, and edge.go a clock edge.
package model

// Inputs, ui[7:0]. Names with a slash in the data sheet are active low.
const (
	ROUT uint8 = 1 << iota // low at a clock edge: rewind the output
	ERRS                   // high: uo[5:0] is the status; low: the properties
	CHK                    // high: 110000 and above is an error and has no properties
	CBE                    // byte order of UTF-32 and UTF-16; high: big endian
	READ                   // high: the chip drives uio; low: it receives bytes there
	CIO                    // low: UTF-32 strobe
	UIO                    // low: UTF-16 strobe
	BIO                    // low: UTF-8 strobe

	Idle uint8 = 0xFF // all strobes inactive; the chip drives uio
)

// Outputs, uo[7:6].
const (
	UEOF uint8 = 0x40 // READ high: no further UTF-16 byte; READ low: the UTF-16 input is full
	BEOF uint8 = 0x80 // the same for UTF-8
)

// A Chip models one chip. The zero value is a TT09 chip before its first reset: its registers and all its outputs are
// unknown until a clock edge with rst_n low.
type Chip struct {
	rev   Revision
	known bool // the chip has been reset, and has received no unknown bit since
	regs  Registers

	// Functions of regs, cached so that they are computed only when regs change.
	status, len8, len16 uint8    // status and lengths of the value
	pages               [4]uint8 // uo[5:0] by the levels of ERRS and CHK
}

// Registers holds the state of the chip, 54 flip-flops in the TT09 design.
type Registers struct {
	V       uint32 // the value
	Data    uint8  // shown on uio while READ is high
	N       uint8  // UTF-32 bytes received, 0 to 4
	C, B, U uint8  // read positions: UTF-32, UTF-8, UTF-16
	Retry   bool
	Written bool // something was written since the reset
}

// New returns a chip of a revision before its first reset. It shares no cache line with chips that other cores step.
func New(rev Revision) *Chip {
	alone := &struct {
		Chip
		_ [128]byte
	}{Chip: Chip{rev: rev}}
	return &alone.Chip
}

// Revision returns the design's revision.
func (c *Chip) Revision() Revision { return c.rev }

// StateKnown reports whether the registers are known: from a reset until the chip receives an unknown bit.
func (c *Chip) StateKnown() bool { return c.known }

// Forget makes the registers unknown, as an unknown level on a strobe or on clk does.
func (c *Chip) Forget() { c.known = false }

// Registers returns the state, which is meaningless while StateKnown is false.
func (c *Chip) Registers() Registers { return c.regs }

// SetRegisters forces the state, as a stuck flip-flop does.
func (c *Chip) SetRegisters(r Registers) {
	c.regs = r
	c.derive()
}

// PowerUp sets a known state without a reset: in silicon, a flip-flop powers up as 0 or 1.
func (c *Chip) PowerUp(r Registers) {
	c.SetRegisters(r)
	c.known = true
}

// derive updates the cached functions of the value.
func (c *Chip) derive() {
	if !c.regs.Written {
		c.status, c.len8, c.len16 = 0, 0, 0
		c.paint()
		return
	}
	v := c.regs.V
	c.status = ValueStatus(v)
	c.len8 = UTF8Len(v)
	c.len16 = UTF16Len(v)
	c.paint()
}

// paint updates the pages from the value and RETRY.
func (c *Chip) paint() {
	status, props := c.status, uint8(0)
	if c.regs.Written {
		props = ValueProperties(c.regs.V)
	}
	if c.regs.Retry {
		status |= Retry
	}
	if status&(Retry|Invalid|Overlong) != 0 {
		status |= Error
	}
	c.pages = [4]uint8{0: props, ERRS >> 1: status, CHK >> 1: props, (ERRS | CHK) >> 1: status}
	if status&NonUni != 0 {
		c.pages[CHK>>1] = 0
		c.pages[(ERRS|CHK)>>1] |= Error
	}
}

// ClockEdge applies a rising edge of clk with these levels on ui and uio; rst_n is low if reset is set. The first low
// pin, in the order of the code, determines the effect.
func (c *Chip) ClockEdge(ui, uio uint8, reset bool) {
	switch {
	case reset:
		*c = Chip{rev: c.rev, known: true} // the zero value has no flags
	case ui&ROUT == 0:
		c.regs.C, c.regs.B, c.regs.U, c.regs.Data = 0, 0, 0, 0
	case ui&READ == 0:
		c.write(ui, uio)
	default:
		c.read(ui)
	}
}

// Out returns the levels of uo for these levels on ui, without a clock.
func (c *Chip) Out(ui uint8) uint8 {
	return c.pages[ui>>1&3] | c.ends(ui)
}

func (c *Chip) ends(ui uint8) uint8 {
	var f uint8
	if ui&READ == 0 {
		if c.len16 == 4 {
			f |= UEOF
		}
		if c.len8 == 6 {
			f |= BEOF
		}
		return f
	}
	if c.regs.U >= c.len16 {
		f |= UEOF
	}
	if c.regs.B >= c.len8 {
		f |= BEOF
	}
	return f
}
