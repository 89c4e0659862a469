//go:build unix

package rp2040

import (
	"context"
	"os"
	"testing"
	"time"

	"go.bug.st/serial"

	"utfbench/boards"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
)

// The conformance kit runs on a real board at BENCH_PORT, such as /dev/ttyACM0. BENCH_BOARD and BENCH_REVISION replace
// the defaults. The UTF chip must be selected.
func TestBoardConformance(t *testing.T) {
	name := os.Getenv("BENCH_PORT")
	if name == "" {
		t.Skip("no board: set BENCH_PORT to its serial port, such as /dev/ttyACM0")
	}
	usual := func(variable, value string) string {
		if v := os.Getenv(variable); v != "" {
			return v
		}
		return value
	}
	board := testkit.Must(boards.Open(usual("BENCH_BOARD", "tt-demo-tt06")))(t)
	pins, high, err := board.PinNumbers()
	if err != nil {
		t.Fatal(err)
	}
	rev, ok := map[string]model.Revision{"tt08": model.TT08, "tt09": model.TT09}[usual("BENCH_REVISION", "tt09")]
	if !ok {
		t.Fatal("BENCH_REVISION is not the name of a revision")
	}
	steps := testkit.Stimulus(1, 500)
	testkit.RunTransport(t, testkit.TransportKit{
		Open: func(t testing.TB) transport.Transport {
			port := testkit.Must(serial.Open(name, &serial.Mode{BaudRate: 115200}))(t)
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			return testkit.Must(startOn(ctx, port, name, Config{Pins: pins, HighPins: high}))(t)
		},
		Stimulus:        steps,
		Want:            testkit.ModelSamples(rev, steps),
		ExpectedSamples: func(steps []transport.Step) []transport.Sample { return testkit.ModelSamples(rev, steps) },
	})
}
