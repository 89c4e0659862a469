package rtl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport"
)

// A rehearsal of silicon: a netlist of each tile, made of the RTL by Yosys 0.23, wakes up at random and is never FAIL.
// BENCH_POWERUPS is how often; docs/tiles.md has the figure of a thousand.
func TestPowerUps(t *testing.T) {
	inEach(t, func(t *testing.T, simulator string) {
		times := map[string]int{"verilator": testkit.Pick(10, 30), "icarus": testkit.Pick(1, 30)}[simulator]
		if n := os.Getenv("BENCH_POWERUPS"); n == "1000" {
			times = 1000
		}
		for _, name := range tiles {
			x := openedIn(t, simulator, name)
			jobs := byChance(t, x, 20)
			first := device(t, x, 1, filepath.Join("testdata", name, "netlist.v"))
			defer first.Close()
			for seed := range times {
				tr, err := first.Again(t.Context(), uint32(seed+1))
				if err != nil {
					t.Fatal(err)
				}
				tally, failed := verdicts(t, x, tr, jobs)
				tr.Close()
				if tally.Verdicts[driver.Pass] != len(jobs) {
					t.Fatalf("%s, power-up %d: %+v %+v", name, seed+1, tally, failed)
				}
			}
			t.Logf("%s: %d power-ups, no FAIL", name, times)
		}
	})
}

// rare has a register that is hardly ever what it is on a chip that was used, if its levels are drawn by chance.
const rare = `module tt_um_bench_rare (
    input wire [7:0] ui_in, output wire [7:0] uo_out,
    input wire [7:0] uio_in, output wire [7:0] uio_out, output wire [7:0] uio_oe,
    input wire ena, input wire clk, input wire rst_n);
  reg [31:0] v;
  always @(posedge clk)
    if (!rst_n) v <= 0;
    else v <= {29'b0, ui_in[2:0]};
  assign uo_out = {7'b0, v < 8 && v != 0};
  assign {uio_out, uio_oe} = 16'b0;
endmodule
`

// What a chip was left in before is no power-up, and what it shows of that until the first clock of a reset is no FAIL.
func TestAUsedChip(t *testing.T) {
	inEach(t, usedChip)
}

