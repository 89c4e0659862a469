package rp2040

import (
	"fmt"

	"utfbench/transport"
)

// # Step codes
//
// A shape is all of a step but its data: ui, who drives uio, reset and clocks. The board remembers 31 of them. A code
// is a run of steps of one shape,
//
//	sssssnnn            n+1 steps of shape s; with n = 7, 8 steps and as many more as the next byte says
//
// followed by a byte for uio for each step, unless the shape drives nothing: a read costs no data. Or it defines a
// shape,
//
//	111110er | s | ui | clocks | drive
//
// with r set for reset. So a run of writes costs a byte a step and one for the run; a run of reads costs one or two
// bytes. With e set every step of the shape has a ui of its own, a byte before that of uio: so a run in which ui
// changes at each step costs a byte a step as well, or two.
const (
	shapeSlots = 31
	define     = shapeSlots << 3
	longRun    = 7 // n of a run whose length follows
	maxRun     = longRun + 1 + 0xFF
	maxCode    = 5 // bytes of the longest code without data
)

type shape struct {
	in, drive, clocks uint8
	reset             bool
	every             bool // step has a ui of its own; in is 0
}

func shapeOf(s *transport.Step) shape {
	return shape{in: s.In, drive: s.Drive, clocks: s.Clocks, reset: s.Reset}
}

// ofAny returns the shape with a ui of its own for every step.
func (sh shape) ofAny() shape {
	return shape{drive: sh.drive, clocks: sh.clocks, reset: sh.reset, every: true}
}

// data returns the bytes of data in each step of the shape.
func (sh shape) data() (n int) {
	if sh.every {
		n++
	}
	if sh.drive != 0 {
		n++
	}
	return n
}

// An encoder tracks the shapes that the board knows. Its output must reach the board completely and in order.
type encoder struct {
	shapes [shapeSlots]shape
	used   [shapeSlots]uint64 // when; 0 is never
	clock  uint64
	rents  map[shape]rent // of shapes that the board does not know
}

// encode appends codes for the first steps, as many as fit in size bytes and in count steps, and says how many those
// are. A size of anyStep has room for any step.
func (e *encoder) encode(to []byte, steps []transport.Step, size, count int) ([]byte, int) {
	done := 0
	for end := len(to) + size; done < len(steps) && done < count; {
		room := end - len(to) - maxCode - 2 // for data
		sh, n := e.next(steps[done:], min(count-done, maxRun))
		if d := sh.data(); d != 0 {
			n = min(n, room/d)
		}
		if n < 1 || room < 0 {
			break
		}
		to = e.run(to, sh, n)
		for i := done; i < done+n; i++ {
			to = sh.append(to, &steps[i])
		}
		done += n
	}
	return to, done
}

// append appends the data of a step.
func (sh shape) append(to []byte, s *transport.Step) []byte {
	if sh.every {
		to = append(to, s.In)
	}
	if sh.drive != 0 {
		to = append(to, s.IO&sh.drive)
	}
	return to
}

// A run of one ui without a shape is sent with its neighbours, each with its ui, unless it is worthNew steps long; a
// known shape is used from worthKnown on. A run that occurs worthBuying times, with only recent runs in between, gets a
// shape: by then its ui have cost as much as the definition.
const (
	worthKnown  = 2
	worthNew    = 8
	worthBuying = 5
	recent      = 256
	mostRented  = 4096 // shapes that are remembered
)

// A rent is how often a shape was done without, and when that was last.
type rent struct {
	times int
	at    uint64
}

// next returns the shape of the next run, and its length up to most.
func (e *encoder) next(steps []transport.Step, most int) (shape, int) {
	sh, n := shapeOf(&steps[0]), runLength(steps, most)
	if e.knows(sh) || n >= worthNew || e.buys(sh) {
		return sh, n
	}
	for end := n; ; end += n {
		if end >= most || end >= len(steps) {
			return sh.ofAny(), end
		}
		also := shapeOf(&steps[end])
		if also.ofAny() != sh.ofAny() {
			return sh.ofAny(), end
		}
		if n = runLength(steps[end:], most-end); n >= worthNew || n >= worthKnown && e.knows(also) {
			return sh.ofAny(), end
		}
	}
}

// buys reports whether to define a shape now, and counts its cost otherwise.
func (e *encoder) buys(sh shape) bool {
	if e.rents == nil || len(e.rents) > mostRented {
		e.rents = map[shape]rent{}
	}
	r := e.rents[sh]
	if e.clock-r.at > recent {
		r.times = 0
	}
	r = rent{r.times + 1, e.clock}
	e.rents[sh] = r
	return r.times > worthBuying
}

