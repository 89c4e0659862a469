//go:build unix

package rp2040

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/boards"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
)

// triggerPins has a free pin of each family's demo board, one in each bank.
var triggerPins = map[string]int{"Raspberry Pi Pico with RP2040": 29, "Raspberry Pi Pico2 with RP2350": 45}

// The pin is pulsed once before each requested step, before any line moves. Samples do not change, and Close releases
// the pin.
func TestMicroPythonTrigger(t *testing.T) {
	t.Parallel()
	for _, b := range boardsUnderTest {
		t.Run(b.machine, func(t *testing.T) {
			p := startPython(t, boardtest.Config{Machine: b.machine, Pins: b.pins})
			tr := p.open(t)
			pin := triggerPins[b.machine]
			if name, err := tr.TakePin(context.Background(), gpio(pin)); err != nil || name != gpio(pin) {
				t.Fatal(name, err)
			}
			steps := testkit.Stimulus(1, 3000)
			at := []int{0, 7, 8, 1023, 1024, 2999}
			edges := p.Edges()
			got := make([]transport.Sample, len(steps))
			if n, err := tr.ApplyTriggered(context.Background(), steps, got, at); err != nil ||
				!slices.Equal(got, testkit.ModelSamples(model.TT09, steps)) {
				t.Errorf("ApplyTriggered = %d, %v, or a sample is wrong", n, err)
			}
			pulses := p.Pulses(pin)
			if len(pulses) != len(at) {
				t.Fatalf("%d pulses, want %d", len(pulses), len(at))
			}
			for i, pulse := range pulses {
				before, want := transport.Park, edges
				for _, s := range steps[:at[i]] {
					before, want = s, want+int(s.Clocks)
				}
				before.Clocks, before.IO = 0, before.IO&before.Drive
				if pulse.Edges != want || pulse.Lines != before {
					t.Errorf("before step %d: %+v; want %d edges and the lines at %+v", at[i], pulse, want, before)
				}
			}
			if _, err := tr.Apply(context.Background(), steps, got); err != nil || len(p.Pulses(pin)) != len(at) {
				t.Errorf("without a trigger: %v, %d pulses", err, len(p.Pulses(pin)))
			}
			if driven := p.DrivesPin(pin); !driven {
				t.Error("the pin is not kept low")
			}
			if err := tr.Close(); err != nil || p.DrivesPin(pin) {
				t.Errorf("Close: %v; the pin is driven: %v", err, p.DrivesPin(pin))
			}
		})
	}
}

// The pin is also released if the host dies.
func TestMicroPythonTriggerIsReleased(t *testing.T) {
	t.Parallel()
	p := startPython(t, boardtest.Config{})
	tr := p.open(t)
	if _, err := tr.TakePin(context.Background(), "29"); err != nil || !p.DrivesPin(29) {
		t.Fatalf("%v, driven: %v", err, p.DrivesPin(29))
	}
	tr.mu.Lock() // prevents pings
	defer tr.mu.Unlock()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if !p.DrivesPin(29) {
			return
		}
	}
	t.Error("the pin is driven after a minute of silence")
}

// An unavailable pin is rejected with the reason and the free pins, and the board stays usable.
func TestTriggerRefused(t *testing.T) {
	for _, c := range []struct{ board, machine, pin, want string }{
		{"tt-demo-tt06", "", "5", "GPIO5 cannot be pulsed: uo0 is at it; free on this board is GPIO29"},
		{"tt-demo-tt06", "", "gp3", "GPIO3 cannot be pulsed: the mux's inc is at it; free"},
		{"tt-demo-tt06", "", "GPIO30", "GPIO30 cannot be pulsed: the board's RP2040 has no such pin; free"},
		{"tt-demo-tt06", "", "LED", "LED cannot be pulsed: a pin is a number, as in GPIO29 or 29; free"},
		{"tt-demo-tt06", "", "-1", "-1 cannot be pulsed: a pin is a number"},
		{"tt-demo-tt04", "", "1", "GPIO1 cannot be pulsed: a pin that is kept high is at it; free on this " +
			"board is GPIO29"},
		{"pico", "", "25", "GPIO25 cannot be pulsed: the LED or the radio is at it; no pin of this board is free"},
		{"tt-demo-rp2350", "RP2350", "11", "GPIO11 cannot be pulsed: the LED is at it; free on this board are " +
			"GPIO12, GPIO13, GPIO15, GPIO41, GPIO42, GPIO43, GPIO44, GPIO45, GPIO46, GPIO47"},
		{"tt-demo-rp2350", "RP2350", "48", "GPIO48 cannot be pulsed: the board's RP2350 has no such pin; free"},
	} {
		b, err := boards.Open(c.board)
		if err != nil {
			t.Fatal(err)
		}
		config := Config{}
		if config.Pins, config.High, err = b.GPIO(); err != nil {
			t.Fatal(err)
		}
		if config.Taken, err = b.TakenGPIO(); err != nil {
			t.Fatal(err)
		}
		f := &fake{machine: c.machine}
		tr := testkit.Must(startOn(context.Background(), f.start(t), "fake", config))(t)
		var refused *transport.PinError
		_, err = tr.TakePin(context.Background(), c.pin)
		if !errors.As(err, &refused) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s of %s: %v; want %s", c.pin, c.board, err, c.want)
		}
		steps := testkit.Stimulus(1, 20)
		if _, err := tr.Apply(context.Background(), steps, make([]transport.Sample, len(steps))); err != nil {
			t.Errorf("%s of %s, afterwards: %v", c.pin, c.board, err)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The firmware may reject a pin too.
func TestMicroPythonTriggerWithoutThePin(t *testing.T) {
	t.Parallel()
	p := startPython(t, boardtest.Config{Machine: "a board with RP2350A"})
	tr := p.open(t)
	var refused *transport.PinError
	if _, err := tr.TakePin(context.Background(), "40"); !errors.As(err, &refused) || strings.Contains(err.Error(),
		"GPIO30") {
		t.Error(err)
	}
	if _, err := tr.TakePin(context.Background(), "29"); err != nil || !p.DrivesPin(29) {
		t.Error(err)
	}
}
