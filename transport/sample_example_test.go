package transport_test

import (
	"fmt"

	"utfbench/transport"
)

// An unknown bit of what is wanted matches anything; an unknown bit that was got matches nothing.
func ExampleSample_Differ() {
	want := transport.Sample{Out: 0b0000_0101, OutX: 0b1000_0000}
	fmt.Println(transport.Sample{Out: 0b1000_0101}.Differ(want).Names())
	fmt.Println(transport.Sample{Out: 0b0000_0001, IOX: 0b1}.Differ(want).Names())
	// Output:
	// []
	// [uo2 uio0]
}

// Two parties that drive one line are in contention, and the line is unknown.
func ExampleSample_Contend() {
	s := transport.Sample{IO: 0xFF}
	s.Contend(0b0000_0001)
	fmt.Printf("%08b in contention, %d lines unknown\n", s.Contention(), s.Unknown().Count())
	// Output: 00000001 in contention, 1 lines unknown
}

// Lines have names and places in a mask.
func ExampleOutputNamed() {
	bit, known := transport.OutputNamed("uio3")
	fmt.Printf("%016b %v\n", bit, known)
	// Output: 0000100000000000 true
}

// A user gives a frequency as it is written.
func ExampleParseFrequency() {
	hz, ok := transport.ParseFrequency("25.175MHz")
	fmt.Println(hz, ok, transport.Frequency(hz, 3))
	// Output: 2.5175e+07 true 25.2MHz
}
