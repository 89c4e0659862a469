//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
)

// The board makes and signs the steps of a block; the certificate says so and verifies.
func TestSweepOnABoard(t *testing.T) {
	testkit.Long(t)
	boardtest.Need(t)
	t.Parallel()
	b := boardtest.Start(t, demo(t, "tt-demo-rp2350"))
	file := filepath.Join(t.TempDir(), "certificate")
	code, said := bench(t, "sweep", "-t", "rp2040", "--port", b.TTY, "--shard", "1089/1089", "--certificate", file)
	if code != exitPass || !strings.Contains(said, "8192 cases were generated and signed by the far end, CRC-32; the "+
		"steps of 0 were carried\nPASS  the chip answered 8192 cases") {
		t.Errorf("exit code %d, and it says\n%s", code, said)
	}
	if b.Lines() != transport.Park {
		t.Errorf("afterwards the lines are %+v; want them parked", b.Lines())
	}
	b.Check(t)
	if code, said := bench(t, "sweep", "verify", file); code != exitPass ||
		!strings.Contains(said, "8192 of the cases are confirmed by a CRC-32 signature only") {
		t.Errorf("verify: exit code %d, and it says\n%s", code, said)
	}
}

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
