package fault

import (
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"utfbench/transport"
)

// Wires simulates the connection between the bench and a chip: 26 lines, each a bit in a mask, some of them faulty. It
// is not safe for concurrent use.
//
// A line has two ends. Each may be driven by its own side; the faults determine the level at the other end.
type Wires struct {
	Pull              transport.Pull // on undriven lines at the bench's end
	Pulse, SettleTime time.Duration  // duration of each half of a clock pulse, and time for which levels settle
	Exact             bool           // all times below a limit miss it; otherwise misses just below it are random

	chip  Chip
	flops Registers        // the chip, if a register bit is stuck
	async AsynchronousChip // the chip, if it is asynchronous

	stuck, stuckHigh uint32
	cut              uint32 // cut lines
	float, keep      uint32 // cut lines that float, or keep their level
	low, high        uint32 // cut lines that are low or high at the chip's end
	inverted, late   uint32
	swaps            [][2]int
	bridges          []Fault
	chances          []chance // flips, and the levels of open:random lines

	or, andNot uint64 // stuck register bits

	slow   time.Duration // shortest period of clk
	setups []Fault
	holds  []Fault
	delays []delay
	timing *rand.Rand // random numbers for times near a limit

	// of one step:
	flipped, noise uint32
	lagging        uint32 // lines whose first edge gets the previous level

	// Whether only clock edges have an effect in phases that are not sampled: clk reaches the chip, and nothing else
	// changes a state. Omitting all but the edges halves the time of a step, and thus of a diagnosis.
	direct bool

	// kept between steps:
	clkHigh            bool          // at the chip's end
	keptBench, keptOwn Levels        // last driven levels of each end
	before             Levels        // earlier levels of late lines
	prior              Levels        // levels of the bench's ends in the previous step
	rested             time.Duration // additional time for which rst_n and ui settled while clk rested
	drove              uint8         // lines of uio that the bench drove in the previous step of a burst

	// of one burst:
	events  []shown         // in order
	sampled []time.Duration // time of each step's sample
}

type chance struct {
	mask uint32
	p    float64
	flip bool
	rng  *rand.Rand
}

// New connects wires with faults to a chip. The seed is for random faults without one of their own.
func New(chip Chip, faults []Fault, seed uint64) *Wires {
	w := &Wires{chip: chip, Pulse: DefaultTime, SettleTime: DefaultTime}
	if slices.ContainsFunc(faults, Fault.dependsOnSeed) {
		w.timing = rand.New(rand.NewPCG(seed, 1<<32))
	}
	w.async, _ = chip.(AsynchronousChip)
	for i, f := range faults {
		bit := uint32(1) << f.A
		own := seed
		if f.HasSeed {
			own = f.Seed
		}
		random := func() *rand.Rand { return rand.New(rand.NewPCG(own, uint64(i))) }
		switch f.Kind {
		case Register:
			w.stickBit(f)
		case Stuck:
			w.stuck |= bit
			if f.High {
				w.stuckHigh |= bit
			}
		case Cut:
			w.addCut(f.End, bit, random)
		case Inverted:
			w.inverted |= bit
		case Late:
			w.late |= bit
		case Flip:
			w.chances = append(w.chances, chance{bit, f.Probability, true, random()})
		case Swapped:
			w.swaps = append(w.swaps, [2]int{f.A, f.B})
		case BridgeAnd, BridgeOr:
			w.bridges = append(w.bridges, f)
		case Setup:
			w.setups = append(w.setups, f)
		case Hold:
			w.holds = append(w.holds, f)
		case Delay:
			w.delays = append(w.delays, delay{bit, f.Time, f.Jitter, random()})
		case Slow:
			w.slow = max(w.slow, f.Time)
		}
	}
	w.clkHigh = (w.stuck&w.stuckHigh|w.high)&MaskClk != 0 // so that clk never rises
	w.direct = w.keep == 0 && w.async == nil &&
		!slices.ContainsFunc(faults, func(f Fault) bool { return f.lines()&MaskClk != 0 })
	return w
}

func (w *Wires) stickBit(f Fault) {
	w.flops, _ = w.chip.(Registers)
	if w.flops == nil || !slices.Contains(w.flops.Bits(), f.Bit) {
		panic("fault " + f.String() + ": the chip has no such register bit") // Bits.Parse rejects it
	}
	bit := uint64(1) << slices.Index(w.flops.Bits(), f.Bit)
	if f.High {
		w.or |= bit
	} else {
		w.andNot |= bit
	}
}

