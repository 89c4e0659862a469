package tile

import (
	"context"
	"fmt"
	"strings"

	"utfbench/transport"
)

// Signature implements Recogniser: ui on uo while in reset, then the counter on uo and uio.
func (FactoryTest) Signature() Probe {
	var steps []transport.Step
	for _, ui := range factoryPatterns() {
		steps = append(steps, transport.Step{In: ui, Reset: true})
	}
	steps = append(steps, transport.Step{Reset: true, Clocks: 1}, transport.Step{In: factorySelect})
	for range 20 {
		steps = append(steps, transport.Step{In: factorySelect, Clocks: 1})
	}
	return Probe{Steps: steps, Guess: guessFactory}
}

// factoryPatterns returns levels of eight lines: all low, all high, alternating, a walking one, and a walking zero.
func factoryPatterns() []uint8 {
	all := []uint8{0x00, 0xFF, 0x55, 0xAA}
	for bit := range 8 {
		all = append(all, 1<<bit, ^uint8(1<<bit))
	}
	return all
}

// IsSimilar implements Recogniser.
func (FactoryTest) IsSimilar(lines transport.Outputs) bool { return lines.Count() <= 2 }

// CombinationalInputs implements Recogniser. There are none, since no check of them would exclude all other designs.
func (FactoryTest) CombinationalInputs() uint8 { return 0 }

// RevisionSteps implements Recogniser.
func (FactoryTest) RevisionSteps() []transport.Step { return nil }

func guessFactory(got, want []transport.Sample) string {
	lines := transport.Differ(got, want)
	if lines.Count() <= 2 {
		return "nothing but " + strings.Join(lines.Names(), " and ") + " differs, as with a bad wire"
	}
	for _, s := range got[1:] {
		if s.Out != got[0].Out || s.OutX != 0 {
			return ""
		}
	}
	return fmt.Sprintf("uo is always %s: is the chip powered, and is its number 1 selected?", Binary(got[0].Out, 0))
}

// WiringSteps implements WiringTester. Each line carries both levels, in each of its directions, with each neighbour at
// either level. The counter tests clk and rst_n, and wraps around once so that each of its bits rises and falls.
func (FactoryTest) WiringSteps(context.Context) ([]transport.Step, error) {
	steps := []transport.Step{{Reset: true, Clocks: 1}}
	for _, b := range factoryPatterns() {
		steps = append(steps, transport.Step{In: b, Reset: true})
	}
	for _, b := range factoryPatterns() {
		steps = append(steps, transport.Step{IO: b, Drive: 0xFF},
			transport.Step{In: ^factorySelect, IO: ^b, Drive: 0xFF})
	}
	steps = append(steps, transport.Step{Reset: true, Clocks: 1}, transport.Step{In: factorySelect},
		transport.Step{In: factorySelect, Clocks: 1})
	for range 256 {
		steps = append(steps, transport.Step{In: factorySelect, Clocks: 1})
	}
	for _, n := range []uint8{1, 2, 3, 5, 8, 13, 21, 34, 55, 89} {
		steps = append(steps, transport.Step{In: factorySelect, Reset: true}, transport.Step{In: 0xFF, Clocks: n},
			transport.Step{In: factorySelect, Clocks: n}, transport.Step{IO: n, Drive: 0xFF, Clocks: n},
			transport.Step{In: factorySelect})
	}
	return append(steps, transport.Step{Reset: true, Clocks: 1}), nil
}
