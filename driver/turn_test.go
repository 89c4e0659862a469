package driver_test

import (
	"math/rand/v2"
	"testing"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/transport/mock"
)

// After a difference the bench releases the bus, and levels that it then withholds count as no difference.
func TestReleased(t *testing.T) {
	x := testkit.Must(gates.Open(testkit.Must(project.Open("../tile/gates/testdata/turn.v"))(t)))(t)
	var jobs []driver.Job
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		jobs = append(jobs, driver.Job{Vector: &golden.Vector{Sequence: golden.Sequence{
			Steps: testkit.Must(tile.Random(x, rng, 100))(t)}}})
	}
	released := 0
	for line := range 8 {
		f := fault.Fault{Kind: fault.Inverted, A: fault.UO + line}
		r := driver.Runner{Tile: x, Transport: mock.Open(mock.Config{Tile: x, Faults: []fault.Fault{f}}),
			Report: func(res *driver.Result) {
				for i, s := range res.Trace.Steps {
					released += int(res.Vector.Steps[i].Drive &^ s.Drive)
				}
			}}
		tally := testkit.Must(r.Run(t.Context(), jobs))(t)
		for i, of := range tally.Lines {
			if wrong := of != (driver.LineTally{}); wrong != (i == line) {
				t.Errorf("uo%d is inverted: line %d has %+v", line, i, of)
			}
		}
	}
	if released == 0 {
		t.Error("nothing was released")
	}
}
