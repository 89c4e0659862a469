//go:build unix

package main

import (
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport/rp2040/boardtest"
)

// The benchmark measures what a board takes for steps that it makes itself, too.
func TestBenchmarkOnABoard(t *testing.T) {
	testkit.Long(t)
	boardtest.Need(t)
	t.Parallel()
	b := boardtest.Start(t, demo(t, "tt-demo-rp2350"))
	code, said := bench(t, "benchmark", "-t", "rp2040", "--port", b.TTY, "--each", "10ms")
	for _, want := range []string{"a round trip takes", "bytes out and", "a step generated at the far end, " +
		"as in a sweep, takes", "a run takes"} {
		if code != exitPass || !strings.Contains(said, want) {
			t.Errorf("exit code %d, and no %q in\n%s", code, want, said)
		}
	}
	b.Check(t)
}
