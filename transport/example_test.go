package transport_test

import (
	"context"
	"fmt"
	"log"

	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// ExampleApply resets a chip, then raises READ (ui[4]): the chip drives uio, and uo[7:6] report that there is no data.
func ExampleApply() {
	chip := mock.Open(mock.Config{Tile: utf.TT09})
	defer chip.Close()
	steps := []transport.Step{{Reset: true, Clocks: 1}, {In: 0x10}}
	samples := make([]transport.Sample, len(steps))
	n, err := transport.Apply(context.Background(), chip, steps, samples)
	if err != nil {
		log.Fatal(err)
	}
	for i, s := range samples[:n] {
		fmt.Printf("%d: uo %02X uio %02X, of uio unknown %02X\n", i+1, s.Out, s.IO, s.IOX)
	}
	// Output:
	// 1: uo 00 uio 00, of uio unknown FF
	// 2: uo C0 uio 00, of uio unknown 00
}

// Parse a clock, given as a frequency or as a period.
func ExampleParseClock() {
	a, err := transport.ParseClock("20MHz")
	b, _ := transport.ParseClock("50ns")
	fmt.Println(a.Period, b.Period, err)
	// Output: 50ns 50ns <nil>
}
