package station_test

import (
	"context"
	"fmt"
	"log"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/plan"
	"utfbench/station"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A target is opened, all its vectors are run, and the verdict is printed. With "rp2040" it is a chip on a demo board.
func ExampleTarget_Open() {
	ctx := context.Background()
	target := station.New("mock")
	target.Faults = []string{"uo3=stuck1"}
	chip, err := target.Open(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer chip.Close()
	asked, err := (&plan.Selection{Tile: chip.Tile, Suites: []string{"man7"}}).Plan(1)
	if err != nil {
		log.Fatal(err)
	}
	tally, err := (&driver.Runner{Transport: chip, Tile: chip.Tile}).RunIterations(ctx, asked.Iterations)
	fmt.Println(chip, tally.Verdict(), err)
	// Output: mock:tt09 with uo3=stuck1 FAIL <nil>
}

// Each layer between bench and chip is looked at, and told of.
func ExampleTarget_Examine() {
	target := station.New("mock")
	verdict, err := target.Examine(context.Background(), func(f station.Finding) { fmt.Println(f.Mark, f.Layer) })
	fmt.Println(verdict, err)
	// Output:
	// ok transport
	// ok chip answers
	// ok clock and reset
	// ok bus turn-around
	// ok parking
	// -- chip
	// SKIPPED <nil>
}

// What a user can correct is told apart from what is the bench's fault.
func ExampleTarget_Check() {
	target := station.New("mock")
	target.Faults = []string{"uo9=stuck1"}
	err := target.Check()
	fmt.Println(failure.KindOf(err) == failure.User)
	// Output: true
}

// A program adds a way to reach a chip by a value.
func ExampleKind() {
	own := station.Kind{Name: "own", Board: "mock", Open: func(context.Context, *station.Target, string,
		*station.Chip) (transport.Transport, error) {
		return mock.Open(mock.Config{Tile: utf.TT09}), nil
	}}
	target := station.New("own")
	target.Kinds = append(station.Kinds(), own)
	chip, err := target.Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer chip.Close()
	fmt.Println(chip.Asked.Kind)
	// Output: own
}
