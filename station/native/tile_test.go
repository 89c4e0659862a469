package native

import (
	"regexp"
	"strings"
	"testing"

	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile/factory"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

const testdata = "../../tile/gates/testdata/"

// Without Yosys a tile has no reference. The mock's error and a run's notes explain how to get it.
func TestNoYosys(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("YOSYSHQ_ROOT", "")
	of, err := (&TileName{Where: testdata + "turn"}).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const cure = "yosys is not installed; it makes the gates of a tile's RTL: apt-get install yosys"
	target := New("mock")
	target.Tile = of
	if _, err := target.Open(t.Context()); err == nil || !strings.Contains(err.Error(), cure) {
		t.Error(err)
	}
	target.Transport = "netlist:" + testdata + "tt_um_bench_turn.v"
	run := station.Run{Target: target, Vectors: plan.Selection{Random: 20}, NoWiring: true}
	if err := run.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if _, err := run.Judge(t.Context(), report.All{}); err != nil {
		t.Error(err)
	}
	if c := run.Chip; c.Against != report.Alone || !strings.Contains(strings.Join(c.Notes, "\n"), cure) {
		t.Errorf("compared with %q, notes %q", c.Against, c.Notes)
	}
}

// Without gates and bench-tile.yaml the driver of uio is unknown.
func TestShowWithoutGates(t *testing.T) {
	lines := uint8(0x10)
	for want, outputs := range map[string]*uint8{`uio4 +uio4 +input or output\n`: nil, `uio4 +uio4 +output\n`: &lines} {
		var b strings.Builder
		err := ShowTile(&b, gates.Described{About: &project.Project{Top: "tt_um_x", Outputs: outputs}})
		if err != nil || !regexp.MustCompile(want).MatchString(b.String()) {
			t.Errorf("no %s: %v\n%s", want, err, &b)
		}
	}
}

// A built-in tile without revisions names none.
func TestShowBuiltIn(t *testing.T) {
	var b strings.Builder
	err := ShowTile(&b, factory.Tile{})
	if err != nil || !regexp.MustCompile(`(?m)^reference +the model in this program$`).MatchString(b.String()) {
		t.Errorf("%v\n%s", err, &b)
	}
}
