package golden

import "utfbench/transport"

// A Sequence is steps with checkpoints.
type Sequence struct {
	Steps  []transport.Step
	Checks []Check // in the order of the steps
}

// A Check is a checkpoint: bits of a sample that a vector tells in advance.
type Check struct {
	Step    int // index in the sequence
	Out, IO Bits
	Line    int // in the suite's file
}

// Bits are levels of those lines that are set in Mask.
type Bits struct{ Mask, Level uint8 }

// Missed reports whether a sample fails a checkpoint.
func (c *Check) Missed(s *transport.Sample) bool { return c.Misses(s) != 0 }

// Misses returns the lines at which it fails.
func (c *Check) Misses(s *transport.Sample) transport.Outputs {
	return s.Differ(c.Sample())
}

// Sample returns the expected levels, and unknown ones elsewhere.
func (c *Check) Sample() transport.Sample {
	return transport.Sample{Out: c.Out.Level, OutX: ^c.Out.Mask, IO: c.IO.Level, IOX: ^c.IO.Mask}
}

// Expect adds a checkpoint on uo and uio after the last step. One that expects nothing is not added.
func (q *Sequence) Expect(out, io Bits, line int) {
	if out.Mask|io.Mask != 0 {
		q.Checks = append(q.Checks, Check{Step: len(q.Steps) - 1, Out: out, IO: io, Line: line})
	}
}
