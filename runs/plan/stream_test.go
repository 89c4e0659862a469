package plan

import (
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/runs/report"
	"utfbench/tile/utf"
)

// The batches of a capture can be recorded, however long it is: a recording has as many names as a run has vectors.
func TestBatchesOfACapture(t *testing.T) {
	for clocks, batch := range map[int]int{1: driver.BatchSteps, driver.BatchSteps*mostBatches - 1: driver.BatchSteps,
		1 << 30: 35794} {
		s := Selection{Tile: utf.TT09, Capture: &driver.Capture{Clocks: clocks}}
		p, err := s.Plan(1)
		if err != nil || p.Stream.Batch != batch || p.Vectors > golden.MostVectors {
			t.Errorf("%d clocks: %d batches of %+v, %v", clocks, p.Vectors, p.Stream, err)
		}
	}
	asked := &driver.Invocation{Capture: &driver.Capture{Clocks: 9}, NoWiring: true}
	again, err := (&Selection{Tile: utf.TT09}).PlanAgain(&report.Recording{Start: report.Start{Invocation: asked,
		Count: 1}})
	if err != nil || again.Invocation != asked || again.Vectors == 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
}
