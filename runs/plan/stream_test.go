package plan

import (
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile/utf"
)

// A capture of any length can be recorded: it never has more batches than a recording may have vectors.
func TestBatchesOfACapture(t *testing.T) {
	for clocks, batch := range map[int]int{1: driver.BatchSteps, driver.BatchSteps*mostBatches - 1: driver.BatchSteps,
		1 << 30: 35794} {
		s := Selection{Tile: utf.TT09, Capture: &driver.Capture{Clocks: clocks}}
		p, err := s.Plan(1)
		if err != nil || p.Stream.Batch != batch || p.Vectors > golden.MaxVectors {
			t.Errorf("%d clocks: %d batches of %+v, %v", clocks, p.Vectors, p.Stream, err)
		}
	}
}
