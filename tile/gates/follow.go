package gates

import "utfbench/transport"

// A Follower is the reference for a test that applies steps one by one, some with unknown levels, from power-up on.
type Follower struct {
	chip, before *Chip
	frame        Frame
	enable       uint8 // lines of uio that the tile may drive now
}

// A StepX is a step with possibly unknown levels. Its Drive holds the uio lines that the test drives.
type StepX struct {
	transport.Step
	InX    uint8 // unknown bits of ui
	ResetX bool  // rst_n is unknown
}

// A Response holds the reference's outputs after a step.
type Response struct {
	transport.Sample
	Enable, EnableX uint8 // lines of uio that the tile drives, and lines for which that is unknown
	BenchDrive      uint8 // lines that the bench may drive during the step
}

// NewFollower returns a Follower of the tile.
func (t *Tile) NewFollower() *Follower { return &Follower{chip: t.take(), before: t.take()} }

// Apply applies a step. The bench releases the uio lines that the tile may drive before or after the step.
func (f *Follower) Apply(m StepX) Response {
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
	seen := Response{Sample: f.chip.Sample(0), BenchDrive: drive}
	for i := range 8 {
		on := f.chip.Drives(i)
		seen.Enable |= uint8(on.Hi&^on.Lo&1) << i
		seen.EnableX |= uint8(on.Hi&on.Lo&1) << i
	}
	f.enable = seen.Enable | seen.EnableX
	return seen
}

// careful applies a step to vector 0 without contention, and returns the lines that the bench still drives.
func (c *Chip) careful(before *Chip, f *Frame) (drive uint8) {
	c.StepWithoutContention(before, f)
	for i, on := range f.Drive {
		drive |= uint8(on&1) << i
	}
	return drive
}

// StepWithoutContention applies a step, but in each vector releases the uio lines that both bench and chip may drive.
// It sets before to the state before the step.
func (c *Chip) StepWithoutContention(before *Chip, f *Frame) {
	before.CopyFrom(c)
	for c.Step(f); c.Contention != [8]uint64{}; c.Step(f) {
		for i, lanes := range c.Contention {
			f.Drive[i] &^= lanes
		}
		c.CopyFrom(before)
	}
}
