package yosys

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"utfbench/internal/printable"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
)

// silent lists cells that do not exist on a chip, only in simulation or proofs.
var silent = []string{"$scopeinfo", "$print", "$check", "$assert", "$assume", "$live", "$fair", "$cover"}

// A gate is the function of a stateless cell.
type gate struct {
	kind     sim.Kind
	pins     string // one letter per pin, in the order of the kind's inputs
	inverted string // pins with an inverter
}

var simple = map[string]gate{
	"$_BUF_":    {sim.Buf, "A", ""},
	"$_NOT_":    {sim.Not, "A", ""},
	"$_AND_":    {sim.And, "AB", ""},
	"$_OR_":     {sim.Or, "AB", ""},
	"$_XOR_":    {sim.Xor, "AB", ""},
	"$_NAND_":   {sim.Nand, "AB", ""},
	"$_NOR_":    {sim.Nor, "AB", ""},
	"$_XNOR_":   {sim.Xnor, "AB", ""},
	"$_ANDNOT_": {sim.And, "AB", "B"},
	"$_ORNOT_":  {sim.Or, "AB", "B"},
	"$_MUX_":    {sim.Mux, "SBA", ""},
	"$_TBUF_":   {sim.Tri, "AE", ""},
}

// A holder is a kind of cell that holds a bit. Letters of its name give the active levels of pins and the reset value.
type holder struct {
	kind    sim.Kind
	letters string // C clock, L load, S set, R reset, E enable; V the reset value
	sync    bool   // the reset is synchronous
	gated   bool   // the synchronous reset acts only while enabled
}

// holders maps the prefix of a cell type, such as DFF in $_DFF_P_, to variants with different numbers of letters.
var holders = map[string][]holder{
	"SR":       {{sim.Latch, "SR", false, false}},
	"DFF":      {{sim.Flop, "C", false, false}, {sim.Flop, "CRV", false, false}},
	"DFFE":     {{sim.Flop, "CE", false, false}, {sim.Flop, "CRVE", false, false}},
	"ALDFF":    {{sim.Flop, "CL", false, false}},
	"ALDFFE":   {{sim.Flop, "CLE", false, false}},
	"DFFSR":    {{sim.Flop, "CSR", false, false}},
	"DFFSRE":   {{sim.Flop, "CSRE", false, false}},
	"SDFF":     {{sim.Flop, "CRV", true, false}},
	"SDFFE":    {{sim.Flop, "CRVE", true, false}},
	"SDFFCE":   {{sim.Flop, "CRVE", true, true}},
	"DLATCH":   {{sim.Latch, "E", false, false}, {sim.Latch, "ERV", false, false}},
	"DLATCHSR": {{sim.Latch, "ESR", false, false}},
}

var holderName = printable.LazyRegexp(`^\$_([A-Z]+)_([NP01]+)_$`)

// findHolder returns the holder of a cell type, and the letters in its name.
func findHolder(cellType string) (h holder, letters string, found bool) {
	m := holderName().FindStringSubmatch(cellType)
	if m == nil {
		return h, "", false
	}
	for _, h := range holders[m[1]] {
		if len(h.letters) == len(m[2]) && h.fits(m[2]) {
			return h, m[2], true
		}
	}
	return h, "", false
}

// fits reports whether each letter is an active level or, in the place of V, a reset value.
func (h *holder) fits(letters string) bool {
	for i, role := range h.letters {
		if strings.IndexByte("01", letters[i]) >= 0 != (role == 'V') {
			return false
		}
	}
	return true
}

func (r *reader) cell(name string, c cell) error {
	if slices.Contains(silent, c.Type) {
		return nil
	}
	p := &pins{r: r, name: name, cell: &c}
	kit, isKit := gates.FindCell(c.Type)
	g, isGate := simple[c.Type]
	h, letters, isHolder := findHolder(c.Type)
	switch {
	case isKit:
		p.kit(kit)
	case isGate:
		p.gate(g)
	case isHolder:
		p.holder(h, letters)
	case !strings.HasPrefix(c.Type, "$") && len(c.Directions) > 0:
		p.macro()
	default:
		return fmt.Errorf("%s: utfbench does not know cells of this type", p)
	}
	return p.err
}

// pins accesses the pins of a cell. Its error names the first pin that is missing or does not have exactly one bit.
type pins struct {
	r    *reader
	name string
	cell *cell
	err  error
}

func (p *pins) String() string {
	at := p.r.part(p.name, p.cell, floating)
	if at.File == "" {
		return fmt.Sprintf("cell %s (%s)", at.Name, at.Type)
	}
	return fmt.Sprintf("%s:%d: cell %s (%s)", at.File, at.Line, at.Name, at.Type)
}

func (p *pins) bit(pin string) bit {
	bits, connected := p.cell.Connections[pin]
	switch {
	case len(bits) == 1:
		return bits[0]
	case p.err != nil:
	case connected:
		p.err = fmt.Errorf("%s: pin %s has %d bits (want 1)", p, pin, len(bits))
	default:
		p.err = fmt.Errorf("%s has no pin %s", p, pin)
	}
	return floating
}

