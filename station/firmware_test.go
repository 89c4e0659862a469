package station

import (
	"testing"

	"utfbench/transport/rp2040"
)

// firmware includes the microcontroller's clock, which determines the times on the lines.
func TestFirmware(t *testing.T) {
	got := firmware(&rp2040.Facts{Machine: "Raspberry Pi Pico with RP2040", Firmware: "1.24.0", Hertz: 125_000_000})
	if got != "Raspberry Pi Pico with RP2040, MicroPython 1.24.0, 125 MHz" {
		t.Error(got)
	}
}
