package burst_test

import (
	"fmt"

	"utfbench/transport/burst"
)

// A clock is given as a frequency or as a period.
func ExampleParsePeriod() {
	a, err := burst.ParsePeriod("20MHz")
	b, _ := burst.ParsePeriod("50ns")
	fmt.Println(a, b, err)
	// Output: 50ns 50ns <nil>
}
