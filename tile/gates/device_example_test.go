package gates_test

import (
	"context"
	"fmt"
	"log"

	"utfbench/tile/gates"
	"utfbench/transport"
)

// Simulate a chip from a fabricated netlist. The seed selects its power-up state and the fate of floating lines.
func ExampleOpenDevice() {
	chip, err := gates.OpenDevice(gates.DeviceConfig{File: "testdata/tt_um_bench_turn.v", Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer chip.Close()
	got := make([]transport.Sample, 1)
	_, err = transport.Apply(context.Background(), chip, []transport.Step{{Reset: true, Clocks: 2}}, got)
	fmt.Printf("%s, %d unknown bits, %v\n", chip.FloatingNote(), got[0].Unknown().Count(), err)
	// Output: floating lines are low, 0 unknown bits, <nil>
}
