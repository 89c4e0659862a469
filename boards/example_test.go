package boards_test

import (
	"fmt"
	"log"

	"utfbench/boards"
)

// Open a board, which maps lines of the chip to pins.
func ExampleOpen() {
	b, err := boards.Open("rpi")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Title, b.Transport, b.PinNames()["clk"])
	// Output: 40-pin header of a Raspberry Pi gpio 19
}

// A mistake in a board file is reported with its place.
func ExampleParse() {
	_, err := boards.Parse("own.yaml", []byte("name: own\ntransport: gpio\npins: {clk: GPIO4, uo9: GPIO5}\n"))
	fmt.Printf("%.32s\n", err)
	// Output: own.yaml:3: unknown signal "uo9"
}

// Look up a shuttle's design, its number and its commit in the index.
func ExampleShuttles() {
	index := boards.Shuttles()
	at := index.Shuttle("tt09").DesignsNamed("tt_um_rebeccargb_hardware_utf8")
	fmt.Println(at[0].Number, at[0].Commit)
	// Output: 897 ac16d629b4
}