func (w *Wires) addCut(open OpenEnd, bit uint32, random func() *rand.Rand) {
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
		w.chances = append(w.chances, chance{bit, 0.5, false, random()})
	}
}

// Chip returns the chip behind the wires.
func (w *Wires) Chip() Chip { return w.chip }

// Run applies steps in order and fills samples, which must be at least as long. Errors come from the chip.
func (w *Wires) Run(steps []transport.Step, samples []transport.Sample) error {
	for i := range steps {
		samples[i] = w.Step(steps[i])
	}
	if m, ok := w.chip.(FallibleChip); ok {
		return m.Err()
	}
	return nil
}

// Close releases the chip's resources.
func (w *Wires) Close() error {
	if c, ok := w.chip.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Step applies a step in the order of package transport: levels, pulses, sample.
func (w *Wires) Step(s transport.Step) transport.Sample {
	w.roll()
	bench, drive := benchOf(s)
	held := w.lingering(s, drive)
	var seen Levels
	if s.Clocks == 0 || !w.direct {
		seen = w.phase(bench.with(w.prior, held), drive|held)
	}
	edge := bench.with(w.prior, w.lagging)
	for range s.Clocks {
		if !w.missed(2*w.Pulse, w.slow) {
			w.rise(edge.with(Levels{V: MaskClk}, MaskClk), drive, held)
		}
		held = 0
		seen, edge = w.phase(bench, drive), bench
	}
	w.prior = bench.with(Levels{X: ^drive}, ^drive)
	now := seen
	seen, w.before = now.with(w.before, w.late|w.tooLate(s)), now
	return sampleOf(seen)
}

// rise applies the first half of a clock pulse, in which the bench releases the held lines.
func (w *Wires) rise(high Levels, drive, held uint32) {
	before := high.with(w.prior, held)
	if w.direct {
		toChip, _ := w.settle(before, drive|held)
		w.edge(toChip)
		return
	}
	w.phase(before, drive|held)
	if held != 0 {
		w.phase(high, drive)
	}
}

// lingering returns the lines of uio that the bench still drives at the first edge of a step.
func (w *Wires) lingering(s transport.Step, drive uint32) uint32 {
	if !s.Linger || s.Clocks == 0 {
		return 0
	}
	return MaskUIO &^ (drive | w.prior.X)
}

// benchOf returns the bench's levels in a step, with clk low, and the driven lines.
func benchOf(s transport.Step) (bench Levels, drive uint32) {
	bench = Levels{V: uint32(s.In) | uint32(s.IO&s.Drive)<<UIO}
	if !s.Reset {
		bench.V |= MaskRst
	}
	return bench, MaskUI | MaskClk | MaskRst | uint32(s.Drive)<<UIO
}

func sampleOf(seen Levels) transport.Sample {
	return transport.Sample{
		Out: uint8(seen.V >> UO), OutX: uint8(seen.X >> UO),
		IO: uint8(seen.V >> UIO), IOX: uint8(seen.X >> UIO),
	}
}

// roll decides, once per step, whether random faults act.
func (w *Wires) roll() {
	w.flipped, w.noise, w.lagging = 0, 0, 0
	for _, f := range w.setups {
		settled := w.SettleTime
		if MaskUIO>>f.A&1 == 0 {
			settled += w.rested
		}
		if w.missed(settled, f.Time) {
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

// ApplyLevels sets the lines in drive, which may include clk, for a fake that changes pins one at a time. It returns
// the levels at the bench's ends.
func (w *Wires) ApplyLevels(levels, drive uint32) (seen Levels) {
	return w.phase(Levels{V: levels & drive}, drive)
}

// phase sets the levels at the bench's ends, updates the chip, also at clock edges, and returns the levels to be read.
func (w *Wires) phase(bench Levels, drive uint32) Levels {
	toChip, toBench := w.settle(bench, drive)
	if w.async != nil {
		w.async.Settle(toChip)
		toChip, toBench = w.settle(bench, drive)
	}
	if w.edge(toChip) {
		_, toBench = w.settle(bench, drive)
	}
	return toBench
}

// edge applies a clock edge if clk rises at the chip or is unknown there, and reports whether it rises.
func (w *Wires) edge(toChip Levels) (rises bool) {
	if toChip.X&MaskClk != 0 {
		w.chip.ClockEdge(toChip)
		return false
	}
	rises = toChip.V&MaskClk != 0 && !w.clkHigh
	w.clkHigh = toChip.V&MaskClk != 0
	if rises {
		w.chip.ClockEdge(toChip)
		if w.flops != nil {
			w.flops.SetRegisters(w.flops.Registers()&^w.andNot | w.or)
		}
	}
	return rises
}
