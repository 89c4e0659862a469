package golden

import "utfbench/transport"

// A Sequence holds steps with checkpoints.
type Sequence struct {
	Steps  []transport.Step
	Checks []Check // in the order of the steps
}

// A Check is a checkpoint: expected bits of a sample.
type Check struct {
	Step    int // index in the sequence
	Out, IO Bits
	Line    int // in the suite's file
}

// Bits holds the levels of the lines set in Mask.
type Bits struct{ Mask, Level uint8 }

// Missed reports whether a sample fails a checkpoint.
func (c *Check) Missed(s *transport.Sample) bool { return c.Misses(s) != 0 }

// Misses returns the lines on which a sample fails a checkpoint.
func (c *Check) Misses(s *transport.Sample) transport.Outputs {
	return s.Differ(c.Sample())
}

// Sample returns the expected levels, and unknown ones elsewhere.
func (c *Check) Sample() transport.Sample {
	return transport.Sample{Out: c.Out.Level, OutX: ^c.Out.Mask, IO: c.IO.Level, IOX: ^c.IO.Mask}
}

// Expect adds a checkpoint on uo and uio after the last step, unless it expects nothing.
func (q *Sequence) Expect(out, io Bits, line int) {
	if out.Mask|io.Mask != 0 {
		q.Checks = append(q.Checks, Check{Step: len(q.Steps) - 1, Out: out, IO: io, Line: line})
	}
}
