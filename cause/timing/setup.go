package timing

import (
	"utfbench/transport"
)

// led returns a timing in which the inputs change some ticks before the edge.
func (m *measurement) led(ticks int) transport.Timing {
	return transport.Timing{Period: m.slowly().Period, Sample: m.latest(), Lead: m.grid.Time(ticks)}
}

// setup measures the set-up that all inputs have in common.
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
