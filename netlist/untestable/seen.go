package untestable

import "math/bits"

// A seen holds visited states: each flip-flop's bit in each of them.
type seen struct {
	columns [][]uint64
	count   int
}

// A cube is the bits of some flip-flops: i+1 says that flip-flop i holds 1, and -(i+1) that it holds 0.
type cube []int

func (s *seen) add(bit func(flop int) bool) {
	for i := range s.columns {
		if s.count%64 == 0 {
			s.columns[i] = append(s.columns[i], 0)
		}
		if bit(i) {
			s.columns[i][s.count/64] |= 1 << (s.count % 64)
		}
	}
	s.count++
}

// all has a bit for each state.
func (s *seen) all() []uint64 {
	mask := make([]uint64, (s.count+63)/64)
	for i := range s.count {
		mask[i/64] |= 1 << (i % 64)
	}
	return mask
}

// with counts the states that have a bit; keep selects them.
func (s *seen) with(states []uint64, l int, keep bool) (n int) {
	column, flip := s.columns[max(l, -l)-1], uint64(0)
	if l < 0 {
		flip = ^flip
	}
	for i, w := range states {
		w &= column[i] ^ flip
		n += bits.OnesCount64(w)
		if keep {
			states[i] = w
		}
	}
	return n
}

// separate returns a part of a cube, usually short, that excludes all visited states; nil if one is in the cube.
func (s *seen) separate(c cube) cube {
	var part cube
	left, n := s.all(), s.count
	for n > 0 {
		best, least := 0, n
		for _, l := range c {
			if with := s.with(left, l, false); with < least {
				best, least = l, with
			}
		}
		if best == 0 {
			return nil
		}
		part, n = append(part, best), s.with(left, best, true)
	}
	for i := 0; i < len(part); {
		left, n := s.all(), s.count
		for k, l := range part {
			if k != i {
				n = s.with(left, l, true)
			}
		}
		if n > 0 {
			i++
			continue
		}
		part = append(part[:i], part[i+1:]...)
	}
	return part
}
