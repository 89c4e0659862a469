package fault

import (
	"math/rand/v2"
	"sort"
	"time"

	"utfbench/transport"
)

// shown holds the levels at the bench's ends from a time on, without delays.
type shown struct {
	at     time.Duration
	levels Levels
}

// A delay delays some of the chip's output lines.
type delay struct {
	mask         uint32
	time, jitter time.Duration
	rng          *rand.Rand
}

func (w *Wires) lateness(d *delay) time.Duration {
	if d.jitter == 0 {
		return d.time
	}
	return d.time + time.Duration(d.rng.Int64N(int64(2*d.jitter)+1)) - d.jitter
}

// Burst applies steps at speed, in the order of transport.Burster. A line without a delay follows the chip at once.
func (w *Wires) Burst(steps []transport.Step, samples []transport.Sample, t transport.Timing) error {
	settled, pulse := w.SettleTime, w.Pulse
	defer func() { w.SettleTime, w.Pulse, w.rested = settled, pulse, 0 }()
	w.SettleTime, w.Pulse = t.Lead, t.Period/2
	w.events = append(w.events[:0], shown{-time.Hour, w.before}) // the state before the burst
	edge := t.Lead                                               // time of the first edge
	for i := range steps {
		edge = w.play(steps[i:], edge, t)
		w.sampled = append(w.sampled[:i], edge+t.Sample)
		edge += t.Period
	}
	for i := range steps {
		seen := w.shownAt(w.sampled[i])
		now := seen
		seen, w.before = now.with(w.before, w.late), now
		samples[i] = sampleOf(seen)
	}
	w.before = w.events[len(w.events)-1].levels
	if m, ok := w.chip.(FallibleChip); ok {
		return m.Err()
	}
	return nil
}

// play applies the first step, with its first rising edge at edge or after a rest, and returns the time of the last.
func (w *Wires) play(steps []transport.Step, edge time.Duration, t transport.Timing) time.Duration {
	s := steps[0]
	if w.rested = 0; s.StartsDriving(w.drove) {
		w.rested = time.Duration(t.RestPeriods()) * t.Period
	}
	w.roll()
	bench, drive := benchOf(s)
	if w.rested > 0 {
		w.show(edge-t.Lead, w.phase(bench, drive&^(uint32(s.Drive&^w.drove)<<UIO)))
		edge += w.rested
	}
	w.show(edge-t.Lead, w.phase(bench, drive))
	w.drove = s.Drive
	seen := bench.with(w.prior, w.lagging) // levels at the first edge, and at later ones
	for n := range s.Clocks {
		if n > 0 {
			edge += t.Period
		}
		if n == s.Clocks-1 && len(steps) > 1 {
			next, _ := benchOf(steps[1])
			seen = seen.with(next, w.fleeting(t.HoldTime()))
		}
		if !w.missed(t.Period, w.slow) {
			w.show(edge, w.phase(seen.with(Levels{V: MaskClk}, MaskClk), drive))
		}
		w.show(edge+t.HoldTime(), w.phase(bench, drive)) // after a sample that is taken when clk falls
		seen = bench
	}
	w.prior = bench.with(Levels{X: ^drive}, ^drive)
	return edge
}

// fleeting returns the lines whose hold time exceeds the time for which levels stay after an edge.
func (w *Wires) fleeting(stay time.Duration) (lines uint32) {
	for _, f := range w.holds {
		if w.missed(stay, f.Time) {
			lines |= 1 << f.A
		}
	}
	return lines
}

func (w *Wires) show(at time.Duration, levels Levels) {
	w.events = append(w.events, shown{at, levels})
}

// shownAt returns the levels at the bench's ends at the given time.
func (w *Wires) shownAt(at time.Duration) Levels {
	seen := w.last(at)
	for i := range w.delays {
		d := &w.delays[i]
		seen = seen.with(w.last(at-w.lateness(d)), d.mask)
	}
	return seen
}

// last returns the levels of the last event at or before the given time.
func (w *Wires) last(at time.Duration) Levels {
	n := sort.Search(len(w.events), func(i int) bool { return w.events[i].at > at })
	return w.events[max(0, n-1)].levels
}

// tooLate returns the lines whose delay exceeds the time until a step's sample: a whole clock pulse, or SettleTime.
func (w *Wires) tooLate(s transport.Step) (lines uint32) {
	left := w.SettleTime
	if s.Clocks > 0 {
		left = 2 * w.Pulse
	}
	for i := range w.delays {
		if d := &w.delays[i]; w.lateness(d) > left {
			lines |= d.mask
		}
	}
	return lines
}
