package diagnose

import (
	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// mostDeduced is the maximum number of failing executions, and of others, on which to try faults if only deduced
// levels differ.
const mostDeduced = 8

// deduce diagnoses a run in which only levels deduced from the chip's earlier samples differ; see tile.Deducer. A
// simulated fault leaves such levels open, so instead the effect of each fault that maps levels is undone: it explains
// the run if a good chip shows the remaining samples.
func (run *Run) deduce() Finding {
	f := Finding{Conclusion: Nothing, Deduced: true, Vectors: run.Deduced}
	var failing, others []Execution
	differs := 0
	sure := true
	for _, e := range run.every(false) {
		n, short := run.contradicts(e.Steps, e.Got, 0)
		sure = sure && !short
		switch {
		case n > 0 && len(failing) < mostDeduced:
			failing, differs = append(failing, e), differs+n
		case n == 0 && len(others) < mostDeduced:
			others = append(others, e)
		}
		f.Steps += len(e.Steps)
	}
	f.Of = f.Steps
	if f.Agrees = sure && len(failing) == 0; len(failing) == 0 {
		return f
	}
	tried := append(failing, others...)
	hs := Wires(run.Tile)
	explains := make([]bool, len(hs))
	parallel(run.Tile, upTo(len(hs)), run.simulator(), func(i int, _ *simulator) {
		explains[i] = run.undone(FaultsOf(hs[i])[0], tried)
	})
	for i, h := range hs {
		if explains[i] {
			f.Conclusion = h.Kind()
			f.Causes = append(f.Causes, Cause{Hypothesis: h, Differs: differs, Explained: differs})
		}
	}
	if run.Simulated {
		f.Conclusion = run.simulated() // whether or not a wire would explain it
	}
	f.countTies()
	f.doubt(run.driven)
	return f
}

// contradicts returns the number of bits that no good chip shows, ignoring the lines in except, and whether the search
// for power-up states was given up.
func (run *Run) contradicts(steps []transport.Step, got []transport.Sample, except transport.Outputs) (bits int,
	short bool) {
	want, own := make([]transport.Sample, len(steps)), make([]transport.Sample, len(steps))
	must(tile.Expect(run.Tile, steps, want))
	for i := range own {
		own[i] = got[i].With(want[i], except)
	}
	d := tile.Deduce(run.Tile, steps, own, want)
	for i := range own {
		bits += own[i].Differ(want[i]).Count()
	}
	return bits, d.Short
}

// undone reports whether a good chip behind a fault shows the samples of all executions.
func (run *Run) undone(f fault.Fault, executions []Execution) bool {
	for _, e := range executions {
		steps, got, possible := undo(f, e.Steps, e.Got)
		if !possible {
			return false
		}
		except := transport.Outputs(0)
		if f.Kind == fault.Stuck {
			except = transport.Outputs(uint32(1) << f.A >> transport.UO)
		}
		if bits, short := run.contradicts(steps, got, except); bits > 0 || short {
			return false
		}
	}
	return true
}

// undo returns the steps that reach a chip behind a fault, and the samples that the chip itself shows. possible is
// false for faults that do not map levels, and for samples that the fault rules out.
func undo(f fault.Fault, steps []transport.Step, got []transport.Sample) (own []transport.Step,
	shown []transport.Sample, possible bool) {
	own, shown = make([]transport.Step, len(steps)), make([]transport.Sample, len(got))
	for i, s := range steps {
		lines, drive := uint32(s.In)|uint32(s.IO)<<transport.UIO, uint32(s.Drive)<<transport.UIO
		if !s.Reset {
			lines |= transport.MaskRstN
		}
		level := uint32(got[i].Levels()) << transport.UO
		open := uint32(got[i].Unknown()) << transport.UO
		switch {
		case f.Kind == fault.Stuck && !stuckShows(f, level, open|drive):
			return nil, nil, false
		case f.Kind == fault.Stuck && f.A == transport.Clk:
			s.Clocks = 0
		case f.Kind == fault.Stuck:
			lines &^= 1 << f.A
			lines |= stuckLevel(f)
		case f.Kind == fault.Inverted && f.A != transport.Clk:
			lines, level = lines^1<<f.A, level^1<<f.A
		case f.Kind == fault.Swapped && f.A/8 == f.B/8 && f.A < transport.Clk:
			lines, drive, level, open = swap(lines, f), swap(drive, f), swap(level, f), swap(open, f)
		default:
			return nil, nil, false
		}
		s.In, s.IO, s.Drive = uint8(lines), uint8(lines>>transport.UIO), uint8(drive>>transport.UIO)
		s.Reset = lines&transport.MaskRstN == 0
		own[i] = s
		shown[i].Learn(0xFFFF, transport.Outputs(level>>transport.UO))
		shown[i].Forget(transport.Outputs(open >> transport.UO))
	}
	return own, shown, true
}

// stuckLevel returns the line's bit if it is stuck high, else 0.
func stuckLevel(f fault.Fault) uint32 {
	if f.High {
		return 1 << f.A
	}
	return 0
}

// stuckShows reports whether a stuck line shows its level, or an unknown one.
func stuckShows(f fault.Fault, level, unknown uint32) bool {
	line := uint32(1<<f.A) & (transport.MaskUO | transport.MaskUIO) &^ unknown
	return level&line == stuckLevel(f)&line
}

// swap swaps the bits of the fault's two lines.
func swap(lines uint32, f fault.Fault) uint32 {
	if differ := (lines>>f.A ^ lines>>f.B) & 1; differ != 0 {
		lines ^= 1<<f.A | 1<<f.B
	}
	return lines
}
