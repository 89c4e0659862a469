package diagnose

import (
	"regexp"
	"testing"

	"utfbench/cause/search"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// unsteady returns nil if samples repeat from the second time on, as with kept state, unless they are then right.
func TestKeptState(t *testing.T) {
	steps := []transport.Step{{In: model.Idle, Reset: true, Clocks: 1}, {In: model.Idle, Clocks: 1}}
	samples := func(line int) []search.Execution {
		got := testkit.ModelSamples(model.TT09, steps)
		got[1].Out ^= 1 << line
		return []search.Execution{{Steps: steps, Got: got}}
	}
	const none = 8
	for again, want := range map[[2]int]bool{{1, 1}: false, {1, 0}: true, {1, 2}: true, {none, none}: true} {
		e, then := newExam(search.Search{Tile: utf.TT09}, samples(0)), again[:]
		e.again = func() []search.Execution { defer func() { then = then[1:] }(); return samples(then[0]) }
		if r := e.unsteady(); (r != nil) != want {
			t.Errorf("uo0 is wrong, and then lines %v: %+v", again, r)
		}
	}
}

// CheckWiring names a line that is wrong now and then, with the number of its errors, or the lines that may float. The
// search ends there, and another design does not clear such a line.
func TestUnsteady(t *testing.T) {
	cases := []struct {
		tile        tile.Tile
		fault, want string
	}{
		{utf.TT09, "uo4=flip:1e-2:3", "^uo4 is wrong now and then, in [1-9][0-9]* of 3224 samples "},
		{utf.TT09, "uio2=flip:1e-2:3", "^(uio2 is wrong now and then|the samples change when the steps are repeated)"},
		{utf.TT09, "ui2=flip:1e-2:1", "^uo5 or ui2 is wrong now and then"}, // the other lines do not show ui2
		{utf.TT09, "ui0=open:random:1", ", one of ui0, clk, rst_n$"},
		{utf.TT09, "ui4=open:random:3", ", one of ui4, clk, rst_n$"}, // resets then seem to have no effect
	}
	turn := testkit.Must(gates.Open(testkit.Must(project.Open("../../tile/gates/testdata/tt_um_bench_turn.v"))(t)))(t)
	if testkit.Full() {
		cases = append(cases, cases[3])
		cases[5].tile, cases[5].want = turn, " floating line: ui0$"
	}
	for _, c := range cases {
		chip := mock.Open(mock.Config{Tile: c.tile, Faults: search.MustParse(c.tile, c.fault).Faults})
		r := testkit.Must(CheckWiring(t.Context(), chip, c.tile, 0))(t)
		chip.Close()
		if r.Verdict != UnclearWires || !r.Unrepeatable || r.Suspects != nil ||
			!regexp.MustCompile(c.want).MatchString(r.Reason) {
			t.Errorf("%s, %s: %s, %s, %s", c.tile.Name(), c.fault, r.Verdict, r.Reason, names(r))
		}
		err := r.LocateByOtherDesign(t.Context(), &WiringReport{Verdict: GoodWires}, "T")
		if err != nil || r.BlamesDesign() {
			t.Errorf("%s: %v, %s", c.fault, err, r.Reason)
		}
	}
}
