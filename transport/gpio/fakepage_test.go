package gpio

import (
	"utfbench/model"
	"utfbench/transport"
)

// fakePage is the GPIO block of a BCM2835 with wires attached. It does not use the back-end's tables.
type fakePage struct {
	*wires
	line   [32]int // signal of each GPIO, or -1
	selec  [selectWords]uint32
	latch  uint32
	broken bool // the page is not a GPIO block
	memory [16]uint32
}

func newFakePage(rev model.Revision, pins map[string]string) *fakePage {
	p := &fakePage{wires: newWires(rev)}
	for n := range p.line {
		p.line[n] = -1
	}
	for i, s := range transport.Lines {
		if n, err := gpioNumber(pins[s]); err == nil {
			p.line[n] = i
		}
	}
	return p
}

func (p *fakePage) store(word int, v uint32) {
	if p.broken {
		p.memory[word] = v
		return
	}
	switch {
	case word < selectWords:
		p.selectLines(word, v)
	case word == wordSet:
		p.each(v, true)
	case word == wordClear:
		p.each(v, false)
	default:
		p.complain("a store to word %d", word)
	}
}

// selectLines changes the functions line by line, as a slow block would.
func (p *fakePage) selectLines(word int, v uint32) {
	for n := range 10 {
		mask := uint32(7) << (3 * n)
		p.selec[word] = p.selec[word]&^mask | v&mask
		p.show()
	}
}

func (p *fakePage) each(lines uint32, high bool) {
	for n := range uint(32) {
		if lines>>n&1 == 0 {
			continue
		}
		p.latch &^= 1 << n
		if high {
			p.latch |= 1 << n
		}
		p.show()
	}
}

func (p *fakePage) show() {
	var out, level uint32
	for n, i := range p.line {
		if i < 0 {
			continue
		}
		if p.selec[n/10]>>(n%10*3)&7 == 1 {
			out |= 1 << i
		}
		level |= p.latch >> n & 1 << i
	}
	p.drive(out, level)
}

func (p *fakePage) load(word int) (v uint32) {
	switch {
	case p.broken:
		return p.memory[word]
	case word < selectWords:
		return p.selec[word]
	case word != wordLevel:
		p.complain("a load of word %d", word)
		return 0
	}
	levels := p.levels()
	for n, i := range p.line {
		if i >= 0 {
			v |= levels >> i & 1 << n
		}
	}
	return v
}
