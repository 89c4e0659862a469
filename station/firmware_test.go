package station

import (
	"testing"

	"utfbench/transport/rp2040"
)

// A run keeps the temperature where it can be one.
func TestMeasured(t *testing.T) {
	for celsius, want := range map[float64]string{30.6: "mcu_celsius=31", -12.4: "mcu_celsius=-12", 437.2: "",
		-300: ""} {
		if got := measured(&rp2040.Facts{Celsius: &celsius}).String(); got != want {
			t.Errorf("%g: %q, want %q", celsius, got, want)
		}
	}
	if got := measured(&rp2040.Facts{}); got != nil {
		t.Errorf("of a board that says none: %v", got)
	}
}

// A run keeps the clock of the microcontroller, since the times on the lines come from it.
func TestFirmware(t *testing.T) {
	got := firmware(&rp2040.Facts{Machine: "Raspberry Pi Pico with RP2040", Firmware: "1.24.0", Hertz: 125_000_000})
	if got != "Raspberry Pi Pico with RP2040, MicroPython 1.24.0, 125 MHz" {
		t.Error(got)
	}
}
