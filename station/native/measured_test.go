package native

import (
	"testing"

	"utfbench/driver"
	"utfbench/tile"
)

// MeasureTiming, which may take minutes, reports how many settings it has tried.
func TestTimingProgress(t *testing.T) {
	target := NewTarget("mock")
	target.Speed.Clock = "1MHz"
	c, err := target.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	suites, err := tile.Suites(c.Tile)
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	jobs := []driver.Job{{Vector: &suites[0].Vectors[0]}}
	r, err := MeasureTiming(t.Context(), c, "test", jobs, false, 1, func(n int) {
		if n < last {
			t.Errorf("%d settings after %d", n, last)
		}
		last = n
	})
	if err != nil || last < 2 || last != r.TriedSettings {
		t.Errorf("%d settings, %v", last, err)
	}
}
