package mock

import (
	"math/rand/v2"
	"time"

	"utfbench/model"
	"utfbench/transport"
)

// wires is what lies between the bench and a chip: 26 lines, each a bit in a mask, some of them faulty.
//
// A line has two ends. Each end may be driven by its own side; what the other end sees goes through the faults.
type wires struct {
	chip *model.Chip

	stuck, stuckHigh uint32
	cut              uint32 // the ends do not touch
	float, keep      uint32 // of the cut lines
	low, high        uint32 // of the cut lines, at the chip's end
	inverted, late   uint32
	swaps            [][2]int
	bridges          []Fault
	chances          []chance // flips, and the levels of open:random lines

	or, andNot uint64 // register bits stuck
	slow       time.Duration
	setups     []Fault
	timing     *rand.Rand // near a limit

	pulse, settled time.Duration // what the knobs say

	// For one step:
	flipped, noise uint32
	lagging        uint32 // lines of which the first edge sees the level before

	pull transport.Pull // at the bench's end, of lines that nobody drives

	// From step to step:
	clkHigh            bool  // at the chip's end
	keptBench, keptOwn level // what each end was driven to last
	before             level // what late lines would have shown
	prior              level // what the bench's ends had in the step before
}

// A level is three-valued: a bit set in x is unknown, and 0 in v.
type level struct{ v, x uint32 }

func (l level) only(mask uint32) level { return level{l.v & mask, l.x & mask} }

// with takes the bits in mask from m.
func (l level) with(m level, mask uint32) level {
	return level{l.v&^mask | m.v&mask, l.x&^mask | m.x&mask}
}

func (l level) invert(mask uint32) level { return level{(l.v ^ mask) &^ l.x, l.x} }

type chance struct {
	mask uint32
	p    float64
	flip bool
	rng  *rand.Rand
}

const (
	maskUI  uint32 = 0xFF << lineUI
	maskUO  uint32 = 0xFF << lineUO
	maskUIO uint32 = 0xFF << lineUIO
	maskClk uint32 = 1 << lineClk
	maskRst uint32 = 1 << lineRst
)

func newWires(chip *model.Chip, faults []Fault, seed uint64) *wires {
	w := &wires{chip: chip, timing: rand.New(rand.NewPCG(seed, 1<<32)), pulse: DefaultTime, settled: DefaultTime}
	for i, f := range faults {
		bit := uint32(1) << f.A
		own := seed
		if f.HasSeed {
			own = f.Seed
		}
		rng := rand.New(rand.NewPCG(own, uint64(i)))
		switch f.Kind {
		case Register:
			if f.High {
				w.or |= 1 << f.A
			} else {
				w.andNot |= 1 << f.A
			}
		case Stuck:
			w.stuck |= bit
			if f.High {
				w.stuckHigh |= bit
			}
		case Cut:
			w.addCut(f.Loose, bit, rng)
		case Inverted:
			w.inverted |= bit
		case Late:
			w.late |= bit
		case Flip:
			w.chances = append(w.chances, chance{bit, f.P, true, rng})
		case Swapped:
			w.swaps = append(w.swaps, [2]int{f.A, f.B})
		case BridgeAnd, BridgeOr:
			w.bridges = append(w.bridges, f)
		case Setup:
			w.setups = append(w.setups, f)
		case Slow:
			w.slow = max(w.slow, f.Time)
		}
	}
	w.clkHigh = (w.stuck&w.stuckHigh|w.high)&maskClk != 0 // and so it never rises
	return w
}

func (w *wires) addCut(open Loose, bit uint32, rng *rand.Rand) {
	w.cut |= bit
	switch open {
	case Float:
		w.float |= bit
	case Keep:
		w.keep |= bit
	case Low:
		w.float, w.low = w.float|bit, w.low|bit
	case High:
		w.float, w.high = w.float|bit, w.high|bit
	case Random:
		w.chances = append(w.chances, chance{bit, 0.5, false, rng})
	}
}

// step is transport.Step's order: levels, pulses, sample.
func (w *wires) step(s transport.Step) transport.Sample {
	w.roll()
	bench := level{v: uint32(s.In) | uint32(s.IO&s.Drive)<<lineUIO}
	if !s.Reset {
		bench.v |= maskRst
	}
	drive := maskUI | maskClk | maskRst | uint32(s.Drive)<<lineUIO
	seen := w.phase(bench, drive)
	edge := bench.with(w.prior, w.lagging)
	for range s.Clocks {
		if !w.missed(w.pulse, w.slow) {
			w.phase(edge.with(level{v: maskClk}, maskClk), drive)
		}
		seen, edge = w.phase(bench, drive), bench
	}
	w.prior = bench.with(level{x: ^drive}, ^drive)
	seen, w.before = seen.with(w.before, w.late), seen
	return transport.Sample{
		Out: uint8(seen.v >> lineUO), OutX: uint8(seen.x >> lineUO),
		IO: uint8(seen.v >> lineUIO), IOX: uint8(seen.x >> lineUIO),
	}
}

// roll decides what chance decides, once a step.
func (w *wires) roll() {
	w.flipped, w.noise, w.lagging = 0, 0, 0
	for _, f := range w.setups {
		if w.missed(w.settled, f.Time) {
			w.lagging |= 1 << f.A
		}
	}
	for _, c := range w.chances {
		switch hit := c.rng.Float64() < c.p; {
		case hit && c.flip:
			w.flipped |= c.mask
		case hit:
			w.noise |= c.mask
		}
	}
}

