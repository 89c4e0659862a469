package utf

import (
	"context"
	"math/rand/v2"

	"utfbench/model"
	"utfbench/transport"
)

// values lists the values that WiringSteps writes as UTF-32. Together they drive each uio line to both levels in each
// of four bytes, walk a one and a zero along the bus, and set every flag of the status and the properties.
var values = []uint32{0x00000041, 0x0010FFFF, 0x000155AA, 0x0000AA55, 0x00010204, 0x00081020, 0x00004080,
	0x000E7FBF, 0x0000DFEF,
	0x0000F7FB, 0x0000FDFE, 0x0000D83D, 0x00000000, 0x7FFFFFFF, 0x00110000, 0x0000E000, 0xFFFFFFFF, 0x000003C0}

// WiringSteps implements tile.WiringTester. ERRS, CHK and READ act without a clock, so ui and uo can be tested through
// the chip before clk is known to work. A value written and read as UTF-32 drives each uio line to both levels in both
// directions. Each part begins with a reset.
func (t Tile) WiringSteps(context.Context) ([]transport.Step, error) {
	q := NewSequence()
	for i, v := range values {
		q.Reset()
		if i%2 != 0 {
			q.Set(model.CBE, 0)
		}
		q.Write(UTF32, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
		look(q)
		q.Read(UTF32, 4)
		q.Read(UTF16, 3)
		q.Rewind()
		q.Read(UTF8, 4)
		q.Set(model.CBE, model.CBE)
	}
	q.Reset()
	q.Write(UTF8, 0xF0, 0x9F, 0x98)
	look(q)
	q.Write(UTF8, 0x80)
	look(q)
	q.Read(UTF16, 4)
	q.Reset()
	q.Write(UTF16, 0xD8, 0x3D, 0xDE)
	look(q)
	q.Write(UTF16, 0x00)
	look(q)
	q.Read(UTF8, 4)
	q.Reset()
	return append(q.Steps, chance(300)...), nil
}

// chance returns random legal steps, always the same ones, for unforeseen cases such as several strobes or clocks
// without a strobe. The bench drives all of uio while READ is low, and only then.
func chance(n int) (steps []transport.Step) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range n {
		a, b := rng.Uint32(), rng.Uint32() // three of four bits are high, so that few strobes are low together
		s := transport.Step{In: uint8(a | b), Clocks: uint8(rng.IntN(2)), Reset: rng.IntN(20) == 0}
		if s.In&model.READ == 0 {
			s.IO, s.Drive = uint8(rng.Uint32()), 0xFF
		}
		steps = append(steps, s)
	}
	return steps
}

// look changes every input that acts without a clock: ERRS, which selects the page, CHK, and READ, which turns the bus.
func look(q *Sequence) {
	q.ShowStatus()
	q.Set(model.CHK, 0)
	q.ShowProperties()
	q.Set(model.CHK, model.CHK)
	q.ShowProperties()
	q.Set(model.READ, 0)
	q.Set(model.READ, model.READ)
}
