//go:build unix

package boardtest

// A shuttle is the chip's mux: nrst resets a count, pulses on inc increment it, and ena selects that design.
type shuttle struct {
	mux     *Mux
	count   int
	enabled int    // -1 for none
	inc     uint64 // previous level of inc
}

// chip returns the number of the design under test, or -1 without a mux.
func (s *shuttle) chip() int {
	if s.mux == nil {
		return -1
	}
	return s.mux.Number
}

// other returns the number of a design that drives uo and uio, or -2.
func (s *shuttle) other() int {
	if s.mux == nil || s.mux.OtherDriver == 0 {
		return -2
	}
	return s.mux.OtherDriver
}

func (s *shuttle) selected() int { return s.enabled }

// admin reports whether the board's own multiplexer connects pins of uo to the mux.
func (s *shuttle) admin(levels uint64) bool {
	return s.mux != nil && s.mux.Select >= 0 && levels>>s.mux.Select&1 == 0
}

// see handles the levels that the board drives on the driven pins. A board with a multiplexer pulls nrst and ena up, so
// that a design stays selected while they are disconnected.
func (s *shuttle) see(levels, driven uint64) {
	if s.mux == nil || s.mux.Select >= 0 && !s.admin(levels) {
		return
	}
	if s.mux.Select >= 0 {
		levels |= (1<<s.mux.NRst | 1<<s.mux.Ena) &^ driven
	}
	inc := levels >> s.mux.Inc & 1
	switch {
	case levels>>s.mux.NRst&1 == 0:
		s.count = 0
	case inc != 0 && s.inc == 0:
		s.count++
	}
	s.inc, s.enabled = inc, -1
	if levels>>s.mux.Ena&1 != 0 {
		s.enabled = s.count + s.mux.NumberOffset
	}
}

func (s *shuttle) rom(address uint8) uint8 {
	text := int(address) - 32
	switch {
	case s.mux == nil || s.mux.ROM == "":
		return 0
	case address == 0:
		return 0x78
	case text >= 0 && text < len(s.mux.ROM) && address < 128:
		return s.mux.ROM[text]
	}
	return 0
}
