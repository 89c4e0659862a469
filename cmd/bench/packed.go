package main

import (
	"fmt"

	"utfbench/tile/pack"
	"utfbench/transport"
)

// contents says how much a pack has.
func contents(x *pack.Index) string {
	combinational := 0
	for i := range x.Designs {
		if x.Designs[i].Combinational {
			combinational++
		}
	}
	return fmt.Sprintf("%d designs, %d of them combinational; %d left out", len(x.Designs), combinational,
		len(x.Left))
}

// clockOf returns a frequency as text, or "" for none.
func clockOf(hz int) string {
	if hz == 0 {
		return ""
	}
	return transport.Frequency(float64(hz), 4)
}
