package grade

import (
	"slices"
	"strconv"

	"utfbench/internal/printable"
	"utfbench/tile/gates/sim"
)

// A mined holds the constants that a circuit compares with.
type mined struct {
	values []value // of ui and uio
	counts []int   // of registers: numbers of clocks to get there, and adjacent ones
	bytes  []uint8 // of registers, also shifted by a bit, as the address of I2C
}

// A value is levels of ui (bits 0 to 7) and uio (8 to 15).
type value struct{ mask, level uint16 }

// A literal is a net with a level.
type literal struct {
	net  sim.Net
	high bool
}

// The size of a comparison, in bits.
const (
	leastBits = 3
	mostBits  = 32
	leastHold = 8
	mostHold  = 1 << 20
)

var indexed = printable.Regexp(`^(.*)\[(\d+)\]$`)

// mine finds comparators: nets that have a level only if each of several others has one.
func mine(c *sim.Circuit) (m mined) {
	d := digger{c: c, driver: make([]int32, len(c.Nets)), inputs: map[sim.Net]int{}, width: map[string]int{}}
	for i := range c.Cells {
		d.driver[c.Cells[i].Out] = int32(i) + 1
	}
	for i := range c.Cells {
		if name, _, is := d.bit(c.Cells[i].Out); is {
			d.width[name]++
		}
	}
	for k, port := range []string{"ui_in", "uio_in"} {
		for i, n := range c.Port(port) {
			d.inputs[n], d.driver[n] = 8*k+i, 0
		}
	}
	for i := range c.Cells {
		for _, high := range []bool{false, true} {
			d.all = d.all[:0]
			if d.dig(literal{c.Cells[i].Out, high}, 0); len(d.all) >= leastBits && len(d.all) <= mostBits {
				m.add(&d)
			}
		}
	}
	m.sort()
	return m
}

func (m *mined) sort() {
	key := func(v value) int { return int(v.mask)<<16 + int(v.level) }
	slices.SortFunc(m.values, func(a, b value) int { return key(a) - key(b) })
	m.values = slices.Compact(m.values)
	slices.Sort(m.counts)
	m.counts = slices.Compact(m.counts)
	slices.Sort(m.bytes)
	m.bytes = slices.Compact(m.bytes)
}

// A digger collects the literals that a net's level requires.
type digger struct {
	c      *sim.Circuit
	driver []int32 // index into Cells, plus 1
	inputs map[sim.Net]int
	width  map[string]int // by register: its bits
	all    []literal
}

// deepest limits the cells between a comparison and its operands.
const deepest = 24

func (d *digger) dig(l literal, depth int) {
	if l.net <= sim.One {
		return
	}
	at := d.driver[l.net] - 1
	if _, _, is := d.bit(l.net); is || at < 0 || depth > deepest || len(d.all) > mostBits {
		d.all = append(d.all, l)
		return
	}
	cell := &d.c.Cells[at]
	both := func(high bool) {
		d.dig(literal{cell.In[0], high}, depth+1)
		d.dig(literal{cell.In[1], high}, depth+1)
	}
	switch k := cell.Kind; {
	case (k == sim.Buf || k == sim.Not) && cell.In[0] > sim.One:
		d.dig(literal{cell.In[0], l.high != (k == sim.Not)}, depth+1)
	case k == sim.And && l.high, k == sim.Nand && !l.high:
		both(true)
	case k == sim.Or && !l.high, k == sim.Nor && l.high:
		both(false)
	default:
		d.all = append(d.all, l)
	}
}

// bit returns the register and the number of a net that is a bit of one. In a netlist a buffer drives it, and the
// flip-flop before has no name.
func (d *digger) bit(n sim.Net) (register string, number int, is bool) {
	at := d.driver[n]
	if at == 0 {
		return "", 0, false
	}
	cell := &d.c.Cells[at-1]
	if k := cell.Kind; (k == sim.Buf || k == sim.Not) && cell.In[0] > sim.One && d.driver[cell.In[0]] > 0 {
		cell = &d.c.Cells[d.driver[cell.In[0]]-1]
	}
	if !cell.Kind.Holds() {
		return "", 0, false
	}
	part := indexed().FindStringSubmatch(d.c.Nets[n])
	if part == nil {
		return "", 0, false
	}
	number, _ = strconv.Atoi(part[2])
	return part[1], number, true
}

// add records a digger's literals of inputs and registers.
func (m *mined) add(d *digger) {
	v, registers := value{}, map[string]int{}
	bits := map[string]int{}
	for _, l := range d.all {
		if i, is := d.inputs[l.net]; is {
			v.mask |= 1 << i
			if l.high {
				v.level |= 1 << i
			}
		}
		if name, bit, is := d.bit(l.net); is {
			if bits[name]++; l.high && bit < 31 {
				registers[name] |= 1 << bit
			}
		}
	}
	if v.mask != 0 {
		m.values = append(m.values, v)
	}
	for name, n := range bits {
		count := registers[name]
		whole := n == d.width[name] && count != 1<<n-1 // not a carry
		if n >= leastBits && whole && count >= leastHold && count <= mostHold {
			m.counts = append(m.counts, count, count+1, count+2)
		}
		if n > leastBits && n <= 8 {
			m.bytes = append(m.bytes, uint8(count), uint8(count<<1), uint8(count<<1|1))
		}
	}
}
