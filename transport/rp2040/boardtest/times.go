//go:build unix

package boardtest

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// Times holds minimum times, measured from accesses to the pins.
type Times struct {
	High   time.Duration // clk is high
	Low    time.Duration // clk is low between two pulses
	Settle time.Duration // levels are stable before clk rises or the bench samples

	clk                  uint32
	at                   registerSet      // registers of clk's bank
	look                 uint32           // register that a step reads last
	looks                []RegisterAccess // accesses to look
	rose, fell, changed  float64
	some, pulsed, steady bool
}

// Times starts the measurement.
func (e *Emulator) Times() *Times {
	clk := e.pins.signal["clk"]
	m := &Times{High: time.Hour, Low: time.Hour, Settle: time.Hour, clk: 1 << (clk % 32), at: e.pins.banks[clk/32]}
	m.look = e.pins.banks[len(e.pins.banks)-1].in
	e.Watch(m.see)
	return m
}

func (m *Times) see(a RegisterAccess) {
	switch {
	case a.Offset == m.at.set && a.Value == m.clk:
		m.rose = a.At
		if m.pulsed {
			m.Low = min(m.Low, nanoseconds(m.rose-m.fell))
		}
		m.left(a.At)
	case a.Offset == m.at.clr && a.Value == m.clk:
		m.fell, m.pulsed = a.At, true
		m.High = min(m.High, nanoseconds(m.fell-m.rose))
	case a.Offset == m.look:
		m.left(a.At)
		m.looks = append(m.looks, a)
	case a.Offset == m.at.in: // the input register of the other bank
		m.left(a.At)
	default:
		m.changed, m.steady = a.At, false
	}
}

// left records the first use of levels after a change.
func (m *Times) left(at float64) {
	if m.some && !m.steady {
		m.Settle = min(m.Settle, nanoseconds(at-m.changed))
	}
	m.some, m.steady = true, true
}

// aCycle is a nominal processor cycle.
const aCycle = time.Second / (ClockMHz * 1_000_000)

func nanoseconds(t float64) time.Duration { return time.Duration(math.Round(t)) }

func (m *Times) String() string {
	return fmt.Sprintf("clk high for %v and low for %v, levels left for %v, at least", m.High, m.Low, m.Settle)
}

// Goals for the speed of a board, in steps per second of the time in which it does not wait for the host.
const (
	CarriedGoal = 90_000  // the suite "chip", over USB
	SignedGoal  = 300_000 // a sweep whose steps the board generates
)

// CheckSpeed logs the duration of the latest steps, each of which ends with a sample, and fails the test if they miss
// the goal. The steps must take less than 34 s, after which the count of waits wraps.
func (m *Times) CheckSpeed(t testing.TB, steps int, goal float64) {
	t.Helper()
	if steps < 2 || steps > len(m.looks) {
		t.Errorf("%d steps, and the board looked %d times", steps, len(m.looks))
		return
	}
	first, last := m.looks[len(m.looks)-steps], m.looks[len(m.looks)-1]
	each := func(cycles float64) float64 { return cycles / float64(steps-1) }
	busy := each(busyBetween(first, last))
	t.Logf("%d steps, %.0f cycles each; without those in which the board waits for this machine %.0f, %.0f steps/s",
		steps, each((last.At-first.At)/float64(aCycle)), busy, ClockMHz*1e6/busy)
	if ClockMHz*1e6/busy < goal {
		t.Errorf("want %.0f steps/s", goal)
	}
}

// Busy returns the cycles from the first sample to the last, excluding waits for the host.
func (m *Times) Busy() float64 {
	first, last := m.looks[0], m.looks[len(m.looks)-1]
	return busyBetween(first, last)
}

func busyBetween(first, last RegisterAccess) float64 {
	return (last.At-first.At)/float64(aCycle) - float64(last.Value-first.Value)
}
