package tile_test

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// A recording as the reference knows the bits that were the same in all executions, and only after the same history;
// and none that depend on how a chip powers up.
func TestRecorded(t *testing.T) {
	r, idle := tile.NewRecorded(utf.TT09), utf.TT09.Idle()
	steps := []transport.Step{tile.ResetStep(utf.TT09), {In: idle, Clocks: 1}, {In: idle, Clocks: 2}}
	same, vague := transport.Sample{Out: 0xC0, IO: 0x0F}, transport.Sample{Out: 0xC0, IO: 0x0E, IOX: 1}
	varied := transport.Sample{Out: 0x40, OutX: 0x80, IO: 0x0E, IOX: 1}
	for _, samples := range [][]transport.Sample{{same, same, same}, {same, vague, {Out: 0x40, IO: 0x0E}}, {same, same,
		same}} {
		if err := r.Learn(steps, samples); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Learn(steps[1:], []transport.Sample{same, same}); err != nil {
		t.Fatal(err)
	}
	nothing := transport.Sample{OutX: 0xFF, IOX: 0xFF}
	for _, c := range []struct {
		steps   []transport.Step
		want    []transport.Sample
		illegal bool
	}{{steps, []transport.Sample{same, vague, varied}, false},
		{[]transport.Step{steps[0], steps[2]}, []transport.Sample{same, nothing}, true},
		{steps[1:2], []transport.Sample{nothing}, false}} {
		got := make([]transport.Sample, len(c.steps))
		if err := r.New().Run(c.steps, got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v after %+v: %v; want %+v", got, c.steps, err, c.want)
		}
		if _, illegal := errors.AsType[*tile.IllegalStepError](r.Lint(c.steps)); illegal != c.illegal {
			t.Errorf("%+v: illegal %v", c.steps, illegal)
		}
	}
	if r.VaryingSteps() != 4 { // two steps differ in the second execution, and from what was kept in the third
		t.Errorf("%d steps waver", r.VaryingSteps())
	}
}

// plain is a tile without names.
type plain struct{ tile.Tile }

// A line has the tile's name, if it has one.
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

// A step without the tile's words has the levels that it sets, and its clocks if there are several.
func TestDescribe(t *testing.T) {
	for want, s := range map[string]transport.Step{
		"clock, ui 80": {In: 0x80, Clocks: 1}, "look, ui 00, uio 5x": {IO: 0x50, Drive: 0xF0},
		"clock, ui 01, lingers, 2 clocks": {In: 1, Clocks: 2, Linger: true}, "reset, ui 00": {Reset: true, Clocks: 1}} {
		if got := tile.Describe(plain{utf.TT09}, s); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

// Random steps move single lines both ways, and take at most 31 clocks.
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
