package report

import "testing"

// FourState reports true only for Icarus: other simulators, netlists and boards have no level X.
func TestFourState(t *testing.T) {
	for _, c := range []struct {
		chip Chip
		want bool
	}{
		{Chip{Kind: "verilog", Design: "tt_um_example (icarus)"}, true},
		{Chip{Kind: "verilog", Design: "tt_um_example (verilator)"}, false},
		{Chip{Kind: "netlist", Design: "tt_um_example"}, false},
		{Chip{Kind: "rp2040", Design: "icarus"}, false},
	} {
		if got := c.chip.FourState(); got != c.want {
			t.Errorf("%+v: %v", c.chip, got)
		}
	}
}
