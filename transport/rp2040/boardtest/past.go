//go:build unix

package boardtest

import (
	"time"

	"utfbench/model"
	"utfbench/transport"
)

// A moment is the state of the pins from time at on, ignoring line delays.
type moment struct {
	at     float64 // nanoseconds
	levels uint64
	gives  uint64 // pins that the chip drives high
	drives uint64 // pins that the chip drives
}

// past is the recent history of the pins. It is needed since an emulated PIO samples the levels of two cycles earlier,
// and the chip's lines may have delays.
type past struct {
	late    map[int]time.Duration // by pin
	moments []moment
	letGo   float64 // time at which the chip last began to release uio
	holds   bool    // the chip drives uio

	high  uint64  // lines of uio that were high when they were released
	since float64 // time of the release
}

const (
	longPast = 1024 // minimum number of moments kept

	// release is the chip's time to release uio: Tiny Tapeout specifies 20 ns from a tile to the pad.
	release = 20 * time.Nanosecond

	// charge is the time for which a released line retains its level: 1 uA changes 15 pF by 70 mV.
	charge = time.Microsecond

	rounding = 1e-3 // maximum error of the emulator's times, in nanoseconds
)

// newPast returns a history with the configured delays.
func newPast(c Config) past {
	p := past{late: map[int]time.Duration{}}
	for line, d := range c.OutputDelays {
		p.late[c.Pins[line]] = d
	}
	return p
}

// kept returns the lines of uio whose charge keeps them high while undriven.
func (p *past) kept(now float64) uint64 {
	if now == 0 || now-p.since > float64(charge) { // without an emulator there is no time
		return 0
	}
	return p.high
}

// note records the current state of the pins.
func (p *past) note(m moment) {
	if len(p.moments) > 4*longPast {
		p.moments = append(p.moments[:0], p.moments[len(p.moments)-longPast:]...)
	}
	p.moments = append(p.moments, m)
}

func (p *past) before(at float64, d time.Duration) moment {
	for i := len(p.moments) - 1; i >= 0; i-- {
		if m := p.moments[i]; at-m.at > float64(d)+rounding {
			return m
		}
	}
	return moment{}
}

// levels returns the levels that a PIO samples at the given time.
func (p *past) levels(at float64) uint64 {
	now := p.before(at, 0)
	levels := now.levels
	for pin, d := range p.late {
		bit := uint64(1) << pin
		if now.drives&bit != 0 {
			levels = levels&^bit | p.before(at, d).gives&bit
		}
	}
	return levels
}

// remember records the current state of the pins, and contention on uio due to the chip's late release.
func (p *pins) remember(s transport.Step) {
	if p.now == 0 { // without an emulator there is no time
		return
	}
	seen := p.seen(s)
	holds := p.shuttle.selected() == p.shuttle.chip() && s.In&model.READ != 0
	uo, uio := p.spread(0xFF, transport.UO), uint64(0)
	if holds {
		uio = p.spread(0xFF, transport.UIO)
	}
	p.past.note(moment{at: p.now, levels: p.levels(), drives: uo | uio,
		gives: p.spread(seen.Out, transport.UO) | p.spread(seen.IO, transport.UIO)&uio})
	if p.past.holds && !holds {
		p.past.letGo = p.now
	}
	p.past.holds = holds
	if since := time.Duration(p.now - p.past.letGo); s.Drive != 0 && p.past.letGo != 0 && since < release {
		p.complain("the bench drives uio %v after it told the chip to release it: %+v", since, s)
	}
}
