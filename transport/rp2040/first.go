package rp2040

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"utfbench/transport"
)

//go:embed first.py
var measurements []byte

// A Measurer checks the assumptions about a board in docs/first-board.md. The SDK's clock must be stopped.
type Measurer struct {
	Console *Console
	Pins    map[string]int
	Mux     *Mux // nil if the bench cannot or must not access it
}

// measure calls a function of first.py, after sending first.py if necessary.
func (f *Measurer) measure(ctx context.Context, answer any, function string, args ...any) error {
	c := f.Console
	if err := c.prepare(ctx, asked); err != nil {
		return c.wrap(err)
	}
	if !c.first {
		for _, piece := range pieces(measurements) {
			if _, err := c.link.do(ctx, piece); err != nil {
				return c.wrap(err)
			}
		}
		c.first = true
	}
	return c.ask(ctx, answer, function, args...)
}

// CheckEcho reports whether the board echoes some kilobytes unchanged.
func (f *Measurer) CheckEcho(ctx context.Context) (whole bool, err error) {
	sent := strings.Repeat("0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ", 30)
	for range 4 {
		var got string
		if err := f.measure(ctx, &got, "say", sent); err != nil || got != sent {
			return false, err
		}
	}
	return true, nil
}

// FindUndriven describes each of clk and the mux's lines that does not follow the bench.
func (f *Measurer) FindUndriven(ctx context.Context) (names []string, err error) {
	all, pins := []string{"clk"}, []int{f.Pins["clk"]}
	if f.Mux != nil && f.Mux.Select < 0 { // otherwise the design's outputs use the same pins
		all, pins = append(all, "nrst", "inc", "ena"), append(pins, f.Mux.NRst, f.Mux.Inc, f.Mux.Ena)
	}
	var seen [][2]int
	if err := f.measure(ctx, &seen, "follow", pins); err != nil {
		return nil, err
	}
	if len(seen) != len(all) {
		return nil, fmt.Errorf("the board measured %d lines, not %d", len(seen), len(all))
	}
	for i, levels := range seen {
		if levels != [2]int{1, 0} {
			names = append(names, fmt.Sprintf("%s (GPIO%d) is %d when driven high and %d when driven low", all[i],
				pins[i], levels[0], levels[1]))
		}
	}
	return names, nil
}

// MeasureResetLevels returns the level of rst_n while the bench drives it low, after its release, and with a pull-up.
func (f *Measurer) MeasureResetLevels(ctx context.Context) (seen [3]int, err error) {
	return seen, f.measure(ctx, &seen, "released", f.Pins["rst_n"])
}

// HoldsAgainstPullDown reports whether a pin keeps its level against its pull-down, which is erratum RP2350-E9.
func (f *Measurer) HoldsAgainstPullDown(ctx context.Context) (bool, error) {
	var high int
	err := f.measure(ctx, &high, "stays", f.Pins[transport.Lines[transport.UI]])
	return high != 0, err
}

// FindUnpulled returns the lines of uio that do not follow pulls although no design that drives them is selected. On an
// RP2350 pull-downs prove nothing (erratum RP2350-E9).
func (f *Measurer) FindUnpulled(ctx context.Context, pullDowns bool) (names []string, err error) {
	var seen [][2]int
	if err := f.measure(ctx, &seen, "undriven", busPins(f.Pins, transport.UIO)); err != nil {
		return nil, err
	}
	for i, levels := range seen[:min(len(seen), 8)] {
		if levels[0] == 0 || pullDowns && levels[1] == 1 {
			names = append(names, fmt.Sprintf("%s at %d", transport.Lines[transport.UIO+i], levels[0]))
		}
	}
	return names, nil
}

// A FactoryResponse describes the response of the factory test, which must be selected.
type FactoryResponse struct {
	Responds bool     // uo follows ui during the reset, in any order
	Swapped  []string // pairs of lines
	Edge     string   // edge of clk at which it counts, rising or falling; "" for neither
}

// counted holds the factory test's counts before and after each of eight edges. The test ignores the first clock.
var counted = map[string][]int{"rising": {0, 0, 0, 1, 1, 2, 2, 3, 3}, "falling": {0, 0, 0, 0, 1, 1, 2, 2, 3}}

// MeasureFactoryResponse measures the order of the lines, and the edge of clk.
func (f *Measurer) MeasureFactoryResponse(ctx context.Context) (of FactoryResponse, err error) {
	var seen [3][]int
	err = f.measure(ctx, &seen, "factory", busPins(f.Pins, transport.UI), busPins(f.Pins, transport.UO),
		busPins(f.Pins, transport.UIO), f.Pins["clk"], f.Pins["rst_n"])
	if err != nil || len(seen[0]) != 8 || len(seen[1]) != 8 {
		return of, err
	}
	of.Responds = true
	for edge, want := range counted {
		if slices.Equal(seen[2], want) {
			of.Edge = edge
		}
	}
	for one := range 8 {
		for other := one + 1; other < 8; other++ {
			inputs, both := exchanged(seen[0], one, other), exchanged(seen[1], one, other)
			for bus, is := range map[int]bool{transport.UO: inputs && both, transport.UI: inputs && !both,
				transport.UIO: both && !inputs} {
				if is {
					of.Swapped = append(of.Swapped, transport.Lines[bus+one]+" and "+transport.Lines[bus+other])
				}
			}
		}
	}
	return of, nil
}

func exchanged(seen []int, one, other int) bool {
	return seen[one] == 1<<other && seen[other] == 1<<one
}
