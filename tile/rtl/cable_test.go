package rtl

import (
	"errors"
	"slices"
	"testing"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// The steps of the wiring check show each fault of a line that any steps by chance show, and are legal.
func TestCable(t *testing.T) {
	for _, name := range tiles {
		x := opened(t, name)
		steps, err := x.Cable()
		if err := errors.Join(err, x.Lint(steps)); err != nil || len(steps) < drawn || len(steps) > mostKept*drawn {
			t.Errorf("%s: %d steps, %v", name, len(steps), err)
		}
		hidden := hide(t, x, stuckLines(), steps)
		t.Logf("%s: %d steps do not show %v", name, len(steps), hidden)
		if len(hidden) > 0 {
			many, err := tile.Chance(x, 4*drawn)
			if err != nil {
				t.Fatal(err)
			}
			if more := hide(t, x, hidden, many); len(more) < len(hidden) {
				t.Errorf("%s: the steps do not show %v, and four times as many by chance show all but %v",
					name, hidden, more)
			}
		}
		redrawn, err := x.draw()
		if err != nil || !slices.Equal(steps, redrawn) || !slices.Equal(steps, cableOf(t, opened(t, name))) {
			t.Errorf("%s: other steps the second time", name)
		}
		x.design.Keep(x.drawingOf(), []byte(`[{"Drive":255}, {"In":255,`)) // a file that is damaged
		if !slices.Equal(steps, cableOf(t, opened(t, name))) {
			t.Errorf("%s: other steps after the file was damaged", name)
		}
	}
}

func cableOf(t *testing.T, x *Tile) []transport.Step {
	t.Helper()
	steps, err := x.Cable()
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

func hide(t *testing.T, x *Tile, faults []fault.Fault, steps []transport.Step) []fault.Fault {
	t.Helper()
	hidden, err := x.hide(faults, steps)
	if err != nil {
		t.Fatal(err)
	}
	return hidden
}