func usedChip(t *testing.T, simulator string) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "src"), 0o700),
		os.WriteFile(filepath.Join(dir, "src", "rare.v"), []byte(rare), 0o600),
		os.WriteFile(filepath.Join(dir, "info.yaml"), []byte("project:\n  top_module: tt_um_bench_rare\n"+
			"  source_files: [rare.v]\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	x := openedProject(t, simulator, p)
	tr := device(t, x, 1)
	defer tr.Close()
	for _, steps := range [][]transport.Step{{tile.Reset(x), {In: 5, Clocks: 1}}, {{Reset: true}, tile.Reset(x)}} {
		jobs := []driver.Job{{Vector: &golden.Vector{Name: "used", Sequence: golden.Sequence{Steps: steps}}}}
		if tally, failed := verdicts(t, x, tr, jobs); tally.Verdicts[driver.Pass] != 1 {
			t.Errorf("%v, %+v", tally.Verdicts, failed.First)
		}
	}
}

// unsure asks of levels that a simulator does not know, in ways in which Icarus would go on with a level.
const unsure = `module tt_um_bench_unsure (
    input wire [7:0] ui_in, output reg [7:0] uo_out,
    input wire [7:0] uio_in, output wire [7:0] uio_out, output wire [7:0] uio_oe,
    input wire ena, input wire clk, input wire rst_n);
  wire nobody;
  wire odd = LOST;
  reg [2:0] never;
  reg [1:0] memory [0:2];
  initial memory[0] = 2;
  always @(posedge clk) never <= never + ui_in[0];
  always @* begin
    uo_out = 0;
    if (never == 5) uo_out[0] = 1;
    case (never[1:0]) 0: uo_out[1] = 1; default: uo_out[1] = 0; endcase
    if (memory[1] == 0) uo_out[2] = 1;
    if (memory[0] == 2) uo_out[3] = 1;
    if (odd) uo_out[4] = 1;
    uo_out[5] = ui_in[5];
  end
  assign {uio_out, uio_oe} = 16'b0;
endmodule
`

// Of a level that Icarus does not know nothing follows: not from a register that no reset reaches, nor from a word of a
// memory. A net that nothing drives, an index beyond a memory and an x in the sources leave nothing known at all.
func TestIcarusUnknown(t *testing.T) {
	for _, c := range []struct {
		lost        string
		before, out uint8 // the unknown bits of uo, with ui at 0 and at 03
	}{
		{"1'b0", 0x07, 0x07},
		{"nobody", 0xFF, 0xFF},
		{"memory[ui_in[1:0]] == 1", 0x07, 0xFF}, // word 0 is 2
		{"ui_in[1] ? 1'bx : 1'b0", 0x07, 0xFF},
	} {
		x := openedProject(t, "icarus",
			written(t, "tt_um_bench_unsure", strings.Replace(unsure, "LOST", c.lost, 1)))
		before := last(t, x, []transport.Step{x.ResetStep()}).OutX
		steps := []transport.Step{x.ResetStep(), {In: 3, Clocks: 1}, {In: 0x20}}
		after := last(t, x, steps[:2]).OutX
		if later := last(t, x, steps).OutX; before != c.before || after != c.out || later&^after != 0 {
			t.Errorf("if (%s): unknown are %02X at first, %02X then, %02X later; want %02X and %02X",
				c.lost, before, after,
				later, c.before, c.out)
		}
	}
}

// born has registers that begin with a level in a simulation, by the definition of their types or by an initial value,
// and in silicon with anything.
const born = `module tt_um_bench_born (
    input wire [7:0] ui_in, output wire [7:0] uo_out,
    input wire [7:0] uio_in, output wire [7:0] uio_out, output wire [7:0] uio_oe,
    input wire ena, input wire clk, input wire rst_n);
  typedef enum {IDLE, BUSY} state_t;
  typedef struct packed {byte low; bit high;} pair_t;
  localparam int WIDTH = 8;
  bit [WIDTH-1:0] scalar;
  byte memory [0:1];
  int unsigned number;
  shortint signed shorts [0:1];
  reg [1:0] set = 2'd2, preset;
  initial begin preset = 1; end
  state_t state;
  enum bit [1:0] {A, B, C} letter;
  pair_t pair;
  function automatic int ones(input bit [7:0] v);
    ones = 0;
    for (int i = 0; i < 8; i++) ones += int'(v[i]);
  endfunction
  always @(posedge clk) if (ui_in[7]) begin
    scalar <= 0;
    memory[0] <= byte'(ui_in << 1);
    number <= 0;
    shorts[1] <= 0;
    set <= 0;
    preset <= 0;
    state <= IDLE;
    letter <= A;
    pair <= 0;
  end
  assign uo_out = {scalar[7], memory[0][0], number[0], shorts[1][15], ui_in[6] ? set[1] : preset[1], state != IDLE, letter[0] ^ pair.high,
                   1'(ones(ui_in))};
  assign {uio_out, uio_oe} = 16'b0;
endmodule
`

// A register is unknown until it is written, whatever its type and its initial value are; a function, a constant and an
// input are not.
func TestBornUnknown(t *testing.T) {
	inEach(t, func(t *testing.T, simulator string) {
		x := openedProject(t, simulator, written(t, "tt_um_bench_born", born))
		steps := []transport.Step{x.ResetStep(), {In: 0x41, Clocks: 3}, {In: 0x01}, {In: 0x81, Clocks: 1}, {In: 0x03}}
		for n, want := range []transport.Sample{{OutX: 0xFE}, {OutX: 0xFE}, {Out: 1, OutX: 0xFE}, {}, {}} {
			if s := last(t, x, steps[:n+1]); s.OutX != want.OutX || s.Out&1 != want.Out || s.Out&^s.OutX != want.Out {
				t.Errorf("after step %d uo is %02X, unknown %02X; want %02X and %02X", n, s.Out, s.OutX, want.Out,
					want.OutX)
			}
		}
	})
}

// written is a project of one file.
func written(t *testing.T, top, text string) *project.Project {
	t.Helper()
	p := &project.Project{Top: top, Sources: []project.Source{{Path: filepath.Join(t.TempDir(), "project.v")}}}
	if err := os.WriteFile(p.Sources[0].Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}
