package shim

import (
	"fmt"
	"strconv"
	"strings"

	"utfbench/tile/gates"
	"utfbench/transport"
)

// # Lines
//
// A simulation writes these lines; the shim reads the responses:
//
//	begin TOP         "begin" and the simulation's number, by which the shim recognises lines for an earlier one
//	N C R UI UIO      an exchange of simulation N: see parse; the response holds the shim's outputs
//	N C R UI UIO OE UO IO
//	                  an exchange ahead of the chip, with the outputs of the tile's Verilog before it; no response
//	N look            "same", unless the chip has differed
//	N low             ena is low at the rising edge of clk that follows; no response

// end is the line that stops Serve. A Test writes it after all lines of its simulations.
const end = "end"

// An oddLine is the error for a line that no shim writes.
type oddLine string

func (l oddLine) Error() string {
	return fmt.Sprintf("the simulation sent %.60q, which no shim does, unless two write at once: "+
		"is the tile in it twice?", string(l))
}

// begins is the prefix of the first line of a simulation.
const begins = "begin "

// A request is a parsed line of the protocol.
type request struct {
	gates.StepX
	simulation       int
	ahead, look, low bool
	copy             outputs // the copy's outputs before the exchange if the simulation is ahead
}

// parse parses a line: the simulation's number, then whether clk has risen, rst_n and the buses, in digits 0, 1, x, z.
func parse(line string) (a request, err error) {
	number, rest, _ := strings.Cut(line, " ")
	if a.simulation, err = strconv.Atoi(number); err != nil {
		return a, oddLine(line)
	}
	words := strings.Fields(rest)
	if a.look, a.low = rest == "look", rest == "low"; a.look || a.low {
		return a, nil
	}
	if len(words) != 4 && len(words) != 7 {
		return a, oddLine(line)
	}
	var bits [7]level
	for i, word := range words {
		size := 8
		if i < 2 {
			size = 1
		}
		var ok bool
		if bits[i], ok = levels(word, size); !ok {
			return a, oddLine(line)
		}
	}
	a.Step = transport.Step{Clocks: bits[0].level, In: bits[2].level, IO: bits[3].level, Drive: ^bits[3].unknown,
		Reset: bits[1].level == 0}
	a.InX, a.ResetX = bits[2].unknown, bits[1].unknown != 0
	a.ahead, a.copy = len(words) == 7, outputs{enable: bits[4], uo: bits[5], uio: bits[6]}
	return a, nil
}

// A level holds the levels of up to eight lines.
type level struct{ level, unknown uint8 }

func levels(word string, size int) (l level, ok bool) {
	if len(word) != size {
		return l, false
	}
	for _, c := range word {
		l.level, l.unknown = l.level<<1, l.unknown<<1
		switch c {
		case '0':
		case '1':
			l.level |= 1
		case 'x', 'X', 'z', 'Z':
			l.unknown |= 1
		default:
			return l, false
		}
	}
	return l, true
}
