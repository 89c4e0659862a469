package tile_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// A design may be fabricated in several revisions.
func ExampleFindRevision() {
	rev, known := tile.FindRevision(utf.TT09, "tt08")
	fmt.Println(rev.Revision(), known, tile.Revisions(utf.TT09))
	// Output: tt08 true [tt09 tt08]
}

// A reference predicts a good chip's sample at each step, starting in an unknown state.
func ExampleExpect() {
	steps := []transport.Step{tile.ResetStep(utf.TT09), {Clocks: 1}}
	want := make([]transport.Sample, len(steps))
	if err := tile.Expect(utf.TT09, steps, want); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%08b\n", want[0].Out)
	// Output: 11000000
}

// Random steps are legal: the bench drives no line that the chip drives.
func ExampleRandomSteps() {
	steps, err := tile.RandomSteps(utf.TT09, rand.New(rand.NewPCG(1, 1)), 100)
	fmt.Println(len(steps), steps[0].Reset, err, utf.TT09.Lint(steps))
	// Output: 100 true <nil> <nil>
}

// A byte with a partly unknown digit is shown in binary.
func ExampleHexOrBinary() {
	fmt.Println(tile.HexOrBinary(0x5A, 0), tile.HexOrBinary(0x5A, 0x0F), tile.HexOrBinary(0x5A, 0xF2))
	// Output: 5A 0101xxxx xxxx10x0
}

// Describe a step in the terms of the chip's data sheet.
func ExampleDescribe() {
	fmt.Println(tile.Describe(utf.TT09, tile.ResetStep(utf.TT09)))
	// Output: reset
}