// out begins the part and returns the net that the cell drives.
func (p *pins) out(pin string) (n sim.Net, driven bool) {
	b := p.bit(pin)
	p.r.c.BeginPart(p.r.part(p.name, p.cell, b))
	if p.err != nil {
		return sim.Open, false
	}
	if b < 0 {
		p.err = fmt.Errorf("%s drives a constant with its pin %s", p, pin)
		return sim.Open, false
	}
	n = p.r.net(b)
	p.r.c.AddPin(pin, n, true)
	return n, true
}

// in returns the net at an input, inverted if its active level is N.
func (p *pins) in(pin string, level byte) sim.Net {
	n := p.r.net(p.bit(pin))
	p.r.c.AddPin(pin, n, false)
	if level == 'N' {
		return p.r.c.Not(n)
	}
	return n
}

func (p *pins) gate(g gate) {
	out, driven := p.out("Y")
	if !driven {
		return
	}
	var in []sim.Net
	for _, pin := range strings.Split(g.pins, "") {
		level := byte('P')
		if strings.Contains(g.inverted, pin) {
			level = 'N'
		}
		in = append(in, p.in(pin, level))
	}
	p.r.c.Add(g.kind, out, in...)
}

func (p *pins) holder(h holder, letters string) {
	q, driven := p.out("Q")
	if !driven {
		return
	}
	c := p.r.c
	at := map[rune]sim.Net{}
	value := byte('0')
	for i, role := range h.letters {
		if role == 'V' {
			value = letters[i]
			continue
		}
		at[role] = p.in(string(role), letters[i])
	}
	if h.kind == sim.Latch && !strings.Contains(h.letters, "E") { // an SR latch
		c.Add(sim.Latch, q, sim.Zero, sim.Zero, at['S'], at['R'])
		return
	}
	data := p.in("D", 'P')
	set, reset := p.forced(at, value, h)
	enable, enabled := at['E']
	if h.kind == sim.Latch {
		c.Add(sim.Latch, q, data, enable, set, reset)
		return
	}
	if h.sync && h.gated {
		data = resetTo(c, data, at['R'], value)
	}
	if enabled {
		data = c.Gate(sim.Mux, enable, data, q)
	}
	if h.sync && !h.gated {
		data = resetTo(c, data, at['R'], value)
	}
	c.Add(sim.Flop, q, data, at['C'], set, reset)
}

// forced returns the nets that set and reset a holder whatever its clock or enable.
func (p *pins) forced(at map[rune]sim.Net, value byte, h holder) (set, reset sim.Net) {
	c := p.r.c
	if load, loads := at['L']; loads {
		data := p.in("AD", 'P')
		return c.Gate(sim.And, load, data), c.Gate(sim.And, load, c.Not(data))
	}
	set, reset = at['S'], at['R'] // sim.Zero if missing
	switch {
	case h.sync:
		return sim.Zero, sim.Zero
	case value == '1':
		return reset, sim.Zero
	}
	return set, reset
}

func resetTo(c *sim.Circuit, data, reset sim.Net, value byte) sim.Net {
	if value == '1' {
		return c.Gate(sim.Or, data, reset)
	}
	return c.Gate(sim.And, data, c.Not(reset))
}

// macro adds the author's black box, such as an SRAM or an analog block, with unknown outputs.
func (p *pins) macro() {
	p.r.c.BeginPart(p.r.part(p.name, p.cell, floating))
	for _, pin := range slices.Sorted(maps.Keys(p.cell.Directions)) {
		for _, b := range p.cell.Connections[pin] {
			if p.cell.Directions[pin] != "input" && b >= 0 {
				p.r.c.Add(sim.Unknown, p.r.net(b))
			}
		}
	}
}

// kit adds a kit's cell from the author's text. A missing pin is open.
func (p *pins) kit(kit *gates.Cell) {
	drives := floating
	for _, pin := range kit.Outputs() {
		if bits := p.cell.Connections[pin]; len(bits) == 1 {
			drives = bits[0]
		}
	}
	p.r.c.BeginPart(p.r.part(p.name, p.cell, drives))
	if len(p.cell.Connections[byPosition]) > 0 {
		p.err = fmt.Errorf("%s: its pins are connected by position, and the kit has another order for each strength: "+
			"name them, as in .A(a), or take the netlist that was fabricated", p)
	}
	at := map[string]sim.Net{}
	for _, pin := range slices.Concat(kit.Inputs, kit.Outputs()) {
		at[pin] = sim.Open
		if bits := p.cell.Connections[pin]; len(bits) > 0 {
			at[pin] = p.r.net(p.bit(pin))
		}
	}
	kit.Add(p.r.c, func(pin string) sim.Net { return at[pin] })
}
