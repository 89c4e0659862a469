package rp2040

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"utfbench/transport"
)

// cases.py is an assembler loop that generates the cases of a sweep on an RP2040. There only one bank of registers
// exists, and the cycles of each instruction are known (Cortex-M0+ technical reference manual, 3.3). Other boards use
// program.py.
//
//go:embed cases.py
var casesProgram []byte

// A maker describes how a board generates cases.
type maker struct {
	assembler bool
	uo, uio   int // cycles to gather them from the levels of the pins
}

// beginCases sends cases.py on first use if the board is suitable. If the firmware rejects it or has too little memory,
// program.py remains in use.
func (t *Transport) beginCases(ctx context.Context) error {
	if t.maker != nil {
		return nil
	}
	t.maker = &maker{}
	if t.family.name != "RP2040" || !t.board.viper || wiring(t.pins).gathered() {
		return nil
	}
	text := wiring(t.pins).fillCases(casesProgram)
	if why, err := t.add(ctx, text); err != nil || why != "" {
		return err
	}
	f, err := t.exchange(ctx, kindCases, nil)
	if err != nil || len(f.payload) > 0 {
		return err
	}
	t.maker = &maker{true, len(wiring(t.pins).gather(transport.UO)), len(wiring(t.pins).gather(transport.UIO))}
	return t.paceMaker(ctx)
}

// Cycles of the loops of cases.py, and the minimum cycles outside the loops: from clk's rise to its fall; from there to
// the sample, without gathering uio; from a change of rst_n or ui to clk's rise or a change of uio, without gathering
// uo; from a change of uio on.
const (
	makerLoop                                     = 3
	makerHigh, makerLow, makerSettle, makerDriven = 5, 17, 20, 7

	cycle = time.Second / 125_000_000
)

// paceMaker sends cases.py its numbers of wait loops.
func (t *Transport) paceMaker(ctx context.Context) error {
	if t.maker == nil || !t.maker.assembler {
		return nil
	}
	loops := func(d time.Duration, base int) uint32 {
		cycles := int((d + cycle - 1) / cycle)
		return uint32(max(0, cycles-base+makerLoop-1) / makerLoop)
	}
	_, err := t.exchange(ctx, kindWords, words(wordMaker, loops(t.pulse, makerHigh),
		loops(t.pulse, makerLow+t.maker.uio), loops(t.settle, makerSettle+t.maker.uo), loops(t.settle, makerDriven)))
	return err
}

// fillCases inserts the wiring into cases.py.
func (w wiring) fillCases(program []byte) []byte {
	lines := func(bus int) string { return strings.Join(w.gather(bus), "\n    ") }
	return w.fill([]byte(strings.NewReplacer("_UO_IN_R0", lines(transport.UO), "_UIO_IN_R0", lines(transport.UIO)).
		Replace(string(program))))
}

// gather returns the instructions, one cycle each, that extract a bus's byte from the levels in r4 into r0.
func (w wiring) gather(bus int) (all []string) {
	pins := busPins(w, bus)
	for bit := 0; bit < len(pins); {
		n := 1 // pins in a row
		for bit+n < len(pins) && pins[bit+n] == pins[bit]+n {
			n++
		}
		into := "r1"
		if bit == 0 {
			into = "r0"
		}
		all = append(all, fmt.Sprintf("lsl(%s, r4, %d)", into, bankPins-pins[bit]-n),
			fmt.Sprintf("lsr(%s, %[1]s, %d)", into, bankPins-n))
		if bit > 0 {
			all = append(all, fmt.Sprintf("lsl(r1, r1, %d)", bit), "orr(r0, r1)")
		}
		bit += n
	}
	return all
}
