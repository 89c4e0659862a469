package gates

import "utfbench/transport"

// A Follower is the reference beside a test that nobody knows in advance: moves come one by one, and some of their
// levels are unknown. It begins after power-up.
type Follower struct {
	chip, before *Chip
	frame        Frame
	enable       uint8 // the lines of uio that the tile may drive now
}

// A Move is a step of which some levels may be unknown. Drive has the lines of uio on which the test puts a level.
type Move struct {
	transport.Step
	InX    uint8 // bits of ui that are unknown
	ResetX bool  // rst_n is unknown
}

// Seen is the reference's outputs after a move.
type Seen struct {
	transport.Sample
	Enable, EnableX uint8 // the lines of uio that the tile drives, and those of which that is unknown
	Drive           uint8 // the lines that the bench may drive during the move
}

// Follow returns a reference for moves.
func (t *Tile) Follow() *Follower { return &Follower{chip: t.take(), before: t.take()} }

// Do makes a move. It takes the bench off those lines of uio that the tile may drive before the move or after it.
func (f *Follower) Do(m Move) Seen {
	s := m.Step
	s.Drive &^= f.enable
	f.frame.Set(&s)
	f.frame.RstX = 0
	for i := range f.frame.InX {
		f.frame.InX[i] = -uint64(m.InX >> i & 1)
	}
	if m.ResetX {
		f.frame.RstX = ^uint64(0)
	}
	drive := f.chip.careful(f.before, &f.frame)
	seen := Seen{Sample: f.chip.sample(), Drive: drive}
	for i := range 8 {
		on := f.chip.Drives(i)
		seen.Enable |= uint8(on.Hi&^on.Lo&1) << i
		seen.EnableX |= uint8(on.Hi&on.Lo&1) << i
	}
	f.enable = seen.Enable | seen.EnableX
	return seen
}

// careful is Careful for vector 0, and returns the remaining lines of the frame.
func (c *Chip) careful(before *Chip, f *Frame) (drive uint8) {
	c.Careful(before, f)
	for i, on := range f.Drive {
		drive |= uint8(on&1) << i
	}
	return drive
}

// Careful applies a step, and releases each line of uio that both bench and chip may drive, in the vectors concerned.
// The other chip keeps the state before the step.
func (c *Chip) Careful(before *Chip, f *Frame) {
	before.CopyFrom(c)
	for c.Step(f); c.Clash != [8]uint64{}; c.Step(f) {
		for i, lanes := range c.Clash {
			f.Drive[i] &^= lanes
		}
		c.CopyFrom(before)
	}
}
