package timing

import (
	"maps"
	"slices"
	"time"

	"utfbench/transport"
)

// setup measures the set-up, a single value for all inputs.
func (m *measurement) setup() error {
	top := m.grid.Ticks(m.slowly().Lead)
	at := func(ticks int) transport.Timing {
		return transport.Timing{Period: m.slowly().Period, Sample: m.latest(), Lead: m.grid.Time(ticks)}
	}
	passes := func(ticks int) (bool, error) {
		p, err := m.probe(at(ticks))
		return err == nil && p.ever() == 0, err
	}
	least, err := m.bisect(1, top, passes)
	if err == nil {
		err = m.steady(least, 1, at, allOutputs)
	}
	if err == nil {
		least, err = m.surely(least, top, passes)
	}
	m.Setup = m.grid.Time(least)
	return err
}

// lead returns the number of ticks from a change of the inputs to the edge for measuring the clock: the set-up, plus a
// tenth if that exceeds one tick, since with jitter, failures are rare just below the limit.
func (m *measurement) lead() int {
	n := m.grid.Ticks(m.Setup)
	if n > 1 {
		n += (n + 9) / 10
	}
	return n
}

// hold measures the hold time of the inputs, down to the last output's arrival and the grid's limit.
func (m *measurement) hold() error {
	at := m.slowly()
	period, latest := m.grid.Ticks(at.Period), m.latest()
	least := max(m.grid.HighTicks+m.grid.GapTicks, m.grid.Ticks(latest)+1)
	ticks, err := m.least(least, m.grid.Ticks(at.HoldTime()), func(ticks int) (bool, error) {
		p, err := m.probe(transport.Timing{Period: at.Period, Sample: latest, Lead: m.grid.Time(period - ticks)})
		return err == nil && p.ever() == 0, err
	})
	m.Hold, m.HoldIsFloor = m.grid.Time(ticks), ticks == m.grid.HighTicks+m.grid.GapTicks
	return err
}

// limit measures the highest clocks at which all vectors pass and at which each output is right, if all lines are
// sampled at one time, before the inputs change.
func (m *measurement) limit() error {
	lead := m.lead()
	first, last := m.first(), m.grid.Ticks(m.slowly().Period)
	at := func(ticks int) transport.Timing {
		return transport.Timing{Period: m.grid.Time(ticks), Sample: transport.SampleAtFall, Lead: m.grid.Time(lead)}
	}
	right := func(lines mask) func(ticks int) (bool, error) {
		return func(ticks int) (bool, error) {
			p, err := m.probe(at(ticks))
			return err == nil && p.ever()&lines == 0, err
		}
	}
	least, err := m.borders(first, last, at, (*probe).ever)
	if err != nil {
		return err
	}
	for i := range least {
		if err := m.steady(least[i], first, at, 1<<i); err != nil {
			return err
		}
		if least[i], err = m.surely(least[i], last, right(1<<i)); err != nil {
			return err
		}
		m.Lines[i].MinPeriod = m.grid.Time(least[i])
	}
	whole, err := m.surely(slices.Max(least[:]), last, right(allOutputs))
	m.MinPeriod, m.ShortestPeriod, m.Lead = m.grid.Time(whole), m.grid.Time(first), m.grid.Time(lead)
	return err
}

const allOutputs = mask(1<<16 - 1)

// first returns the shortest period, in ticks, that the set-up and the transport allow.
func (m *measurement) first() int {
	return max(m.grid.Ticks(m.grid.MinPeriod), m.lead()+m.grid.HighTicks+m.grid.GapTicks)
}

// own measures the chip's own limit: the highest clock at which each line is right when sampled on arrival, and the
// vectors that fail at the next higher clock.
func (m *measurement) own() error {
	moments := map[time.Duration]mask{}
	for i, l := range m.Lines {
		if l.Edges > 0 {
			moments[m.tick(l.MaxDelay)] |= 1 << i
		}
	}
	failed := func(ticks int) (names []string, err error) {
		for _, moment := range slices.Sorted(maps.Keys(moments)) { // sorted, so that random faults act reproducibly
			lines := moments[moment]
			p, err := m.probe(transport.Timing{Period: m.grid.Time(ticks), Sample: moment, Lead: m.grid.Time(m.lead())})
			if err != nil {
				return nil, err
			}
			if p.ever()&lines != 0 {
				for _, name := range p.failed {
					if !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
		return names, nil
	}
	first := m.first()
	ticks, err := m.least(first, m.grid.Ticks(m.MinPeriod), func(ticks int) (bool, error) {
		names, err := failed(ticks)
		return len(names) == 0, err
	})
	if err != nil {
		return err
	}
	m.ChipPeriod, m.ChipLimitFound = m.grid.Time(ticks), ticks > first
	if m.ChipLimitFound {
		m.LimitingVectors, err = failed(ticks - 1)
	}
	return err
}
