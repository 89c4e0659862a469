package driver_test

import (
	"context"
	"fmt"
	"log"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// Run a vector on a chip with a fault and print the first step that differs from the model.
func ExampleRunner() {
	stuck, err := model.Bits.Parse("uo3=stuck1")
	if err != nil {
		log.Fatal(err)
	}
	suite, err := golden.LoadFile(golden.FS(), "man7.vec", utf.Dialect)
	if err != nil {
		log.Fatal(err)
	}
	runner := driver.Runner{Tile: utf.TT09,
		Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{stuck}})}
	runner.Report = func(r *driver.Result) {
		m := r.FirstMismatch
		fmt.Printf("%s %s\n", r.Verdict, r.Vector.Name)
		fmt.Printf("step %d: %s\n", m.Index+1, tile.Describe(utf.TT09, m.Step))
		fmt.Printf("got %s, want %s\n", tile.Binary(m.Got.Out, m.Got.OutX), tile.Binary(m.Want.Out, m.Want.OutX))
	}
	tally, err := runner.Run(context.Background(), []driver.Job{{Vector: &suite.Vectors[0], File: suite.File}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("all of it:", tally.Verdict())
	// Output:
	// FAIL man7/bytes-1/00000000/utf32-le-nochk
	// step 1: reset
	// got 11001000, want 11000000
	// all of it: FAIL
}
