package tile_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// plain is a tile without names.
type plain struct{ tile.Tile }

// OutputName includes the tile's name of a line, if there is one.
func TestOutput(t *testing.T) {
	for _, c := range []struct {
		of   tile.Tile
		bit  int
		want string
	}{{utf.TT09, 3, "uo3 (OVERLONG)"}, {utf.TT09, 15, "uio7"}, {plain{utf.TT09}, 3, "uo3"}, {plain{utf.TT09}, 8,
		"uio0"}} {
		if got := tile.OutputName(c.of, utf.TT09.Idle(), c.bit); got != c.want {
			t.Errorf("bit %d is %s; want %s", c.bit, got, c.want)
		}
	}
	for _, names := range [][]string{tile.InputNames(plain{utf.TT09}), tile.OutputNames(plain{utf.TT09}, 0),
		tile.BusNames(plain{utf.TT09})} {
		if len(names) != 8 {
			t.Errorf("%d names: %q", len(names), names)
		}
	}
}

// Without a StepDescriber, Describe gives a step's operation and levels, and its clocks if there are several.
func TestDescribe(t *testing.T) {
	for want, s := range map[string]transport.Step{
		"clock, ui 80": {In: 0x80, Clocks: 1}, "look, ui 00, uio 0101xxxx": {IO: 0x50, Drive: 0xF0},
		"clock, ui 01, lingers, 2 clocks": {In: 1, Clocks: 2, Linger: true}, "reset, ui 00": {Reset: true, Clocks: 1}} {
		if got := tile.Describe(plain{utf.TT09}, s); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

// RandomSteps raises and lowers single lines of ui, with at most 31 clocks a step.
func TestRandomMoves(t *testing.T) {
	steps, err := tile.RandomSteps(plain{utf.TT09}, rand.New(rand.NewPCG(1, 1)), 500)
	if err != nil {
		t.Fatal(err)
	}
	rises, falls := 0, 0
	for i, s := range steps[1:] {
		last := steps[i].In
		switch moved := s.In ^ last; {
		case s.Clocks > 31:
			t.Errorf("step %d has %d clocks", i+2, s.Clocks)
		case bits.OnesCount8(moved) == 1 && moved&last == 0:
			rises++
		case bits.OnesCount8(moved) == 1:
			falls++
		}
	}
	if rises < 40 || falls < 40 {
		t.Errorf("of single lines, %d rise and %d fall", rises, falls)
	}
}
