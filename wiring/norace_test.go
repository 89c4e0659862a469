//go:build !race

package wiring

import "os"

// every how many faults one is tried: all of them take a minute and a half, so scripts/test asks for them.
var every = func() int {
	if os.Getenv("BENCH_EVERY_WIRE") != "" {
		return 1
	}
	return 5
}()
