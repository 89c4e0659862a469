package minimise_test

import (
	"context"
	"fmt"
	"log"

	"utfbench/cause/minimise"
	"utfbench/fault"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// Shorten a failing sequence on the chip itself.
func ExampleSearch() {
	f, err := tile.RegisterBits(utf.TT09).Parse("uo3=stuck1")
	if err != nil {
		log.Fatal(err)
	}
	chip := mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})
	defer chip.Close()
	steps := []transport.Step{tile.ResetStep(utf.TT09), {Clocks: 1}, {Clocks: 2}, {Clocks: 3}}
	r, err := (&minimise.Search{Transport: chip, Tile: utf.TT09}).Run(context.Background(), steps)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(steps), len(r.Steps))
	// Output: 4 1
}
