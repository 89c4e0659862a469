package rp2040

import (
	"testing"
	"time"

	"utfbench/internal/testkit"
)

// newPace uses the known time of a wait loop unless the measured time differs by more than the measurement's error.
func TestLoopAsMeasured(t *testing.T) {
	f := testkit.Must(findFamily("Raspberry Pi Pico with RP2040"))(t)
	for measured, want := range map[int]int{0: 64, 63: 64, 69: 64, 80: 80, 48: 48} {
		h := &hello{viper: true, loop: time.Duration(measured)}
		if got := newPace(f, h).loop; got != time.Duration(want) {
			t.Errorf("a loop measured as %d ns: %s, want %d ns", measured, got, want)
		}
	}
}
