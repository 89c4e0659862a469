package gates

import (
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// A Chip simulates a powered design on 64 vectors, or as 64 chips, side by side. It is not safe for concurrent use.
type Chip struct {
	d          *Design
	m          *sim.Machine
	drive      [8]uint64 // lines of uio that the bench drives now
	frame      Frame
	Contention [8]uint64 // by line of uio: vectors in which bench and chip may both have driven it during the last step
}

// A Frame is a step of 64 vectors: a word of levels for each line.
type Frame struct {
	In, IO, Drive [8]uint64
	RstN          uint64
	Linger        uint64
	InX           [8]uint64 // where a level of ui is unknown
	RstX          uint64    // where rst_n is unknown
	Pulses        []uint64  // for each pulse of clk, in order: the vectors that receive it
}

// NewChip returns a chip after power-up, with all lines low and uio released. If chance is nil, the chip is ternary.
func (d *Design) NewChip(chance *sim.RandomChoices) *Chip {
	if chance != nil {
		return &Chip{d: d, m: sim.NewMachine(d.prog, chance)}
	}
	return &Chip{d: d, m: d.fresh().m.Clone()}
}

// fresh returns the ternary chip in its state before a vector; callers only copy it. Its ui and rst_n are unknown:
// levels at power-up may set state that an earlier vector has since changed and that the reset does not set again.
func (d *Design) fresh() *Chip {
	d.once.fresh.Do(func() { d.chip = &Chip{d: d, m: sim.NewMachine(d.prog, nil, append(d.ui[:], d.rst)...)} })
	return d.chip
}

// CopyFrom copies the state of a chip of the same design.
func (c *Chip) CopyFrom(o *Chip) {
	c.m.CopyFrom(o.m)
	c.drive, c.Contention = o.drive, o.Contention
}

// Clone returns a copy of the chip.
func (c *Chip) Clone() *Chip {
	return &Chip{d: c.d, m: c.m.Clone(), drive: c.drive, Contention: c.Contention}
}

// SetUnknownState sets unknown state to levels in the given vectors.
func (c *Chip) SetUnknownState(vectors, levels uint64) { c.m.SetUnknownState(vectors, levels) }

// Reset powers up a ternary chip again.
func (c *Chip) Reset() { c.CopyFrom(c.d.fresh()) }

// Work returns the number of gate evaluations so far.
func (c *Chip) Work() int { return c.m.Work() }

// Watch starts to record the levels of the nets, and returns the record.
func (c *Chip) Watch() *sim.WatchedLevels { return c.m.Watch() }

// Step applies a step in the order that package transport defines.
func (c *Chip) Step(f *Frame) {
	d, m := c.d, c.m
	c.Contention = [8]uint64{}
	m.UpdateFloatingNets(d.onFloat)
	lingers := f.lingers()
	c.release(f, lingers)
	m.Set(d.rst, sim.Level(f.RstN).WithUnknown(f.RstX))
	for i, in := range f.In {
		m.Set(d.ui[i], sim.Level(in).WithUnknown(f.InX[i]))
	}
	m.Event(d.onInput)
	c.clash()
	for i, on := range f.Drive {
		held := c.drive[i] &^ on
		c.drive[i] = on | held
		m.Set(d.drive[i], sim.Level(on|held))
		m.Set(d.level[i], sim.Level(f.IO[i]&on|m.Level(d.level[i]).Hi&held))
	}
	m.Event(d.onBus)
	c.clash()
	if d.still && lingers == 0 {
		return
	}
	for n, lanes := range f.Pulses {
		m.Set(d.clk, sim.Level(lanes))
		m.Event(d.onClk)
		if n == 0 && lingers != 0 {
			c.release(f, 0) // after the edge, at which the chip reads the lingering levels
		}
		c.clash()
		m.Set(d.clk, sim.Level(0))
		m.Event(d.onClk)
		c.clash()
	}
}

// lingers returns the vectors in which the step lingers and has a clock pulse.
func (f *Frame) lingers() uint64 {
	if f.Linger == 0 || len(f.Pulses) == 0 {
		return 0
	}
	return f.Linger & f.Pulses[0]
}

// release stops driving the lines that the step does not drive, except in the vectors in keep.
func (c *Chip) release(f *Frame, keep uint64) {
	for i, on := range f.Drive {
		c.drive[i] &= on | keep
		c.m.Set(c.d.drive[i], sim.Level(c.drive[i]))
	}
	c.m.Event(c.d.onBus)
}

// Apply applies the same step in all vectors and returns the sample of vector 0, including contention with the bench.
func (c *Chip) Apply(s *transport.Step) transport.Sample {
	c.frame.Set(s)
	c.Step(&c.frame)
	seen := c.Sample(0)
	seen.SetContention(c.clashes())
	return seen
}

// SetFate sets the fate of floating nets.
func (c *Chip) SetFate(f sim.Fate) { c.m.SetFate(f) }

// clash records the lines that both bench and chip may drive now.
func (c *Chip) clash() {
	if !c.d.drives {
		return
	}
	for i, on := range c.drive {
		if on != 0 {
			c.Contention[i] |= on & c.m.Level(c.d.oe[i]).Hi
		}
	}
}

// OutputLevel and UIOLevel return the level of a line of uo or uio. Drives reports whether the chip drives a uio line.
func (c *Chip) OutputLevel(i int) sim.Set { return c.m.Level(c.d.uo[i]) }
func (c *Chip) UIOLevel(i int) sim.Set    { return c.m.Level(c.d.uio[i]) }
func (c *Chip) Drives(i int) sim.Set      { return c.m.Level(c.d.oe[i]) }

// Level returns the level of a net.
func (c *Chip) Level(n sim.Net) sim.Set { return c.m.Level(n) }

// Set sets the frame to the same step in all vectors.
func (f *Frame) Set(s *transport.Step) {
	word := func(bits uint8, i int) uint64 { return -uint64(bits >> i & 1) }
	for i := range 8 {
		f.In[i], f.IO[i], f.Drive[i] = word(s.In, i), word(s.IO, i), word(s.Drive, i)
	}
	f.RstN, f.Linger = ^uint64(0), 0
	if s.Reset {
		f.RstN = 0
	}
	if s.Linger {
		f.Linger = ^uint64(0)
	}
	f.Pulses = always[:s.Clocks]
}

// SetLane sets one vector of the frame to this step. The caller first clears the pulses of other vectors.
func (f *Frame) SetLane(lane int, s *transport.Step) { f.SetLanes(1<<lane, s) }

// SetLanes sets some vectors of the frame to this step, as SetLane does.
func (f *Frame) SetLanes(lanes uint64, s *transport.Step) {
	set := func(word *uint64, on bool) {
		*word &^= lanes
		if on {
			*word |= lanes
		}
	}
	for i := range 8 {
		set(&f.In[i], s.In>>i&1 != 0)
		set(&f.IO[i], s.IO>>i&1 != 0)
		set(&f.Drive[i], s.Drive>>i&1 != 0)
	}
	set(&f.RstN, !s.Reset)
	set(&f.Linger, s.Linger)
	for i := range int(s.Clocks) {
		if i == len(f.Pulses) {
			f.Pulses = append(f.Pulses, 0)
		}
		f.Pulses[i] |= lanes
	}
}

// always holds the masks of 255 pulses (the maximum), each in all vectors.
var always = func() (all [255]uint64) {
	for i := range all {
		all[i] = ^uint64(0)
	}
	return all
}()

// CopyVector copies the state of a vector of o to a vector of c. o is a chip of the same design, possibly c itself.
func (c *Chip) CopyVector(o *Chip, from, to int) {
	c.m.CopyVector(o.m, from, to)
	for i := range c.drive {
		c.drive[i] = c.drive[i]&^(1<<to) | o.drive[i]>>from&1<<to
	}
}

// Sample returns the sample of a vector. A line of uio with possible contention is unknown.
func (c *Chip) Sample(vector int) (s transport.Sample) {
	for i := range 8 {
		out, line := c.OutputLevel(i), c.UIOLevel(i)
		s.OutX |= uint8(out.Hi&out.Lo>>vector&1) << i
		s.Out |= uint8(out.Hi&^out.Lo>>vector&1) << i
		s.IOX |= uint8((line.Hi&line.Lo|c.Contention[i])>>vector&1) << i
		s.IO |= uint8(line.Hi&^(line.Lo|c.Contention[i])>>vector&1) << i
	}
	return s
}
