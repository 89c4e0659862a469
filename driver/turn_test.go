package driver_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// turning returns a tile whose bus changes direction, and random vectors for it.
func turning(t *testing.T) (x *gates.Tile, jobs []driver.Job) {
	x = testkit.Must(gates.Open(testkit.Must(project.Open("../tile/gates/testdata/turn.v"))(t)))(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		jobs = append(jobs, driver.Job{Vector: &golden.Vector{Sequence: golden.Sequence{
			Steps: testkit.Must(tile.RandomSteps(x, rng, 100))(t)}}})
	}
	return x, jobs
}

// After a difference the bench releases the bus, and does not count the effects of the missing levels as differences.
func TestReleased(t *testing.T) {
	for _, samples := range []int{1, 3} {
		releases(t, samples)
	}
}

func releases(t *testing.T, samples int) {
	x, jobs := turning(t)
	released := 0
	for line := range 8 {
		f := fault.Fault{Kind: fault.Inverted, A: fault.UO + line}
		r := driver.Runner{Tile: x, Transport: mock.Open(mock.Config{Tile: x, Faults: []fault.Fault{f}}),
			Rules: driver.Rules{Samples: samples}, Report: func(res *driver.Result) {
				for i, s := range res.Trace.Steps {
					released += int(res.Vector.Steps[i].Drive &^ s.Drive)
				}
			}}
		tally := testkit.Must(r.Run(t.Context(), jobs))(t)
		for i, of := range tally.Lines {
			if wrong := of != (driver.LineTally{}); wrong != (i == line) {
				t.Errorf("uo%d is inverted, %d samples: line %d has %+v", line, samples, i, of)
			}
		}
	}
	if released == 0 {
		t.Error("nothing was released")
	}
}

// inverting is a chip with uo0 inverted.
type inverting struct{ transport.Transport }

func (v inverting) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := v.Transport.Apply(ctx, steps, samples)
	for i := range n {
		samples[i].Out ^= 1
	}
	return n, err
}

// Released lines may float, so different samples of them are not counted as an Instability.
func TestReleasedFloat(t *testing.T) {
	x, jobs := turning(t)
	const random = 3 // a seed with which floating lines are random
	r := driver.Runner{Tile: x, Transport: inverting{x.Design.Device("chip", random)}, Rules: driver.Rules{Samples: 3},
		Report: func(*driver.Result) {}}
	tally := testkit.Must(r.Run(t.Context(), jobs))(t)
	if tally.Lines[0] == (driver.LineTally{}) || tally.Instability.Lines != [16]int{} {
		t.Errorf("%+v, %+v", tally.Lines, tally.Instability)
	}
}
