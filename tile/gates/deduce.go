package gates

import (
	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

var _ tile.Deducer = (*Tile)(nil)

// A deducer deduces levels from a chip's samples.
type deducer struct {
	chip  *Chip
	cases *sim.Cases
	lines transport.Outputs // lines that may be deduced
	frame Frame
}

func (t *Tile) newDeducer() *deducer {
	d := t.Design
	c := d.NewChip(nil)
	cases := sim.NewCases(c.m, append(d.uo[:], d.uio[:]...))
	may, _ := t.DrivenUIO()
	return &deducer{chip: c, cases: cases,
		lines: transport.Outputs(cases.AssumableOutputs()) & (transport.Outputs(may)<<8 | 0xFF)}
}

func (t *Tile) Deduce(steps []transport.Step, got, want []transport.Sample) (found tile.Deduction) {
	d := t.deducing.Get().(*deducer)
	defer t.deducing.Put(d)
	last := d.last(steps, want)
	if last > 0 {
		d.start(last)
	}
	for i := range last {
		bits, more := d.step(&steps[i], got[i], &want[i])
		if found.Bits += bits; !more {
			return found
		}
	}
	found.CutShort = last > 0 && d.cases.CutShort()
	return found
}

// last returns the number of steps up to the last one with an unknown line that may be deduced.
func (d *deducer) last(steps []transport.Step, want []transport.Sample) int {
	for i := len(want); i > 0; i-- {
		if want[i-1].Unknown()&d.lines&^(transport.Outputs(steps[i-1].Drive)<<8) != 0 {
			return i
		}
	}
	return 0
}

// start prepares d for a sequence of steps from power-up.
func (d *deducer) start(steps int) {
	fresh := d.chip.d.fresh()
	d.cases.Start(fresh.m, steps)
	d.chip.drive, d.chip.Contention = fresh.drive, fresh.Contention
}

// step fills the unknown bits of want and learns from the chip's sample. It returns the number of filled bits, and
// whether a good chip could have shown the sample.
func (d *deducer) step(s *transport.Step, got transport.Sample, want *transport.Sample) (bits int, more bool) {
	d.frame.Set(s)
	d.chip.Step(&d.frame)
	seen := ^(got.Unknown() | transport.Outputs(d.chip.clashes()|s.Drive)<<8)
	known, level := d.cases.AgreedLevels()
	filled := transport.Outputs(known) & want.Unknown() & seen
	want.SetLevels(filled, transport.Outputs(level))
	if more = got.Differ(*want) == 0; more {
		wrong := transport.Outputs(d.cases.Observe(uint64(seen), uint64(got.Levels())))
		more = wrong == 0
		wrong &= want.Unknown()
		want.SetLevels(wrong, ^got.Levels())
		filled |= wrong
	}
	return filled.Count(), more
}
