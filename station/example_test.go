package station_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/plan"
	"utfbench/runs/report"
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
	// ok wires
	// ok chip answers
	// ok clock and reset
	// ok bus turn-around
	// ok parking
	// -- chip
	// PASS <nil>
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

// A run goes from options to an outcome; whoever reports implements report.Reporter.
func ExampleRun() {
	ctx := context.Background()
	run := station.Run{Target: station.New("mock"), Vectors: plan.Selection{Suites: []string{"man7"}}}
	run.Target.Faults, run.Target.Seed = []string{"uo3=stuck1"}, 1
	for _, step := range []func(context.Context) error{run.Plan, run.Open, run.Prepare} {
		if err := step(ctx); err != nil {
			log.Fatal(err)
		}
	}
	defer run.Close()
	failed := 0
	outcome, err := run.Judge(ctx, report.Each(func(r *driver.Result) error {
		if r.Verdict == driver.Fail {
			failed++
		}
		return nil
	}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcome.Verdict(), failed == run.Asked.Vectors, failure.ExitCode(outcome.Err()))
	// Output: FAIL true 1
}

// The words of a target are those of a command line, and make the same target again.
func ExampleTarget_Words() {
	target := station.New("rp2040:/dev/ttyACM0")
	target.Settle, target.Speed.At = time.Microsecond, "20MHz"
	words := target.Words()
	fmt.Println(words)
	again := station.New("")
	names, err := again.Parse(words)
	fmt.Println(names, err, again.Transport == target.Transport)
	// Output:
	// [-t rp2040:/dev/ttyACM0 --at 20MHz --settle 1µs]
	// [at settle t] <nil> true
}

// Of several targets each has the options that its transport has a use for.
func ExampleTarget_With() {
	all := station.New("")
	all.Design, all.Insist = "none", true
	for _, transport := range []string{"mock", "rp2040", "replay:last"} {
		target := all.With(transport)
		fmt.Println(target.Words())
	}
	// Output:
	// [-t mock --insist]
	// [-t rp2040 --design none --insist]
	// [-t replay:last]
}

// One vector is repeated, as one needs it at a scope, until the context ends.
func ExampleRun_Loop() {
	ctx, cancel := context.WithCancel(context.Background())
	run := station.Run{Target: station.New("mock"),
		Vectors: plan.Selection{Match: "^chip/bmp/00000000/utf16-le-nochk$"}}
	for _, step := range []func(context.Context) error{run.Plan, run.Open, run.Prepare} {
		if err := step(ctx); err != nil {
			log.Fatal(err)
		}
	}
	defer run.Close()
	verdict, err := run.Loop(ctx, io.Discard, func(l *station.Loop) {
		if l != nil && l.Judged() == 1000 {
			cancel()
		}
	})
	fmt.Println(verdict, err)
	// Output: WEAK <nil>
}
