package golden

import (
	"fmt"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// stepUsage describes the syntax of a step.
const stepUsage = "say step UI UIO OE RST CLK [linger] [uo=XX[/MASK]] [uio=XX[/MASK]], three bytes, the level of " +
	"rst_n, the clocks from 0 to 255"

// StepText formats a step with its expected bits.
func StepText(s transport.Step, out, io Bits) string {
	rst := 1
	if s.Reset {
		rst = 0
	}
	text := fmt.Sprintf("step %02X %02X %02X %d %d", s.In, s.IO, s.Drive, rst, s.Clocks)
	if s.Linger {
		text += " " + linger
	}
	return text + bitsText(" uo=", out) + bitsText(" uio=", io)
}

func bitsText(name string, b Bits) string {
	switch b.Mask {
	case 0:
		return ""
	case 0xFF:
		return fmt.Sprintf("%s%02X", name, b.Level)
	}
	return fmt.Sprintf("%s%02X/%02X", name, b.Level&b.Mask, b.Mask)
}

// WriteVector writes a vector that is compared only with the reference. steps lack the implicit reset.
func WriteVector(b *strings.Builder, at int, title string, steps []transport.Step) {
	fmt.Fprintf(b, "\nvector %05d %q\n  expects reference\n", at+1, title)
	for _, s := range steps {
		fmt.Fprintf(b, "  %s\n", StepText(s, Bits{}, Bits{}))
	}
}

// linger is the keyword of a lingering step.
const linger = "linger"

// step adds a plain step, UI UIO OE RST CLK [linger] [uo=XX[/MASK]] [uio=XX[/MASK]]. The tile's lint checks it later.
func (q *Sequence) step(rest string, line int) error {
	usage := failure.Usagef("%q: %s", rest, stepUsage)
	words := strings.Fields(rest)
	if len(words) < 5 || words[3] != "0" && words[3] != "1" {
		return usage
	}
	var bytes [3]uint8
	for i := range bytes {
		var err error
		if bytes[i], err = ParseByte(words[i]); err != nil {
			return err
		}
	}
	clocks, err := strconv.ParseUint(words[4], 10, 8)
	if err != nil {
		return usage
	}
	reset := words[3] == "0"
	words = words[5:]
	lingers := len(words) > 0 && words[0] == linger
	if lingers {
		words = words[1:]
	}
	var out, io Bits
	for _, w := range words {
		name, level, _ := strings.Cut(w, "=")
		to := map[string]*Bits{"uo": &out, "uio": &io}[name]
		if to == nil || to.Mask != 0 {
			return failure.Usagef("%q after the clocks of a step: want linger, then uo=XX[/MASK] and uio=XX[/MASK], "+
				"each at most once; a newer bench may know more", w)
		}
		if *to, err = parseBits(level); err != nil {
			return err
		}
	}
	q.Steps = append(q.Steps, transport.Step{In: bytes[0], IO: bytes[1], Drive: bytes[2], Reset: reset,
		Clocks: uint8(clocks), Linger: lingers})
	q.Expect(out, io, line)
	return nil
}

// parseBits parses XX or XX/MASK. Without a mask all bits are expected; an empty mask is an error.
func parseBits(s string) (Bits, error) {
	level, mask, masked := strings.Cut(s, "/")
	if strings.ContainsAny(level, "xX") {
		return Bits{}, failure.Usagef("%q: a digit is 0 to F; bits that do not matter are 0 in a mask: 00/F0", s)
	}
	b := Bits{Mask: 0xFF}
	var err error
	if b.Level, err = ParseByte(level); err != nil || !masked {
		return b, err
	}
	if b.Mask, err = ParseByte(mask); err == nil && b.Mask == 0 {
		err = failure.Usagef("%q: an empty mask checks nothing", s)
	}
	return b, err
}

// ParseHex parses exactly n upper-case hexadecimal digits.
func ParseHex(s string, n int) (uint32, error) {
	u, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != n || s != strings.ToUpper(s) || s[0] == '+' {
		return 0, failure.Usagef("%q is not %d upper-case hexadecimal digits", s, n)
	}
	return uint32(u), nil
}

// ParseByte parses two upper-case hexadecimal digits.
func ParseByte(s string) (uint8, error) {
	b, err := ParseHex(s, 2)
	return uint8(b), err
}

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

// Fails reports whether a sample fails a checkpoint.
func (c *Check) Fails(s *transport.Sample) bool { return c.FailedLines(s) != 0 }

// FailedLines returns the lines on which a sample fails a checkpoint.
func (c *Check) FailedLines(s *transport.Sample) transport.Outputs {
	return s.Differ(c.Sample())
}

// Sample returns a sample with the expected levels; all other bits are unknown.
func (c *Check) Sample() transport.Sample {
	return transport.Sample{Out: c.Out.Level, OutX: ^c.Out.Mask, IO: c.IO.Level, IOX: ^c.IO.Mask}
}

// Expect adds a checkpoint of uo and uio after the last step, unless both masks are empty.
func (q *Sequence) Expect(out, io Bits, line int) {
	if out.Mask|io.Mask != 0 {
		q.Checks = append(q.Checks, Check{Step: len(q.Steps) - 1, Out: out, IO: io, Line: line})
	}
}
