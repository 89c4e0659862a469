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
//	1111100r | s | ui | clocks | drive
//
// with r set for reset. So a run of writes costs a byte a step and one for the run; a run of reads costs one or two
// bytes.
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
}

func shapeOf(s *transport.Step) shape { return shape{s.In, s.Drive, s.Clocks, s.Reset} }

// An encoder remembers which shapes the board knows. What it encoded has to reach the board, all of it and in order.
type encoder struct {
	shapes [shapeSlots]shape
	used   [shapeSlots]uint64 // when; 0 is never
	clock  uint64
}

// encode appends codes for the first steps, as many as fit in size bytes and in count steps, and says how many those
// are. A size of 8 has room for any step.
func (e *encoder) encode(to []byte, steps []transport.Step, size, count int) ([]byte, int) {
	done := 0
	for end := len(to) + size; done < len(steps) && done < count; {
		room := end - len(to) - maxCode - 2 // for data
		sh := shapeOf(&steps[done])
		n := runLength(steps[done:], min(count-done, maxRun))
		if sh.drive != 0 {
			n = min(n, room)
		}
		if n < 1 || room < 0 {
			break
		}
		to = e.run(to, sh, n)
		for i := 0; i < n && sh.drive != 0; i++ {
			to = append(to, steps[done+i].IO&sh.drive)
		}
		done += n
	}
	return to, done
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
	return append(to, code, byte(slot), sh.in, sh.clocks, sh.drive), slot
}

// slot finds the shape's place, or takes that of the one not used for the longest time.
func (e *encoder) slot(sh shape) (slot int, known bool) {
	e.clock++
	for i := range e.shapes {
		if e.used[i] != 0 && e.shapes[i] == sh {
			e.used[i] = e.clock
			return i, true
		}
		if e.used[i] < e.used[slot] {
			slot = i
		}
	}
	e.shapes[slot], e.used[slot] = sh, e.clock
	return slot, false
}

// # Packed samples
//
// Four steps share a mask, two bits for each: uo differs from the sample before, uio differs from what was to be
// expected. The bytes that differ follow the mask, uo before uio. To be expected on uio is what the bench drives, and
// elsewhere what the sample before showed.

// packedSize is the most bytes that n samples take.
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