// phase puts levels on the bench's ends, lets the chip see them, clock edge included, and returns what the bench sees.
func (w *wires) phase(bench level, drive uint32) level {
	toChip, toBench := w.settle(bench, drive)
	if toChip.x&maskClk != 0 {
		w.chip.Forget()
		return toBench
	}
	rises := toChip.v&maskClk != 0 && !w.clkHigh
	w.clkHigh = toChip.v&maskClk != 0
	if rises {
		w.edge(toChip)
		w.stick()
		_, toBench = w.settle(bench, drive)
	}
	return toBench
}

// settle finds the levels at both ends. A bridge between an input and an output is a loop; one that does not come to rest
// oscillates, and is unknown.
func (w *wires) settle(bench level, drive uint32) (toChip, toBench level) {
	toChip = w.permute(bench)
	for range 8 {
		own, ownDrive := w.drives(toChip)
		next, seen := w.connect(bench, drive, w.unpermute(own), w.unpermuteMask(ownDrive))
		next = w.permute(next)
		if next == toChip {
			return next, seen
		}
		next.x |= toChip.x // what was unknown once stays so, or a loop might never end
		next.v &^= next.x
		toChip, toBench = next, seen
	}
	toChip.x |= maskUI
	toChip.v &^= maskUI
	return toChip, toBench
}

// connect joins the ends of each line, in the bench's numbering.
func (w *wires) connect(bench level, drive uint32, own level, ownDrive uint32) (toChip, toBench level) {
	w.keptBench = w.keptBench.with(bench, drive)
	w.keptOwn = w.keptOwn.with(own, ownDrive)

	wire := join(bench, drive, own, ownDrive).with(w.pulled(), w.pulls()&^(drive|ownDrive))
	for _, f := range w.bridges {
		wire = bridge(wire, drive|ownDrive, f)
	}
	wire = wire.with(level{v: w.stuckHigh}, w.stuck)
	turned := w.inverted ^ w.flipped
	toChip = wire.with(wire.invert(turned), turned&drive&^ownDrive)
	toBench = wire.with(wire.invert(turned), turned&ownDrive&^drive)

	toChip = toChip.with(w.loose(w.keptOwn), w.cut).with(level{v: w.high}, w.low|w.high).with(own, w.cut&ownDrive)
	toBench = toBench.with(w.loose(w.keptBench), w.cut).with(w.pulled(), w.pulls()&w.float).with(bench, w.cut&drive)
	return toChip, toBench
}

// pulls are the lines that the pull acts on, and pulled their level.
func (w *wires) pulls() uint32 {
	if w.pull == transport.PullNone {
		return 0
	}
	return maskUO | maskUIO
}

func (w *wires) pulled() level {
	if w.pull == transport.PullUp {
		return level{v: maskUO | maskUIO}
	}
	return level{}
}

// loose is what the end of a cut line shows when its own side does not drive it.
func (w *wires) loose(kept level) level {
	return level{v: w.noise}.with(kept, w.keep).with(level{x: w.float}, w.float)
}

// join is a line with up to two drivers; two that differ, or none, leave it unknown.
func join(a level, aDrive uint32, b level, bDrive uint32) level {
	both := aDrive & bDrive
	l := a.only(aDrive&^bDrive).with(b, bDrive&^aDrive)
	clash := both & (a.v ^ b.v | a.x | b.x)
	l = l.with(a, both&^clash)
	l.x |= clash | ^(aDrive | bDrive)
	return l
}

// bridge joins two lines. A line that nobody drives follows the other.
func bridge(l level, driven uint32, f Fault) level {
	a, b := uint32(1)<<f.A, uint32(1)<<f.B
	var zeros, ones, unknown int
	for _, bit := range [...]uint32{a, b} {
		switch {
		case driven&bit == 0:
		case l.x&bit != 0:
			unknown++
		case l.v&bit != 0:
			ones++
		default:
			zeros++
		}
	}
	strong, weak, high := zeros, ones, uint32(0)
	if f.Kind == BridgeOr {
		strong, weak, high = ones, zeros, a|b
	}
	switch {
	case strong > 0:
		return l.with(level{v: high}, a|b)
	case unknown > 0 || weak == 0:
		return l.with(level{x: a | b}, a|b)
	}
	return l.with(level{v: ^high}, a|b)
}

func (w *wires) permute(l level) level {
	for _, s := range w.swaps {
		l = level{exchange(l.v, s), exchange(l.x, s)}
	}
	return l
}

func (w *wires) unpermute(l level) level {
	return level{w.unpermuteMask(l.v), w.unpermuteMask(l.x)}
}

func (w *wires) unpermuteMask(m uint32) uint32 {
	for i := len(w.swaps) - 1; i >= 0; i-- {
		m = exchange(m, w.swaps[i])
	}
	return m
}

// exchange swaps two bits.
func exchange(m uint32, pair [2]int) uint32 {
	d := (m>>pair[0] ^ m>>pair[1]) & 1
	return m ^ (d<<pair[0] | d<<pair[1])
}
