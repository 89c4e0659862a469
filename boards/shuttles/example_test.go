package shuttles_test

import (
	"fmt"
	"log"

	"utfbench/boards/shuttles"
)

// The index maps a shuttle's designs to numbers.
func ExampleLoad() {
	index, err := shuttles.Load()
	if err != nil {
		log.Fatal(err)
	}
	at := index.Shuttle("tt09").Named("tt_um_rebeccargb_hardware_utf8")
	fmt.Println(at[0].Number, at[0].Commit)
	// Output: 897 ac16d629b4
}
