package untestable

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"utfbench/netlist"
	"utfbench/netlist/stuckat"
	"utfbench/transport"
)

// reset is the first step: rst_n and the rest of ui low.
var reset = transport.Step{Reset: true, Clocks: 1}

// after are the classes that are proved untestable after the reset, by the first fault of each.
func after(t *testing.T, n *netlist.Netlist, met ...uint64) (names []string) {
	t.Helper()
	start := Start{First: reset}
	for _, s := range met {
		start.States = append(start.States, []uint64{s})
	}
	classes := stuckat.Classes(n)
	is, err := ProveAfter(t.Context(), n, classes, start)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range classes {
		if is[i] {
			names = append(names, c[0].String())
		}
	}
	return names
}

// A counter goes 0, 1, 2, 0: that it is at 3 would show, and never comes. Guesses from too few states are given up.
func TestCounterPastItsEnd(t *testing.T) {
	n := netlistOf(t, tile(`nand2 a (.A(q0), .B(q1), .Y(three)); inv b (.A(three), .Y(y));
		inv i0 (.A(q0), .Y(n0)); inv i1 (.A(q1), .Y(n1)); nand2 u (.A(n0), .B(n1), .Y(m)); inv v (.A(m), .Y(d0));
		buf w (.A(q0), .X(d1)); dfrbp f0 (.CLK(clk), .D(d0), .RESET_B(rst_n), .Q(q0));
		dfrbp f1 (.CLK(clk), .D(d1), .RESET_B(rst_n), .Q(q1));`))
	for _, met := range [][]uint64{{0, 1, 2}, {0}} {
		got := after(t, n, met...)
		if !slices.Contains(got, "a/Y stuck at 1") {
			t.Errorf("states %v: not proved, only %v", met, got)
		}
		if slices.Contains(got, "a/Y stuck at 0") || slices.Contains(got, "b/Y stuck at 1") {
			t.Errorf("states %v: %v: a chip that always shows 1 is found", met, got)
		}
	}
	if slices.Contains(proved(t, n), "a/Y stuck at 1") {
		t.Error("in any state it is proved too: the test tests nothing")
	}
}

// In netlists by chance exactly those faults are proved that show in no state that the chip gets into, and change
// nothing at the first step from any state: the states are counted one by one.
func TestAgainstAllStates(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	some, more := 0, 0
	for range 30 {
		n := netlistOf(t, chance(r))
		reached := reachedIn(n)
		var met []uint64
		for s, is := range reached {
			if is {
				met = append(met, uint64(s))
			}
		}
		got := after(t, n, met...)
		for _, c := range stuckat.Classes(n) {
			want := !changesAfter(n, c[0].Change(), reached)
			if slices.Contains(got, c[0].String()) != want {
				t.Errorf("%v: proved %v", &c[0], !want)
			}
			if want {
				some++
				if changes(n, c[0].Change()) {
					more++
				}
			}
		}
	}
	if some < 50 || more < 10 {
		t.Errorf("only %d were proved, of these %d because of states: the test tests little", some, more)
	}
}

// first are the levels of inputsOf at the first step, from a state.
func first(state uint) uint { return state << 4 }

// reachedIn says which states a chip is in after the first step, by the bits of its two flip-flops.
func reachedIn(n *netlist.Netlist) (reached [4]bool) {
	next := func(levels uint) (state uint) {
		v := nodes(n, stuckat.Change{}, levels)[0]
		for i, f := range n.Flops {
			if l := n.Lits[f.Next]; v[l.Node()] != l.Inverted() {
				state |= 1 << i
			}
		}
		return state
	}
	for state := range uint(4) {
		reached[next(first(state))] = true
	}
	for range reached {
		for levels := range uint(1) << 6 {
			if reached[levels>>4] {
				reached[next(levels)] = true
			}
		}
	}
	return reached
}

func changesAfter(n *netlist.Netlist, c stuckat.Change, reached [4]bool) bool {
	takes := []int{n.Flops[0].Next, n.Flops[1].Next}
	for levels := range uint(1) << 6 {
		state := levels >> 4
		if levels == first(state) && shows(n, c, levels, takes) {
			return true
		}
		if reached[state] && shows(n, c, levels, append(n.Out[:], takes...)) {
			return true
		}
	}
	return false
}

// When nobody waits any more, nothing is proved.
func TestStopped(t *testing.T) {
	n := netlistOf(t, tile("inv i (.A(ui_in[0]), .Y(n)); buf b (.A(ui_in[1]), .X(y));"))
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	is, err := ProveAfter(cut, n, stuckat.Classes(n), Start{First: reset})
	if !errors.Is(err, context.Canceled) || slices.Contains(is, true) {
		t.Error(is, err)
	}
}
