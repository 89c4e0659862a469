package driver_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"utfbench/driver"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// Reset a chip, write a byte and read the outputs, as a program in another language would.
func ExampleStepper() {
	d := driver.Stepper{Chip: mock.Open(mock.Config{Tile: utf.TT09}), Tile: utf.TT09}
	lines := "FF 00 00 0 1\n6F 41 FF 1 1\nFF 00 00 1 0\n"
	if err := d.Serve(context.Background(), strings.NewReader(lines), os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// C0 00
	// 01 41
	// 01 00
}
