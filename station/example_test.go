package station_test

import (
	"context"
	"fmt"
	"log"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// ExampleKind adds a kind of transport to a target's.
func ExampleKind() {
	own := station.Kind{Name: "own", DefaultBoard: "mock", Open: func(context.Context, *station.Target, string,
		*station.Chip) (transport.Transport, error) {
		return mock.Open(mock.Config{Tile: utf.TT09}), nil
	}}
	target := station.NewTarget("own")
	target.Kinds = append(station.Kinds(), own)
	chip, err := target.Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer chip.Close()
	fmt.Println(chip.Info.Kind)
	// Output: own
}

// ExampleRun runs vectors, from the options to the outcome. Observers of the run implement report.Reporter.
func ExampleRun() {
	ctx := context.Background()
	run := station.Run{Target: station.NewTarget("mock"), Vectors: plan.Selection{Suites: []string{"man7"}}}
	run.Target.Faults, run.Target.Seed = []string{"uo3=stuck1"}, 1
	for _, step := range []func(context.Context) error{run.Plan, run.Open, run.Prepare} {
		if err := step(ctx); err != nil {
			log.Fatal(err)
		}
	}
	defer run.Close()
	failed := 0
	outcome, err := run.Judge(ctx, report.ResultFunc(func(r *driver.Result) error {
		if r.Verdict == driver.Fail {
			failed++
		}
		return nil
	}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcome.Verdict(), failed == run.VectorPlan.Vectors, failure.ExitCode(outcome.Err()))
	// Output: FAIL true 1
}
