package shmoo_test

import (
	"fmt"
	"log"

	"utfbench/cause/shmoo"
)

// Parse makes a grid of two axes.
func ExampleParse() {
	g, err := shmoo.Parse("pulse=10ns..1us/4", "settle=0..100ns/2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(g.Cells), g.XTime(0), g.XTime(3), g.YTime(1))
	// Output: 8 10ns 1µs 100ns
}
