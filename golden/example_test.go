package golden_test

import (
	"fmt"
	"log"

	"utfbench/golden"
	"utfbench/tile/utf"
	"utfbench/transport"
)

const text = `suite own
document data-sheet
section "The counter"

vector counts "two clocks"
  expects reference
  step 81 00 00 1 2 uo=02
`

// Parse a file of vectors in PlainDialect, which has only steps.
func ExampleParse() {
	plain := golden.PlainDialect{Reset: transport.Step{Reset: true, Clocks: 10}}
	suite, err := golden.Parse("own.vec", text, plain)
	if err != nil {
		log.Fatal(err)
	}
	v := suite.Vectors[0]
	fmt.Println(v.Name, len(v.Steps), v.Checks[0].Out)
	// Output: own/counts 2 {255 2}
}

// The built-in vectors test the UTF chip; each names the document and row of its source.
func ExampleLoadFile() {
	suite, err := golden.LoadFile(golden.FS(), "man7.vec", utf.Dialect)
	if err != nil {
		log.Fatal(err)
	}
	v := &suite.Vectors[0]
	fmt.Println(suite.Name, len(suite.Vectors), v.Name, v.Suite())
	// Output:
	// man7 633 man7/bytes-1/00000000/utf32-le-nochk man7
}

// Format a step as in a file: ui, uio, the lines of uio that the bench drives, rst_n and clocks.
func ExampleStepText() {
	fmt.Println(golden.StepText(transport.Step{In: 0x81, Clocks: 3}, golden.Bits{Level: 0x40, Mask: 0xC0},
		golden.Bits{}))
	fmt.Println(golden.StepText(transport.Step{IO: 0x0F, Drive: 0xFF, Reset: true, Linger: true}, golden.Bits{},
		golden.Bits{Level: 0x0F, Mask: 0xFF}))
	// Output:
	// step 81 00 00 1 3 uo=40/C0
	// step 00 0F FF 0 0 linger uio=0F
}

// A digest identifies vectors by their contents, independently of file names.
func ExampleDigest() {
	a, err := golden.Load(golden.FS(), utf.Dialect)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(a), len(golden.Digest(a)))
	// Output: 7 64
}
