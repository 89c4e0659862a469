package golden

import (
	"fmt"
	"strconv"
	"strings"

	"utfbench/transport"
)

// stepUsage says how a step is written.
const stepUsage = "say step UI UIO OE RST CLK [uo=XX] [uio=XX], three bytes, the level of rst_n, the " +
	"clocks from 0 to 255"

// step adds UI UIO OE RST CLK [uo=XX] [uio=XX]: a step as it stands, for what no other operation says. The lint says
// whether it may reach a chip.
func (q *Sequence) step(rest string, line int) error {
	usage := fmt.Errorf("%q: %s", rest, stepUsage)
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
	var out, io Bits
	for _, w := range words[5:] {
		name, level, _ := strings.Cut(w, "=")
		b, err := ParseByte(level)
		switch {
		case err != nil:
			return err
		case name == "uo" && out.Mask == 0:
			out = Bits{0xFF, b}
		case name == "uio" && io.Mask == 0:
			io = Bits{0xFF, b}
		default:
			return usage
		}
	}
	q.Steps = append(q.Steps, transport.Step{In: bytes[0], IO: bytes[1], Drive: bytes[2], Reset: words[3] == "0",
		Clocks: uint8(clocks)})
	q.Expect(out, io, line)
	return nil
}

// ParseHex reads exactly n upper-case hexadecimal digits.
func ParseHex(s string, n int) (uint32, error) {
	u, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != n || s != strings.ToUpper(s) || s[0] == '+' {
		return 0, fmt.Errorf("%q is not %d upper-case hexadecimal digits", s, n)
	}
	return uint32(u), nil
}

// ParseByte reads two upper-case hexadecimal digits.
func ParseByte(s string) (uint8, error) {
	b, err := ParseHex(s, 2)
	return uint8(b), err
}
