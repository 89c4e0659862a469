package timing

import (
	"utfbench/transport"
)

// led returns a timing whose inputs change the given number of ticks before the edge.
func (m *measurement) led(ticks int) transport.Timing {
	return transport.Timing{Period: m.slowly().Period, Sample: m.latest(), Lead: m.grid.Time(ticks)}
}

// setup measures the common set-up of the inputs.
func (m *measurement) setup() error {
	top := m.grid.Ticks(m.slowly().Lead)
	passes := func(ticks int) (bool, error) {
		p, err := m.probe(m.led(ticks))
		return err == nil && p.ever() == 0, err
	}
	least, err := m.bisect(1, top, passes)
	if err == nil {
		err = m.steady(least, 1, m.led, allOutputs)
	}
	if err == nil {
		least, err = m.surely(least, top, passes)
	}
	m.Setup = m.grid.Time(least)
	return err
}

// inputs attributes the set-up to inputs, as long as the reference explains the samples by these inputs only.
func (m *measurement) inputs() error {
	var late mask
	for least := m.grid.Ticks(m.Setup); least > 1; {
		found, err := m.blamed(m.led(least-1), late)
		if err != nil {
			return err
		}
		if m.Unsure = len(found) == 0; m.Unsure {
			return nil
		}
		i := Input{Setup: m.grid.Time(least)}
		for _, one := range found {
			i.Names = append(i.Names, transport.Lines[inputs[one]])
			late |= 1 << one
		}
		m.Inputs = append(m.Inputs, i)
		if _, known := m.foretell(late, m.slowly()); !known || len(found) > 1 {
			return nil // further late inputs depend on which of these it is
		}
		least, err = m.least(1, least-1, func(ticks int) (bool, error) {
			p, err := m.probe(m.led(ticks))
			if err != nil {
				return false, err
			}
			foretold, _ := m.foretell(late, m.led(ticks))
			return p.shows(foretold), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deeper is the number of ticks beyond a border at which samples are examined: with jitter not every edge there is
// late.
const deeper = 10

// blamed returns the inputs any one of which, if late together with the known ones, explains the samples at a timing.
func (m *measurement) blamed(at transport.Timing, late mask) (found []int, err error) {
	foretold := map[int][]transport.Sample{}
	for i := range inputs {
		if late>>i&1 == 0 {
			foretold[i], _ = m.foretell(late|1<<i, at)
		}
	}
	for ticks := m.grid.Ticks(at.Lead); ticks >= max(1, m.grid.Ticks(at.Lead)-deeper); ticks-- {
		p, err := m.probe(transport.Timing{Period: at.Period, Sample: at.Sample, Lead: m.grid.Time(ticks)})
		if err != nil {
			return nil, err
		}
		best := 0
		for i := range inputs {
			if foretold[i] == nil {
				continue
			}
			switch n := p.explained(foretold[i], m.right); {
			case n > best:
				best, found = n, []int{i}
			case n == best && n > 0:
				found = append(found, i)
			}
		}
		if best > 0 {
			return found, nil
		}
	}
	return nil, nil
}
