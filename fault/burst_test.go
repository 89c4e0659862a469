package fault

import (
	"testing"

	"utfbench/transport"
)

// held drives uio as take does, so that the bench does not start to drive it in the next step.
var held = transport.Step{Reset: true, Drive: 0xFF, Clocks: 1}

// Set-up time begins at a line's last change, earlier if clk has rested; hold time ends at its next change.
func TestSetupAndHold(t *testing.T) {
	at := transport.Timing{Period: 50, Sample: 24, Lead: 25}
	for _, c := range []struct {
		fault string
		steps []transport.Step
		want  uint8 // uo after the last step
	}{
		{"ui0=setup:25ns", []transport.Step{held, take}, 0x41},
		{"ui0=setup:30ns", []transport.Step{held, take}, 0},
		// clk rests for a period while the bench starts to drive uio
		{"ui0=setup:75ns", []transport.Step{reset, take}, 0x41},
		{"ui0=setup:90ns", []transport.Step{reset, take}, 0},
		{"uio6=setup:30ns", []transport.Step{held, take}, 0x01},
		{"ui0=hold:25ns", []transport.Step{held, take, rest}, 0x41},
		{"ui0=hold:30ns", []transport.Step{held, take, rest}, 0},
		{"ui0=hold:30ns", []transport.Step{held, take, take, rest}, 0x41},
		{"ui0=hold:30ns", []transport.Step{held, take}, 0x41}, // clk rests before the next change
	} {
		got := make([]transport.Sample, len(c.steps))
		if err := New(&latch{}, []Fault{parse(t, c.fault)}, 1).Burst(c.steps, got, at); err != nil {
			t.Fatal(err)
		}
		if last := got[len(got)-1]; last.Out != c.want || last.OutX != 0 {
			t.Errorf("%s, %d steps: %02X, unknown %02X; want %02X", c.fault, len(c.steps), last.Out, last.OutX, c.want)
		}
	}
}
