//go:build unix

package main

import (
	"strings"
	"testing"

	"utfbench/transport/rp2040/boardtest"
)

// Twenty commands in a row on a board with little memory, beside an index of all designs of tt09, leave tt there, or
// the last line says how to get it back; then that works.
func TestEmulatorKeepsTT(t *testing.T) {
	e := onRelease(t, boardtest.NewRelease(t, "tt09"), "tt09")
	mixed := []string{"run -t rp2040 --no-history", "run -t rp2040 --suite guide --no-history", "wiring -t rp2040",
		"doctor -t rp2040", "park"}
	kept := 0
	for i := range 20 {
		said := e.passes(t, mixed[i%len(mixed)])
		e.parked(t)
		switch {
		case strings.Contains(said, "the chip is parked, and tt is available"):
			kept++
		case !strings.Contains(said, "bench park --reboot, or Ctrl-D at the board's prompt"):
			t.Errorf("command %d, %s, does not say how tt is there:\n%s", i+1, mixed[i%len(mixed)], said)
		}
		t.Logf("command %d: tt was there after %d", i+1, kept)
		if t.Failed() {
			return
		}
	}
	if kept < 20 {
		e.passes(t, "park --reboot", "main.py was run, and tt is available")
	}
}
