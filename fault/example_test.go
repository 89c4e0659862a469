package fault_test

import (
	"fmt"
	"log"

	"utfbench/fault"
	"utfbench/transport"
)

// An echo is a chip without a clock: uo equals ui.
type echo struct{}

func (echo) Drives(in fault.Levels) (fault.Levels, uint32) {
	return fault.Levels{V: in.V & fault.MaskUI << fault.UO, X: in.X & fault.MaskUI << fault.UO}, fault.MaskUO
}
func (echo) ClockEdge(fault.Levels) {}

// Simulate a bridge of uo0 and uo1 on any chip; a low level wins.
func Example() {
	f, err := fault.BitNames(nil).Parse("uo0~uo1=and")
	if err != nil {
		log.Fatal(err)
	}
	wires := fault.New(echo{}, []fault.Fault{f}, 1)
	for _, ui := range []uint8{0x00, 0x01, 0x02, 0x03} {
		fmt.Printf("ui %02X, uo %02X\n", ui, wires.Step(transport.Step{In: ui}).Out)
	}
	// Output:
	// ui 00, uo 00
	// ui 01, uo 00
	// ui 02, uo 00
	// ui 03, uo 03
}
