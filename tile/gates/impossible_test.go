package gates_test

import (
	"os"
	"path/filepath"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/project"
)

// Each output of this design is a case of TestImpossible.
const levels = `module tt_um_levels (input [7:0] ui_in, output [7:0] uo_out, input [7:0] uio_in, output [7:0] uio_out,
    output [7:0] uio_oe, input ena, clk, rst_n);
  reg [4:0] n;
  reg low, high, free, mutual;
  reg [1:0] chain;
  always @(posedge clk or negedge rst_n) if (!rst_n) high <= 1; else high <= high | ui_in[0];
  always @(posedge clk) begin
    n <= !rst_n ? 5'd0 : n + 5'd1;
    low <= rst_n & low & ui_in[0];
    free <= free & ui_in[0];
    chain <= !rst_n ? 2'd0 : {chain[0] | ui_in[0], chain[0] & ui_in[1]};
  end
  assign uo_out = {chain, free, high, low, n[4], 1'b1, ui_in[0]};
  assign uio_oe = 8'h03, uio_out = {6'd0, ui_in[1] & 1'b0, chain[0] & ui_in[1]};
endmodule
`

// A level is impossible if no state after a reset has it, as with a constant, a register that never changes after the
// reset, or an output that depends on such a register. A level that takes many clocks to reach, or that a register
// without a reset may have, is possible.
func TestImpossible(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"src/levels.v": levels,
		"info.yaml": "project:\n  top_module: tt_um_levels\n  source_files: [levels.v]\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x := elaborated(t, testkit.Must(project.Open(dir))(t))
	want := tile.Levels{Low: 0x12, High: 0x348}
	if got := x.ImpossibleLevels(tile.Levels{Low: 0x3FF, High: 0x3FF}); got != want {
		t.Errorf("%03x; want %03x", got, want)
	}
	if got := x.ImpossibleLevels(tile.Levels{High: 8}); got != (tile.Levels{High: 8}) {
		t.Errorf("%03x, where only level 1 of uo3 was asked for", got)
	}
}
