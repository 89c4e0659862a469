package rp2040

import (
	"testing"

	"utfbench/internal/testkit"
)

// A clocked executes a PIO program that drives only clk, and notes at which cycles it rises.
type clocked struct {
	x, y, osr uint32
	clk, flag bool
	cycle     int
	rises     []int
}

// step executes an instruction, and returns the next.
func (m *clocked) step(t *testing.T, code uint16, pc int) int {
	if code>>12&1 != 0 {
		high := code>>11&1 != 0
		if high && !m.clk {
			m.rises = append(m.rises, m.cycle)
		}
		m.clk = high
	}
	m.cycle += 1 + int(code>>8&7)
	pc++
	target := int(code & 0x1F)
	switch bare := code &^ 0x1F00; {
	case bare == nop, bare == pull, bare == movPins: // the FIFO's only word is in osr
	case bare == movY:
		m.y = m.osr
	case bare&^0x1F == setX:
		m.x = uint32(target)
	case bare&^0x1F == jumpX:
		if m.x--; m.x != 1<<32-1 {
			pc = target
		}
	case bare&^0x1F == jumpY:
		if m.y--; m.y != 1<<32-1 {
			pc = target
		}
	case bare == setIRQ:
		m.flag = true
	default:
		t.Fatalf("instruction %d is %04x", pc-1, code)
	}
	return pc
}

// In a free run clk rises as often as required, at equal distances, and rests low.
func TestFreeProgram(t *testing.T) {
	for period := highTicks; period <= mostPeriod; period++ {
		p := free(period)
		if len(p.code) > instructions {
			t.Fatalf("a period of %d ticks takes %d instructions", period, len(p.code))
		}
		for _, clocks := range []int{1, 2, testkit.Pick(3, 255)} {
			checkFree(t, p.at(0), clocks, period)
		}
	}
	for _, clocks := range []int{255, 256, 65535} {
		checkFree(t, free(5).at(0), clocks, 5)
	}
}

func checkFree(t *testing.T, code []uint16, clocks, period int) {
	m := clocked{osr: uint32(clocks - 1)}
	for pc := 0; pc < len(code); {
		pc = m.step(t, code[pc], pc)
	}
	if len(m.rises) != clocks || m.clk || !m.flag {
		t.Fatalf("clk rises %d times in place of %d with a period of %d, and ends high: %v", len(m.rises), clocks,
			period, m.clk)
	}
	for i := range m.rises[1:] {
		if d := m.rises[i+1] - m.rises[i]; d != period {
			t.Fatalf("clk %d follows after %d ticks in place of %d", i+2, d, period)
		}
	}
}
