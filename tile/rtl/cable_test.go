package rtl

import (
	"slices"
	"testing"

	"utfbench/tile"
)

// The steps of the wiring check show each fault of a line that any steps by chance show, and are legal.
func TestCable(t *testing.T) {
	for _, name := range tiles {
		x := opened(t, name)
		steps := x.Cable()
		if err := x.Lint(steps); err != nil || len(steps) < drawn || len(steps) > mostKept*drawn {
			t.Errorf("%s: %d steps, %v", name, len(steps), err)
		}
		hidden := x.hide(stuckLines(), steps)
		t.Logf("%s: %d steps do not show %v", name, len(steps), hidden)
		if len(hidden) > 0 {
			if more := x.hide(hidden, tile.Chance(x, 4*drawn)); len(more) < len(hidden) {
				t.Errorf("%s: the steps do not show %v, and four times as many by chance show all but %v",
					name, hidden, more)
			}
		}
		if !slices.Equal(steps, x.draw()) || !slices.Equal(steps, opened(t, name).Cable()) {
			t.Errorf("%s: other steps the second time", name)
		}
		x.design.Keep(x.drawingOf(), []byte(`[{"Drive":255}, {"In":255,`)) // a file that is damaged
		if !slices.Equal(steps, opened(t, name).Cable()) {
			t.Errorf("%s: other steps after the file was damaged", name)
		}
	}
}
