package gates_test

import (
	"fmt"
	"log"

	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
)

// Open a fabricated netlist as a tile. Its gates predict a good chip's samples, as far as no power-up state matters.
func ExampleOpen() {
	p, err := project.Open("testdata/tt_um_bench_turn.v")
	if err != nil {
		log.Fatal(err)
	}
	x, err := gates.Open(p)
	if err != nil {
		log.Fatal(err)
	}
	want := make([]transport.Sample, 1)
	err = tile.Expect(x, []transport.Step{{Reset: true, Clocks: 2}}, want)
	fmt.Printf("uo %08b, unknown %08b, %v\n", want[0].Out, want[0].OutX, err)
	// Output: uo 00110000, unknown 10000100, <nil>
}

// With random choices, a chip powers up in one state, and its floating lines have one fate.
func ExampleDesign_NewChip() {
	d, _, err := gates.OpenFile("testdata/tt_um_bench_turn.v", "", nil)
	if err != nil {
		log.Fatal(err)
	}
	chip := d.NewChip(&sim.RandomChoices{Seed: 1, Fate: sim.Low})
	s := chip.Apply(&transport.Step{Reset: true, Clocks: 2})
	fmt.Println(s.Unknown().Count())
	// Output: 0
}

// Parse a cell fault in the user's syntax.
func ExampleParseCellFault() {
	f, err := gates.ParseCellFault("_042_/A=stuck1")
	fmt.Println(f, err)
	// Output: _042_/A=stuck1 <nil>
}
