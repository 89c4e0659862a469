package tile_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// A design may have been fabricated in several revisions.
func ExampleByRevision() {
	rev, known := tile.ByRevision(utf.TT09, "tt08")
	fmt.Println(rev.Revision(), known, tile.Revisions(utf.TT09))
	// Output: tt08 true [tt09 tt08]
}

// A reference says what a right chip shows at each step, from an unknown state.
func ExampleExpect() {
	steps := []transport.Step{tile.Reset(utf.TT09), {Clocks: 1}}
	want := make([]transport.Sample, len(steps))
	if err := tile.Expect(utf.TT09, steps, want); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%08b\n", want[0].Out)
	// Output: 11000000
}

// Random steps are legal: the bench drives no line that the chip drives.
func ExampleRandom() {
	steps, err := tile.Random(utf.TT09, rand.New(rand.NewPCG(1, 1)), 100)
	fmt.Println(len(steps), steps[0].Reset, err, utf.TT09.Lint(steps))
	// Output: 100 true <nil> <nil>
}

// A step is described in the words of the chip.
func ExampleDescribe() {
	fmt.Println(tile.Describe(utf.TT09, tile.Reset(utf.TT09)))
	// Output: reset
}
