package grade

import (
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/transport"
)

// An effort limits the search for a difference.
type effort struct {
	frames int // clocks
	work   int // for each fault, without the good copy
}

// An answer is what a search for a difference found.
type answer struct {
	sat.Result
	steps  []transport.Step // that show it
	frames int              // in which there is none, if it is not Possible
}

// extend adds a frame, unless there is one: a phase with clk low and any inputs, and one with clk high.
func (f *frames) extend(frame int) {
	for len(f.good) < 2*frame+2 {
		in := f.open()
		f.add(false, in, nil)
		f.add(true, in, nil)
	}
}

// search looks for steps that show a fault of the copy, which has begun, frame by frame. No steps show it in the first
// frames.
func (f *frames) search(d *defect, first int, most effort) (a answer) {
	left := most.work
	for t := range most.frames {
		f.extend(t)
		before := f.work()
		f.next(2*t, d)
		if shows := f.shows(2*t, d); t >= first && shows != sat.False {
			switch f.Solve(max(1, (left-f.work()+before)/effortWork), shows) {
			case sat.Possible:
				return answer{sat.Possible, f.steps()[:t+1], t}
			case sat.Unknown:
				return a
			}
		}
		if !f.loose && !d.loose {
			a.frames = t + 1
		}
		f.next(2*t+1, d)
		if left -= f.work() - before; left <= 0 {
			return a
		}
	}
	if a.frames == most.frames {
		a.Result = sat.Impossible
	}
	return a
}

// careful makes steps release the lines of uio that the design may drive, and returns a good chip's samples. after is
// the chip in its state before the steps.
func careful(t *gates.Tile, after *gates.Chip, steps []transport.Step) []transport.Sample {
	_, always := t.DrivenUIO()
	chip, last, want := after.Clone(), after.Clone(), make([]transport.Sample, len(steps))
	var frame gates.Frame
	for i := range steps {
		steps[i].Drive &^= always
		frame.Set(&steps[i])
		chip.StepWithoutContention(last, &frame)
		for k, on := range frame.Drive {
			steps[i].Drive &^= uint8(^on&1) << k
		}
		steps[i].IO &= steps[i].Drive
		want[i] = chip.Sample(0)
	}
	return want
}
