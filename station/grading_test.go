package station

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/runs/explain"
	"utfbench/runs/plan"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// A run with interrupted grading is not PASS unless the user requires no coverage.
func TestInterruptedGrading(t *testing.T) {
	x := inverter(t)
	p := testkit.Must((&plan.Selection{Tile: x, RandomSteps: 50}).Plan(1))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for g, want := range map[*Grading]driver.Verdict{{}: driver.Weak, {ThresholdRequired: true}: driver.Pass,
		{ThresholdRequired: true, MinPercent: 1}: driver.Weak} {
		r := driver.Runner{Transport: mock.Open(mock.Config{Tile: x}), Tile: x}
		grade := g.attach(&r, new(Exploration), new(Target).StartActivity)
		tally := testkit.Must(r.RunIterations(t.Context(), p.Iterations))(t)
		if grade(ctx, tally); tally.Coverage != nil || tally.Verdict() != want {
			t.Errorf("%+v: %v, want %v", g, tally.Verdict(), want)
		}
	}
}

// If the user gives no threshold, the default applies.
func TestDefaultCoverage(t *testing.T) {
	x := inverter(t)
	p := testkit.Must((&plan.Selection{Tile: x, RandomSteps: 2}).Plan(1))(t)
	for _, c := range []struct {
		Grading
		want float64
	}{{Grading{}, DefaultCoverage}, {Grading{ThresholdRequired: true}, 0},
		{Grading{ThresholdRequired: true, MinPercent: 90}, 90}} {
		r := driver.Runner{Transport: mock.Open(mock.Config{Tile: x}), Tile: x}
		grade := c.Grading.attach(&r, new(Exploration), new(Target).StartActivity)
		tally := testkit.Must(r.RunIterations(t.Context(), p.Iterations))(t)
		if grade(t.Context(), tally); tally.Coverage == nil || tally.MinCoverage != c.want {
			t.Errorf("%+v: %+v, at least %g, want %g", c.Grading, tally.Coverage, tally.MinCoverage, c.want)
		}
	}
}

// If a model judges a run, a netlist grades it. The run is WEAK only if the coverage is below the user's threshold.
func TestCoverageBesideModel(t *testing.T) {
	p := testkit.Must((&plan.Selection{Tile: utf.TT09, RandomSteps: 5000, Seed: 1}).Plan(1))(t)
	for g, want := range map[*Grading]driver.Verdict{{}: driver.Pass,
		{ThresholdRequired: true, MinPercent: 100}: driver.Weak} {
		r := driver.Runner{Transport: mock.Open(mock.Config{Tile: utf.TT09}), Tile: utf.TT09}
		grade := g.attach(&r, new(Exploration), new(Target).StartActivity)
		tally := testkit.Must(r.RunIterations(t.Context(), p.Iterations))(t)
		grade(t.Context(), tally)
		if c := tally.Coverage; !c.BesideModel || c.Found == 0 || tally.Verdict() != want {
			t.Errorf("at least %g: %v, %s, want %v (%s)", g.MinPercent, c, tally.Verdict(), want, tally.Weakness())
		}
	}
	r := driver.Runner{Tile: utf.TT08}
	if new(Grading).attach(&r, new(Exploration), new(Target).StartActivity) != nil {
		t.Error("the other revision has no netlist, and is graded")
	}
}

// A run is graded by bench coverage's faults or a sample of them. Grading also proves faults untestable.
func TestCoverageOfRun(t *testing.T) {
	var wide strings.Builder // each stage passes its input on, whatever level ui1 has
	for i := range 200 {
		fmt.Fprintf(&wide, "nand2 a%d (.A(n%[1]d), .B(ui_in[1]), .Y(a[%[1]d]));\n"+
			"nand2 b%[1]d (.A(n%[1]d), .B(low), .Y(b[%[1]d]));\n"+
			"nand2 o%[1]d (.A(a[%[1]d]), .B(b[%[1]d]), .Y(n%d));\n", i, i+1)
	}
	x := netlist(t, "wire [199:0] a, b;\nwire low;\ninv i (.A(ui_in[1]), .Y(low));\nassign n0 = ui_in[0];\n"+
		wide.String()+"assign uo_out = {ui_in[7:1], n200};")
	p := testkit.Must((&plan.Selection{Tile: x, RandomSteps: 400, Seed: 1}).Plan(1))(t)
	r, of := driver.Runner{Transport: mock.Open(mock.Config{Tile: x}), Tile: x}, Grading{}
	graded := of.attach(&r, new(Exploration), new(Target).StartActivity)
	tally := testkit.Must(r.RunIterations(t.Context(), p.Iterations))(t)
	graded(t.Context(), tally)
	all := testkit.Must(explain.Grade(t.Context(), x, x.Design, of.vectors, explain.MutationDraw{}))(t)
	run, whole := tally.Coverage, all.Faults.Coverage()
	low, high := run.Interval()
	if run.Unproved > 0 || whole.Untestable < 400 || whole.Percent() < low || whole.Percent() > high {
		t.Errorf("%s; %s, %d untestable", run, whole, whole.Untestable)
	}
}

func inverter(t *testing.T) *gates.Tile {
	t.Helper()
	return netlist(t, "inv i (.A(ui_in[0]), .Y(uo_out[0])); assign uo_out[7:1] = ui_in[7:1];")
}

// netlist returns a tile with this module body, without probes.
func netlist(t *testing.T, body string) *gates.Tile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tt_um_x.v")
	text := testkit.SkyWaterCells(`module tt_um_x (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe,
  input ena, clk, rst_n);
` + body + `
  assign uio_out = 8'b0;
  assign uio_oe = 8'b0;
endmodule
`)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return testkit.Must(gates.Open(&project.Project{Netlist: path}))(t)
}
