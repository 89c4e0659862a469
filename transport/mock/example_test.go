package mock_test

import (
	"fmt"
	"log"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// A mock is a tile's reference behind wires into which faults can be injected.
func ExampleOpen() {
	f, err := tile.RegisterBits(utf.TT09).Parse("uio5=open")
	if err != nil {
		log.Fatal(err)
	}
	chip := mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})
	fmt.Println(chip, chip.Close())
	// Output: mock:tt09 with uio5=open <nil>
}
