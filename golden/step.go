package golden

import (
	"fmt"
	"strconv"
	"strings"
)

// A Step is levels on all lines, clocks, and what has to show, for what no other operation says.
type Step struct {
	In, IO, Drive uint8 // ui, uio, and the uio lines that the bench drives
	Reset         bool
	Clocks        uint8
	Out, Bus      int16 // uo and uio after it; -1 for anything
}

// parseStep reads UI UIO OE RST CLK [uo=XX] [uio=XX].
func parseStep(rest string) (*Step, error) {
	usage := fmt.Errorf("%q: say step UI UIO OE RST CLK [uo=XX] [uio=XX], three bytes, the level of rst_n, the clocks from 0 to 255", rest)
	words := strings.Fields(rest)
	if len(words) < 5 || words[3] != "0" && words[3] != "1" {
		return nil, usage
	}
	var bytes [3]uint16
	for i := range bytes {
		var err error
		if bytes[i], err = parseByte(words[i]); err != nil {
			return nil, err
		}
	}
	clocks, err := strconv.ParseUint(words[4], 10, 8)
	if err != nil {
		return nil, usage
	}
	s := &Step{In: uint8(bytes[0]), IO: uint8(bytes[1]), Drive: uint8(bytes[2]), Reset: words[3] == "0", Clocks: uint8(clocks), Out: -1, Bus: -1}
	for _, w := range words[5:] {
		name, level, _ := strings.Cut(w, "=")
		b, err := parseByte(level)
		switch {
		case err != nil:
			return nil, err
		case name == "uo" && s.Out < 0:
			s.Out = int16(b)
		case name == "uio" && s.Bus < 0:
			s.Bus = int16(b)
		default:
			return nil, usage
		}
	}
	return s, nil
}
