package utf

import (
	"fmt"

	"utfbench/model"
	"utfbench/tile"
	"utfbench/transport"
)

// Probes implements tile.Prober.
func (t Tile) Probes() []tile.Probe {
	return []tile.Probe{
		{Name: "chip answers", Steps: steps(answers), Guess: guessAnswers},
		{Name: "clock and reset", Steps: steps(clockAndReset), Guess: guessClock},
		{Name: "bus turn-around", Steps: steps(turnAround)},
	}
}

func steps(of func(q *Sequence)) []transport.Step {
	q := NewSequence()
	of(q)
	return q.Steps
}

// answers tests both pages in both directions after a reset, and CHK. All but the reset acts without a clock.
func answers(q *Sequence) {
	q.Reset()
	for _, levels := range []uint8{model.Idle, model.Idle &^ model.ERRS, model.Idle &^ model.READ,
		model.Idle &^ model.CHK} {
		q.Set(0xFF, levels)
	}
}

func guessAnswers(got, _ []transport.Sample) string {
	if text := constant(got); text != "" {
		return text + ", so no chip responds: is it powered, is the design selected, does rst_n reach it?"
	}
	return ""
}

// constant describes outputs that never change, or returns "".
func constant(got []transport.Sample) string {
	for _, s := range got[1:] {
		if s.Out != got[0].Out || s.OutX != 0 {
			return ""
		}
	}
	return fmt.Sprintf("uo is always %s", tile.Binary(got[0].Out, 0))
}

// clockAndReset changes the status by a byte at a clock edge, and not before, and then by a reset.
func clockAndReset(q *Sequence) {
	q.Reset()
	q.Offer(UTF8, 'A')
	q.Look()
	q.Write(UTF8, 'A')
	q.Look()
	q.Hold(true)
	q.Look()
	q.Hold(false)
	q.Look()
	q.Reset()
	q.Look()
}

// Indices of steps in clockAndReset.
const (
	beforeClock = 2
	afterClock  = 4
	afterReset  = 8
)

func guessClock(got, want []transport.Sample) string {
	switch {
	case got[afterClock].Out == got[beforeClock].Out:
		return "a byte at a clock edge changes nothing: does clk reach the chip?"
	case got[afterClock].Out == want[afterClock].Out && got[afterReset].Out == got[afterClock].Out:
		return "a reset changes nothing: does rst_n reach the chip?"
	case got[beforeClock].Out == want[afterClock].Out:
		return "a byte was taken without a clock edge: is something else clocking the chip?"
	}
	return ""
}

// turnAround writes a value by UTF-32 and reads it back: each uio line carries both levels both ways.
func turnAround(q *Sequence) {
	q.Reset()
	q.Write(UTF32, 0x00, 0x0F, 0x55, 0xAA)
	q.Look()
	q.Read(UTF32, 4)
	q.Look()
}
