package driver_test

import (
	"context"
	"fmt"
	"log"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// Parse a list of output lines with a range.
func ExampleParseOutputs() {
	lines, err := driver.ParseOutputs("uo0-uo2,uio7")
	fmt.Println(lines.Names(), err)
	_, err = driver.ParseOutputs("ui0")
	fmt.Println(err)
	// Output:
	// [uo0 uo1 uo2 uio7] <nil>
	// "ui0" is not a list of output lines (want uo0 to uo7 and uio0 to uio7, as in uo0-uo6,uio3)
}

// Count the compared output bits of each line and level.
func ExampleEvidence() {
	var e driver.Evidence
	steps := []transport.Step{{}, {Drive: 0xFF}}
	e.Add(steps, []transport.Sample{{Out: 0x01, OutX: 0xF0, IOX: 0xFF}, {Out: 0x00, OutX: 0xF0}})
	fmt.Println(e.Bits(), e.Lines()[0])
	// Output: 8 {uo0 1 1}
}

// Run a vector without expectations of its own, and compare each step with the tile's reference.
func ExampleRunner_RunIterations() {
	chip := mock.Open(mock.Config{Tile: utf.TT09})
	defer chip.Close()
	v := &golden.Vector{Name: "own/reset", Sequence: golden.Sequence{
		Steps: []transport.Step{{Reset: true, Clocks: 1}, {Clocks: 1}}}}
	r := driver.Runner{Transport: chip, Tile: utf.TT09}
	tally, err := r.RunIterations(context.Background(), driver.Iterations([]driver.Job{{Vector: v}}, 3))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tally.Steps, tally.Verdicts[driver.Pass])
	// Output: 6 3
}

// Recognise the design before driving any uio line.
func ExampleRecognise() {
	chip := mock.Open(mock.Config{Tile: utf.TT09})
	defer chip.Close()
	found, err := driver.Recognise(context.Background(), chip, utf.TT09)
	fmt.Println(found.OK, err)
	// Output: true <nil>
}

// Determine a chip's revision.
func ExampleDetectRevision() {
	chip := mock.Open(mock.Config{Tile: utf.TT08})
	defer chip.Close()
	rev, found, err := driver.DetectRevision(context.Background(), chip, utf.TT09)
	fmt.Println(rev.Revision(), found.OK, err)
	// Output: tt08 true <nil>
}
