//go:build !race

package gpio

import "os"

// every how many wiring faults one is tried; scripts/test asks for all.
var every = func() int {
	if os.Getenv("BENCH_EVERY_WIRE") != "" {
		return 1
	}
	return 5
}()
