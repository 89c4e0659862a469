package stuckat

import (
	"slices"
	"testing"

	"utfbench/transport"
)

// A chip that counts up to 2 and then from 0 is in these states after its reset, each named once, and before it in any.
func TestStates(t *testing.T) {
	text := tile(`inv i0 (.A(q0), .Y(n0)); inv i1 (.A(q1), .Y(n1)); nand2 u (.A(n0), .B(n1), .Y(m));
		inv v (.A(m), .Y(z)); buf w (.A(q1), .X(y));
		dfrbp f0 (.CLK(clk), .D(z), .RESET_B(rst_n), .Q(q0)); dfrbp f1 (.CLK(clk), .D(q0), .RESET_B(rst_n), .Q(q1));`)
	n := netlistOf(t, text)
	clock := transport.Step{Drive: 0xFF, Clocks: 1}
	reset := clock
	reset.Reset = true
	for _, c := range []struct {
		steps []transport.Step
		want  []uint64
	}{
		{[]transport.Step{reset}, nil},
		{[]transport.Step{reset, clock}, []uint64{0, 1}},
		{[]transport.Step{reset, clock, clock, clock, clock, clock}, []uint64{0, 1, 2}},
		{[]transport.Step{clock, reset}, []uint64{0, 1, 2}}, // 1 and 2 are where the power-ups had led
	} {
		v := Vector{Suite: "s", Name: "s/v", Steps: c.steps}
		expect(t, text, &v)
		states, err := States(t.Context(), n, []Vector{v})
		if err != nil {
			t.Fatal(err)
		}
		var got []uint64
		for _, s := range states {
			got = append(got, s[0])
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%d steps: %v, want %v", len(c.steps), got, c.want)
		}
	}
}
