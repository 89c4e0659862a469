package station

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/runs/plan"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/tile/project"
	"utfbench/transport/mock"
)

// A run is no PASS if its grading was interrupted, unless its user requires no strength.
func TestInterruptedGrading(t *testing.T) {
	x := inverter(t)
	p := testkit.Must((&plan.Selection{Tile: x, Random: 50}).Plan(1))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for g, want := range map[*Grading]driver.Verdict{{}: driver.Weak, {Required: true}: driver.Pass,
		{Required: true, Least: 1}: driver.Weak} {
		r := driver.Runner{Transport: mock.Open(mock.Config{Tile: x}), Tile: x}
		grade := g.attach(&r, new(plan.Exploration), new(Target).Tell)
		tally := testkit.Must(r.RunIterations(t.Context(), p.Iterations))(t)
		if grade(ctx, tally); tally.Strength != nil || tally.Verdict() != want {
			t.Errorf("%+v: %v, want %v", g, tally.Verdict(), want)
		}
	}
}

// Without a threshold of the user's the usual one applies.
func TestUsualStrength(t *testing.T) {
	x := inverter(t)
	p := testkit.Must((&plan.Selection{Tile: x, Random: 2}).Plan(1))(t)
	for _, c := range []struct {
		Grading
		want float64
	}{{Grading{}, UsualStrength}, {Grading{Required: true}, 0}, {Grading{Required: true, Least: 90}, 90}} {
		r := driver.Runner{Transport: mock.Open(mock.Config{Tile: x}), Tile: x}
		grade := c.Grading.attach(&r, new(plan.Exploration), new(Target).Tell)
		tally := testkit.Must(r.RunIterations(t.Context(), p.Iterations))(t)
		if grade(t.Context(), tally); tally.Strength == nil || tally.Least != c.want {
			t.Errorf("%+v: %+v, at least %g, want %g", c.Grading, tally.Strength, tally.Least, c.want)
		}
	}
}

// Of a sample the untestable faults outside it are unknown.
func TestStrengthOfSample(t *testing.T) {
	l := grade.NewList(inverter(t).Design)
	g := &grade.Grading{List: l, Findings: make([]grade.Finding, len(l.Classes))}
	if s := StrengthOf(g); !s.Loose { // all are ungraded
		t.Errorf("%+v", s)
	}
	for i := range g.Findings {
		g.Findings[i].Outcome = grade.Found
	}
	if s := StrengthOf(g); s.Loose {
		t.Errorf("%+v", s)
	}
}

// inverter returns a tile by its gates, without questions of its own.
func inverter(t *testing.T) *gates.Tile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tt_um_x.v")
	text := testkit.Cells(`module tt_um_x (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe,
  input ena, clk, rst_n);
  inv i (.A(ui_in[0]), .Y(uo_out[0]));
  assign uo_out[7:1] = ui_in[7:1];
  assign uio_out = 8'b0;
  assign uio_oe = 8'b0;
endmodule
`)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return testkit.Must(gates.Open(&project.Project{Netlist: path}))(t)
}
