package rtl

import (
	"fmt"
	"strings"

	"utfbench/tile"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// clashes gives, for each step, the lines of uio that bench and chip would both drive during it, in one state or
// another.
func (t *Tile) clashes(steps []transport.Step) ([]uint8, error) {
	both := make([]uint8, len(steps))
	err := t.ask(&t.usual, steps, func(at int, views []verilog.View) {
		for i, v := range views {
			both[at+i] = v.Both
		}
	})
	return both, err
}

// Lint implements tile.Tile: the reference says who drives uio at each step. A line that nobody drives does no harm,
// since what a chip makes of it is unknown.
func (t *Tile) Lint(steps []transport.Step) error {
	both, err := t.clashes(steps)
	if err != nil {
		return err
	}
	for i, lines := range both {
		if lines != 0 {
			return &tile.Illegal{Step: i, Why: fmt.Sprintf("bench and chip would both drive %s: the design's uio_oe "+
				"has them as outputs there, and the bench must not drive %02X",
				strings.Join((transport.Outputs(lines)<<8).Names(), ", "), lines)}
		}
	}
	return nil
}

// Turns implements tile.Turner.
func (t *Tile) Turns() uint8 { return t.may &^ t.always }

// Turn implements tile.Turner. Each round takes the bench off the lines of the first step at which both would drive,
// after which the steps that follow may be others: so there are as many rounds as such steps.
func (t *Tile) Turn(steps []transport.Step) error {
	for i := range steps {
		steps[i].Drive &^= t.always
	}
	for {
		both, err := t.clashes(steps)
		if err != nil {
			return err
		}
		first := -1
		for i, lines := range both {
			if lines != 0 {
				steps[i].Drive &^= lines
				first = i
				break
			}
		}
		if first < 0 {
			return nil
		}
	}
}
