package diagnose_test

import (
	"context"
	"fmt"
	"log"

	"utfbench/cause/diagnose"
	"utfbench/fault"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// ExampleCheckWiring checks the wires before judging a chip.
func ExampleCheckWiring() {
	f, err := tile.RegisterBits(utf.TT09).Parse("ui3=open")
	if err != nil {
		log.Fatal(err)
	}
	chip := mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})
	defer chip.Close()
	r, err := diagnose.CheckWiring(context.Background(), chip, utf.TT09, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict, r.SuspectsByLine()[0].Lines)
	// Output: WIRING [ui3]
}
