package native

import (
	"testing"

	"utfbench/transport/lab"
)

// Auto offers a board of a lab only if it is the only one with a chip.
func TestOnlyChip(t *testing.T) {
	model, one := lab.Board{Host: "pi1", Name: "good", Kind: "mock"}, lab.Board{Host: "pi1", Name: "b1", Kind: "gpio"}
	other := lab.Board{Host: "pi2", Name: "b1", Kind: "rp2040"}
	for _, c := range []struct {
		free []lab.Board
		want string
	}{{nil, ""}, {[]lab.Board{model}, ""}, {[]lab.Board{model, one}, "lab:pi1/b1"}, {[]lab.Board{one, other}, ""}} {
		if got := onlyChip(c.free); got != c.want {
			t.Errorf("%v: %q; want %q", c.free, got, c.want)
		}
	}
}
