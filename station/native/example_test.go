package native_test

import (
	"context"
	"fmt"
	"log"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/station/native"
	"utfbench/tile/utf"
)

// Example opens a target, runs the suite man7 on it, and prints the verdict. With "rp2040" or "gpio" it is a real chip.
func Example() {
	ctx := context.Background()
	target := native.NewTarget("mock")
	target.Faults = []string{"uo3=stuck1"}
	chip, err := target.Open(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer chip.Close()
	suite, err := golden.LoadFile(golden.FS(), "man7.vec", utf.Dialect)
	if err != nil {
		log.Fatal(err)
	}
	var jobs []driver.Job
	for i := range suite.Vectors {
		jobs = append(jobs, driver.Job{Vector: &suite.Vectors[i], File: suite.File})
	}
	runner := driver.Runner{Transport: chip, Tile: chip.Tile}
	tally, err := runner.Run(ctx, jobs)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %s: %s\n", chip, chip.Tile.Revision(), tally.Verdict())
	// Output: mock:tt09 with uo3=stuck1, tt09: FAIL
}

// Example_mistake shows how an error is classified by its cause.
func Example_mistake() {
	target := native.NewTarget("mock")
	target.Revision = "tt99"
	_, err := target.Open(context.Background())
	fmt.Println(err)
	fmt.Println(failure.KindOf(err) == failure.User)
	// Output:
	// --revision "tt99": allowed are tt09, tt08
	// true
}
