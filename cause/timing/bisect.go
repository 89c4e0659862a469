package timing

import "utfbench/transport"

// least returns the smallest number of ticks from low to high that passes repeatedly; high is known to pass.
func (m *measurement) least(low, high int, passes func(ticks int) (bool, error)) (int, error) {
	ticks, err := m.bisect(low, high, passes)
	if err != nil {
		return 0, err
	}
	return m.surely(ticks, high, passes)
}

// bisect returns the smallest number of ticks from low to high that passes; high is known to pass.
func (m *measurement) bisect(low, high int, passes func(ticks int) (bool, error)) (int, error) {
	for low < high {
		middle := (low + high) / 2
		ok, err := passes(middle)
		switch {
		case err != nil:
			return 0, err
		case ok:
			high = middle
		default:
			low = middle + 1
		}
	}
	return high, nil
}

// surely increases ticks, which passed once, until it passes repeatedly, and returns it; top is known to pass.
func (m *measurement) surely(ticks, top int, passes func(ticks int) (bool, error)) (int, error) {
	m.sure = true
	defer func() { m.sure = false }()
	for ; ticks < top; ticks++ {
		if ok, err := passes(ticks); ok || err != nil {
			return ticks, err
		}
	}
	return ticks, nil
}

// borders returns, for each line, the smallest number of ticks from low to high at and above which the line is right.
func (m *measurement) borders(low, high int, at func(ticks int) transport.Timing, wrong func(*probe) mask) (
	[16]int, error) {
	var found [16]int
	for i := range found {
		found[i] = low
	}
	var split func(low, high int, open mask) error
	split = func(low, high int, open mask) error { // the open lines are wrong at low and right at high
		if open == 0 {
			return nil
		}
		if high-low <= 1 {
			for i := range found {
				if open>>i&1 != 0 {
					found[i] = high
				}
			}
			return nil
		}
		middle := (low + high) / 2
		p, err := m.probe(at(middle))
		if err != nil {
			return err
		}
		if err := split(middle, high, open&wrong(p)); err != nil {
			return err
		}
		return split(low, middle, open&^wrong(p))
	}
	p, err := m.probe(at(low))
	if err == nil {
		err = split(low, high, wrong(p))
	}
	return found, err
}

// steady returns ErrFlaky if all lines are right in some repetition at border/2 ticks, unless that is below low.
func (m *measurement) steady(border, low int, at func(ticks int) transport.Timing, lines mask) error {
	half := border / 2
	if half < low || half == border-1 {
		return nil
	}
	m.sure = true
	defer func() { m.sure = false }()
	p, err := m.probe(at(half))
	if err == nil && p.onceRight(lines) {
		err = ErrFlaky
	}
	return err
}
