package burst_test

import (
	"fmt"

	"utfbench/transport/burst"
)

// A clock is given as a frequency or as a period.
func ExampleParseClock() {
	a, err := burst.ParseClock("20MHz")
	b, _ := burst.ParseClock("50ns")
	fmt.Println(a.Period, b.Period, err)
	// Output: 50ns 50ns <nil>
}
