package rp2040

import (
	"fmt"

	"utfbench/transport"
)

// # Step codes
//
// A shape is everything in a step except the levels of uio: ui, the driven lines of uio, reset and clocks. The board
// remembers 31 shapes. A code is a run of steps with one shape,
//
//	sssssnnn            n+1 steps of shape s; with n = 7, 8 steps plus the number in the next byte
//
// followed by a byte of uio for each step if the shape drives any line; reads have no data. Another code defines a
// shape,
//
//	111110er | s | ui | clocks | drive
//
// where r is set for reset. A run of writes thus costs one byte per step plus one for the run; a
// run of reads costs one or two bytes. With e set, each step has its own ui in a byte before uio's, so a run with
// changing ui costs one or two bytes per step.
const (
	shapeSlots = 31
	define     = shapeSlots << 3
	longRun    = 7 // n of a run with more than 8 steps, whose length is in the next byte
	maxRun     = longRun + 1 + 0xFF
	maxCode    = 5               // length of the longest code without data, in bytes
	anyStep    = maxCode + 2 + 2 // size that suffices for any step
)

type shape struct {
	in, drive, clocks uint8
	reset             bool
	every             bool // each step has its own ui; in is 0
}

func shapeOf(s *transport.Step) shape {
	return shape{in: s.In, drive: s.Drive, clocks: s.Clocks, reset: s.Reset}
}

// ofAny returns the shape with an individual ui in every step.
func (sh shape) ofAny() shape {
	return shape{drive: sh.drive, clocks: sh.clocks, reset: sh.reset, every: true}
}

// data returns the number of bytes of data per step.
func (sh shape) data() (n int) {
	if sh.every {
		n++
	}
	if sh.drive != 0 {
		n++
	}
	return n
}

// An encoder tracks the shapes that the board knows. The board must receive its whole output, in order.
type encoder struct {
	shapes [shapeSlots]shape
	used   [shapeSlots]uint64 // time of last use; 0 for never
	clock  uint64
	rents  map[shape]rent // rents of shapes unknown to the board
}

// encode appends codes for the first steps that fit in size bytes and count steps, and returns the number of steps.
func (e *encoder) encode(to []byte, steps []transport.Step, size, count int) ([]byte, int) {
	done := 0
	for end := len(to) + size; done < len(steps) && done < count; {
		room := end - len(to) - maxCode - 2 // without the codes
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

func (sh shape) append(to []byte, s *transport.Step) []byte {
	if sh.every {
		to = append(to, s.In)
	}
	if sh.drive != 0 {
		to = append(to, s.IO&sh.drive)
	}
	return to
}

// A short run whose shape the board does not know is merged with its neighbours into a run in which each step has its
// own ui. A run is encoded with its shape if it has at least worthNew steps, or worthKnown steps if the board knows the
// shape. A shape is also defined after worthBuying short runs of it, each within recent runs of the previous one, since
// sending their ui has then cost as much as the definition.
const (
	worthKnown  = 2
	worthNew    = 8
	worthBuying = 5
	recent      = 256
	maxRented   = 4096 // maximum number of rents
)

// A rent counts the runs of a shape that were encoded without it.
type rent struct {
	times int
	at    uint64
}

// next returns the shape and length of the next run, which has at most limit steps.
func (e *encoder) next(steps []transport.Step, limit int) (shape, int) {
	sh, n := shapeOf(&steps[0]), runLength(steps, limit)
	if e.knows(sh) || n >= worthNew || e.buys(sh) {
		return sh, n
	}
	for end := n; ; end += n {
		if end >= limit || end >= len(steps) {
			return sh.ofAny(), end
		}
		also := shapeOf(&steps[end])
		if also.ofAny() != sh.ofAny() {
			return sh.ofAny(), end
		}
		if n = runLength(steps[end:], limit-end); n >= worthNew || n >= worthKnown && e.knows(also) {
			return sh.ofAny(), end
		}
	}
}

// buys counts a short run of an unknown shape, and reports whether to define the shape now.
func (e *encoder) buys(sh shape) bool {
	if e.rents == nil || len(e.rents) > maxRented {
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

func runLength(steps []transport.Step, limit int) int {
	n := 1
	for first := shapeOf(&steps[0]); n < len(steps) && n < limit && shapeOf(&steps[n]) == first; {
		n++
	}
	return n
}

// run appends the code of n steps, preceded by the shape's definition if the board does not know it.
func (e *encoder) run(to []byte, sh shape, n int) []byte {
	to, slot := e.define(to, sh)
	if n <= longRun {
		return append(to, byte(slot<<3|n-1))
	}
	return append(to, byte(slot<<3|longRun), byte(n-longRun-1))
}

// define appends the shape's definition unless the board knows it, and returns its slot.
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

// slot returns the shape's slot. If the board does not know the shape, slot gives it the least recently used slot.
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

// # Packed samples
//
// Four steps share a mask with two bits for each: uo differs from the previous sample; uio differs from its expected
// value. The differing bytes follow the mask, uo before uio. The expected value of uio is the bench's level on driven
// lines, and the previous sample's level on others.

// An unpacker remembers the previous sample, as the board does.
type unpacker struct{ last transport.Sample }

// unpack fills samples from packed, which must contain exactly these samples.
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
