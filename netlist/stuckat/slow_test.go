package stuckat

import (
	"os"
	"slices"
	"testing"

	"utfbench/netlist"
	"utfbench/netlist/structural"
	"utfbench/tile/gates/cells"
	"utfbench/tile/gates/circuit"
	"utfbench/transport"
)

// A slow is a chip that is simulated as plainly as can be, from the same files but by nothing of what is tested: each
// net has a level, cells are computed until nothing changes, and a fault is a level that a pin keeps.
type slow struct {
	m        *structural.Module
	cells    map[string]*cells.Cell
	nets     map[string]bool
	held     map[string]bool // by instance
	fault    *Fault          // may be nil
	floating bool

	raw, before, clocked bool // of a pin that is slow: what it would show, and would have at the last clock
}

func newSlow(t testing.TB, verilog string, fault *Fault, ones bool) *slow {
	modules, err := structural.Parse(verilog)
	if err != nil {
		t.Fatal(err)
	}
	s := &slow{m: modules[0], cells: map[string]*cells.Cell{},
		nets: map[string]bool{structural.One: true}, held: map[string]bool{},
		fault: fault, floating: ones}
	for _, i := range s.m.Instances {
		s.held[i.Name] = ones
	}
	return s
}

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pin is the level that a pin has if something gives it this one.
func (s *slow) pin(i *structural.Instance, pin string, level bool) bool {
	f := s.fault
	switch {
	case f == nil || f.Cell != i.Name || f.Pin != pin:
		return level
	case !f.Slow:
		return f.Level
	}
	s.raw = level
	if s.clocked && s.before == f.Level {
		return f.Level
	}
	return level
}

// of returns a cell of the table by its full name.
func (s *slow) of(name string) *cells.Cell {
	c, known := s.cells[name]
	if !known {
		c, _ = cells.Find(name)
		s.cells[name] = c
	}
	return c
}

// levels returns what the inputs of a cell see now.
func (s *slow) levels(i *structural.Instance) (levels map[string]bool) {
	levels = map[string]bool{}
	for _, pin := range s.of(i.Cell).Inputs {
		levels[pin] = s.pin(i, pin, s.nets[i.Nets[pin]])
	}
	return levels
}

// valueOf returns the value of a function of the table.
func valueOf(x *cells.Expr, levels map[string]bool, held bool) bool {
	return x.Eval(func(pin string) bool { return levels[pin] }, held)
}

// settle computes all cells until nothing changes.
func (s *slow) settle(step transport.Step) {
	for again := true; again; {
		again = false
		set := func(net string, level bool) {
			again = again || s.nets[net] != level
			s.nets[net] = level
		}
		for i := range 8 {
			set(bit("ui_in", i), step.In>>i&1 != 0)
			pad := s.floating
			switch {
			case step.Drive>>i&1 != 0:
				pad = step.IO>>i&1 != 0
			case s.nets[bit("uio_oe", i)]:
				pad = s.nets[bit("uio_out", i)]
			}
			set(bit("uio_in", i), pad)
		}
		set("rst_n", !step.Reset)
		set("ena", true)
		for _, a := range s.m.Assigns {
			set(a.To, s.nets[a.From])
		}
		for k := range s.m.Instances {
			i := &s.m.Instances[k]
			c, levels := s.of(i.Cell), s.levels(i)
			held := s.held[i.Name] && !s.cleared(i, levels)
			for _, o := range c.Outputs() {
				if net := i.Nets[o]; net != "" {
					set(net, s.pin(i, o, valueOf(c.Function(o), levels, held)))
				}
			}
		}
	}
	for k := range s.m.Instances { // what is cleared on the way there is not lost
		i := &s.m.Instances[k]
		s.held[i.Name] = s.held[i.Name] && !s.cleared(i, s.levels(i))
	}
}

func (s *slow) cleared(i *structural.Instance, levels map[string]bool) bool {
	clear := s.of(i.Cell).Function(cells.Reset)
	return clear != nil && valueOf(clear, levels, false)
}

// clock raises and lowers clk once.
func (s *slow) clock(step transport.Step) {
	s.settle(step)
	raw := s.raw
	before := map[string]map[string]bool{}
	for k := range s.m.Instances {
		before[s.m.Instances[k].Name] = s.levels(&s.m.Instances[k])
	}
	s.nets["clk"] = true
	for range s.m.Instances { // the clock goes through its cells, and nothing else moves
		for k := range s.m.Instances {
			i := &s.m.Instances[k]
			if c := s.of(i.Cell); c.Holds == circuit.Unknown && len(c.Inputs) == 1 {
				o := c.Outputs()[0]
				s.nets[i.Nets[o]] = s.pin(i, o, valueOf(c.Function(o), s.levels(i), false))
			}
		}
		for _, a := range s.m.Assigns {
			s.nets[a.To] = s.nets[a.From]
		}
	}
	taken := map[string]bool{}
	for k := range s.m.Instances {
		i := &s.m.Instances[k]
		c, was := s.of(i.Cell), before[i.Name]
		clock := c.Function(cells.Clock)
		if clock != nil && !valueOf(clock, was, false) && valueOf(clock, s.levels(i), false) {
			taken[i.Name] = valueOf(c.Function(cells.Data), was, s.held[i.Name]) && !s.cleared(i, was)
		}
	}
	for name, level := range taken {
		s.held[name] = level
	}
	s.nets["clk"] = false
	s.before, s.clocked = raw, true
	s.settle(step)
}

// step gives what the lines show after a step.
func (s *slow) step(step transport.Step) (sample transport.Sample) {
	s.settle(step)
	for range step.Clocks {
		s.clock(step)
	}
	for i := range 8 {
		if s.nets[bit("uo_out", i)] {
			sample.Out |= 1 << i
		}
		if s.nets[bit("uio_in", i)] {
			sample.IO |= 1 << i
		}
	}
	return sample
}

func bit(name string, i int) string { return name + "[" + string(rune('0'+i)) + "]" }

// run gives what the lines show in a vector.
func (s *slow) run(steps []transport.Step) (samples []transport.Sample) {
	for _, step := range steps {
		samples = append(samples, s.step(step))
	}
	return samples
}

// expect fills a vector's Want with what is the same from both power-ups.
func expect(t testing.TB, verilog string, v *Vector) {
	zeros, ones := newSlow(t, verilog, nil, false).run(v.Steps), newSlow(t, verilog, nil, true).run(v.Steps)
	v.Want = slices.Clone(zeros)
	for i := range v.Want {
		v.Want[i].OutX = zeros[i].Out ^ ones[i].Out
		v.Want[i].IOX = zeros[i].IO ^ ones[i].IO
	}
}

// shows says at which step a fault is seen first in a vector, from a power-up; none if it is not.
func shows(t testing.TB, verilog string, f *Fault, v *Vector, ones bool) int {
	for i, got := range newSlow(t, verilog, f, ones).run(v.Steps) {
		w := v.Want[i]
		if (got.Out^w.Out)&^w.OutX|(got.IO^w.IO)&^w.IOX != 0 {
			return i
		}
	}
	return none
}

// netlistOf makes the netlist of a text in the tests' cells.
func netlistOf(t testing.TB, verilog string) *netlist.Netlist {
	t.Helper()
	n, err := netlist.Read(netlist.File{Name: "n.v", Text: verilog})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