func (e *encoder) knows(sh shape) bool { return e.find(sh) >= 0 }

// find returns the slot of a known shape, or a negative number.
func (e *encoder) find(sh shape) int {
	for i := range e.shapes {
		if e.used[i] != 0 && e.shapes[i] == sh {
			return i
		}
	}
	return -1
}

func runLength(steps []transport.Step, most int) int {
	n := 1
	for first := shapeOf(&steps[0]); n < len(steps) && n < most && shapeOf(&steps[n]) == first; {
		n++
	}
	return n
}

// run appends the code of n steps, and the shape's definition before it when the board does not know the shape.
func (e *encoder) run(to []byte, sh shape, n int) []byte {
	to, slot := e.define(to, sh)
	if n <= longRun {
		return append(to, byte(slot<<3|n-1))
	}
	return append(to, byte(slot<<3|longRun), byte(n-longRun-1))
}

// define appends the shape's definition unless the board knows it, and gives its slot.
func (e *encoder) define(to []byte, sh shape) (codes []byte, slot int) {
	slot, known := e.slot(sh)
	if known {
		return to, slot
	}
	code := byte(define)
	if sh.reset {
		code |= 1
	}
	if sh.every {
		code |= 2
	}
	return append(to, code, byte(slot), sh.in, sh.clocks, sh.drive), slot
}

// slot returns the shape's slot, or else the least recently used one.
func (e *encoder) slot(sh shape) (slot int, known bool) {
	e.clock++
	if slot = e.find(sh); slot >= 0 {
		e.used[slot] = e.clock
		return slot, true
	}
	slot = 0
	for i := range e.used {
		if e.used[i] < e.used[slot] {
			slot = i
		}
	}
	e.shapes[slot], e.used[slot] = sh, e.clock
	return slot, false
}

// A mark is a sequence of codes before a step that belongs to no step.
type mark struct {
	step  int
	codes []byte
}

// anyStep is a size that has room for any step, leastPayload for a step with any mark.
const (
	anyStep      = maxCode + 2 + 2
	leastPayload = 4*maxCode + anyStep
)

// encodeMarked encodes the steps from an index on, with their marks in step order; a mark shares a frame with its step.
// It also returns the remaining marks.
func (e *encoder) encodeMarked(steps []transport.Step, from, size int, marks []mark) (codes []byte, n int,
	left []mark) {
	for i := from; i < len(steps); {
		if len(marks) > 0 && marks[0].step == i {
			if size-len(codes) < len(marks[0].codes)+anyStep {
				break
			}
			codes, marks = append(codes, marks[0].codes...), marks[1:]
		}
		end := len(steps)
		if len(marks) > 0 {
			end = min(end, marks[0].step)
		}
		var done int
		codes, done = e.encode(codes, steps[i:end], size-len(codes), end-i)
		n += done
		if i += done; i < end {
			break
		}
	}
	return codes, n, marks
}

// # Packed samples
//
// Four steps share a mask, two bits for each: uo differs from the sample before, uio differs from what was to be
// expected. The bytes that differ follow the mask, uo before uio. To be expected on uio is what the bench drives, and
// elsewhere what the sample before showed.

// packedSize returns the maximum size of n packed samples.
func packedSize(n int) int { return 2*n + (n+3)/4 }

// An unpacker remembers the sample before, as the board does.
type unpacker struct{ last transport.Sample }

// unpack fills samples from packed, which has to hold just them.
func (u *unpacker) unpack(packed []byte, steps []transport.Step, samples []transport.Sample) error {
	rest := packed
	take := func() (b byte) {
		if len(rest) > 0 {
			b, rest = rest[0], rest[1:]
		}
		return b
	}
	used := 0
	var mask byte
	for i := range steps {
		if i%4 == 0 {
			mask, used = take(), used+1
		}
		drive := steps[i].Drive
		u.last.IO = steps[i].IO&drive | u.last.IO&^drive
		if mask&1 != 0 {
			u.last.Out, used = take(), used+1
		}
		if mask&2 != 0 {
			u.last.IO, used = take(), used+1
		}
		mask >>= 2
		samples[i] = u.last
	}
	if used != len(packed) || mask != 0 {
		return fmt.Errorf("the board sent %d bytes of samples for %d steps, which would take %d", len(packed),
			len(steps), used)
	}
	return nil
}
