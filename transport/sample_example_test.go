package transport_test

import (
	"fmt"

	"utfbench/transport"
)

// An unknown expected bit matches anything; an unknown sampled bit matches no known expected bit.
func ExampleSample_Differ() {
	want := transport.Sample{Out: 0b0000_0101, OutX: 0b1000_0000}
	fmt.Println(transport.Sample{Out: 0b1000_0101}.Differ(want).Names())
	fmt.Println(transport.Sample{Out: 0b0000_0001, IOX: 0b1}.Differ(want).Names())
	// Output:
	// []
	// [uo2 uio0]
}

// A line driven from both ends is in contention and counts as unknown.
func ExampleSample_SetContention() {
	s := transport.Sample{IO: 0xFF}
	s.SetContention(0b0000_0001)
	fmt.Printf("%08b in contention, %d lines unknown\n", s.Contention(), s.Unknown().Count())
	// Output: 00000001 in contention, 1 lines unknown
}

// Convert a line's name to its bit in a mask of outputs.
func ExampleParseOutput() {
	bit, known := transport.ParseOutput("uio3")
	fmt.Printf("%016b %v\n", bit, known)
	// Output: 0000100000000000 true
}

// Parse a frequency with its unit.
func ExampleParseFrequency() {
	hz, ok := transport.ParseFrequency("25.175MHz")
	fmt.Println(hz, ok, transport.FormatFrequency(hz, 3))
	// Output: 2.5175e+07 true 25.2MHz
}
