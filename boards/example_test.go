package boards_test

import (
	"fmt"
	"log"

	"utfbench/boards"
)

// A board says which of its pins carries which line.
func ExampleOpen() {
	b, err := boards.Open("rpi")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Title, b.Transport, b.Names()["clk"])
	// Output: 40-pin header of a Raspberry Pi gpio 19
}

// A file of a board is refused with the place of what is wrong in it.
func ExampleParse() {
	_, err := boards.Parse("own.yaml", []byte("name: own\ntransport: gpio\npins: {clk: GPIO4, uo9: GPIO5}\n"))
	fmt.Printf("%.32s\n", err)
	// Output: own.yaml:3: unknown signal "uo9"
}
