package wiring

import (
	"math/rand/v2"

	"utfbench/diagnose"
	"utfbench/driver"
	"utfbench/golden"
	"utfbench/model"
	"utfbench/transport"
)

// values are written as UTF-32. Together they send each uio line both levels at each of four bytes, walk a one and a zero
// along the bus, and raise every flag of the status and the properties.
var values = []uint32{0x00000041, 0x0010FFFF, 0x000155AA, 0x0000AA55, 0x00010204, 0x00081020, 0x00004080, 0x000E7FBF, 0x0000DFEF,
	0x0000F7FB, 0x0000FDFE, 0x0000D83D, 0x00000000, 0x7FFFFFFF, 0x00110000, 0x0000E000, 0xFFFFFFFF, 0x000003C0}

// sequence are the steps. Each part begins with a reset.
func sequence() []transport.Step {
	var q driver.Sequence
	q.Clear()
	for i, v := range values {
		q.Reset()
		if i%2 != 0 {
			q.Set(model.CBE, 0)
		}
		q.Write(golden.UTF32, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
		look(&q)
		q.Read(golden.UTF32, 4)
		q.Read(golden.UTF16, 3)
		q.Rewind()
		q.Read(golden.UTF8, 4)
		q.Set(model.CBE, model.CBE)
	}
	q.Reset()
	q.Write(golden.UTF8, 0xF0, 0x9F, 0x98)
	look(&q)
	q.Write(golden.UTF8, 0x80)
	look(&q)
	q.Read(golden.UTF16, 4)
	q.Reset()
	q.Write(golden.UTF16, 0xD8, 0x3D, 0xDE)
	look(&q)
	q.Write(golden.UTF16, 0x00)
	look(&q)
	q.Read(golden.UTF8, 4)
	q.Reset()
	return append(q.Steps, chance(300)...)
}

// chance are legal steps by chance, the same each time, for what nobody thought of: strobes together, clocks without one.
// The bench drives uio while READ is low, all of it, and never else.
func chance(n int) (steps []transport.Step) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range n {
		a, b := rng.Uint32(), rng.Uint32() // three bits of four are high, so that few strobes are low at once
		s := transport.Step{In: uint8(a | b), Clocks: uint8(rng.IntN(2)), Reset: rng.IntN(20) == 0}
		if s.In&model.READ == 0 {
			s.IO, s.Drive = uint8(rng.Uint32()), 0xFF
		}
		steps = append(steps, s)
	}
	return steps
}

// look turns what acts without a clock: both pages, CHK, and the direction of the bus.
func look(q *driver.Sequence) {
	q.Status()
	q.Set(model.CHK, 0)
	q.Properties()
	q.Set(model.CHK, model.CHK)
	q.Properties()
	q.Set(model.READ, 0)
	q.Set(model.READ, model.READ)
}

// shown is what of a sample the chip alone drives.
func shown(s transport.Step, got transport.Sample) transport.Sample {
	if s.In&model.READ == 0 {
		got.IO, got.IOX = 0, 0
	}
	return got
}

// each is whether see holds for every step of every pass. Begin is called before each pass: pulls differ between them.
func each(passes []diagnose.Pass, begin func(), see func(s transport.Step, got transport.Sample) bool) bool {
	for _, p := range passes {
		begin()
		for i, s := range p.Steps {
			if !see(s, shown(s, p.Got[i])) {
				return false
			}
		}
	}
	return true
}

// unknown: no line of uo is ever a level, as in a simulation.
func unknown(passes []diagnose.Pass) bool {
	return each(passes, func() {}, func(_ transport.Step, got transport.Sample) bool { return got.OutX == 0xFF })
}

// silent: uo is always the same.
func silent(passes []diagnose.Pass) bool {
	var first *transport.Sample
	return each(passes, func() { first = nil }, func(_ transport.Step, got transport.Sample) bool {
		if first == nil {
			first = &got
		}
		return got.Out == first.Out && got.OutX == first.OutX
	})
}

// frozen: the same ui always shows the same.
func frozen(passes []diagnose.Pass) bool {
	var before map[uint8]transport.Sample
	return each(passes, func() { before = map[uint8]transport.Sample{} }, func(s transport.Step, got transport.Sample) bool {
		old, ok := before[s.In]
		before[s.In] = got
		return !ok || old == got
	})
}

// unreset: resets end in different states.
func unreset(passes []diagnose.Pass) bool {
	var first *transport.Sample
	return !each(passes, func() { first = nil }, func(s transport.Step, got transport.Sample) bool {
		if !s.Reset || s.Clocks == 0 || s.In != model.Idle {
			return true
		}
		if first == nil {
			first = &got
		}
		return first.Out == got.Out
	})
}
