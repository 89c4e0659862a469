package gates_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// free is a counter without a reset, whose outputs are therefore unknown, and one combinational output.
const free = `module tt_um_free (
    input wire [7:0] ui_in, output wire [7:0] uo_out,
    input wire [7:0] uio_in, output wire [7:0] uio_out, output wire [7:0] uio_oe,
    input wire ena, input wire clk, input wire rst_n);
  reg [6:0] count;
  always @(posedge clk) count <= count + 3;
  assign uo_out = {ui_in[0] ^ ui_in[1], count};
  assign uio_out = 0, uio_oe = 0;
  wire unused = &{ena, rst_n, ui_in[7:2], uio_in, 1'b0};
endmodule
`

// The wiring check proves the lines that its steps show at both levels. It lists all others, which may be faulty.
func TestUnprovenLines(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "src"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"info.yaml": "project:\n  top_module: tt_um_free\n  source_files:\n" +
		"    - free.v\n", "src/free.v": free} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := testkit.Must(project.Open(dir))(t)
	x := elaborated(t, p)
	want := slices.DeleteFunc(slices.Clone(transport.Lines[:]), func(line string) bool {
		return slices.Contains([]string{"ui0", "ui1", "uo7"}, line)
	})
	for _, text := range []string{"uo3=stuck1", "", "clk=stuck0", "uio5=open"}[:testkit.Pick(1, 4)] {
		c := mock.Config{Tile: x}
		if text != "" {
			f := testkit.Must(tile.RegisterBits(x).Parse(text))(t)
			c.Faults = []fault.Fault{f}
		}
		tr := mock.Open(c)
		r, err := diagnose.CheckWiring(t.Context(), tr, x, 0)
		tr.Close()
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != diagnose.UnprovenWires || !slices.Equal(r.UnprovenLines, want) ||
			!strings.Contains(r.Reason, "9 lines are unproven: no step would have shown them stuck: uo0-uo6, clk, "+
				"rst_n; the tile does not use ui2-ui7, uio0-uio7") {
			t.Errorf("%q: %s, %s, %v; want %v", text, r.Verdict, r.Reason, r.UnprovenLines, want)
		}
	}
}

// rare has a register whose value on a used chip is very unlikely at a random power-up.
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

// The old state of a used chip may show until a reset's first clock, which is no FAIL.
func TestAUsedChip(t *testing.T) {
	usedChip(t)
}

func usedChip(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "src"), 0o700),
		os.WriteFile(filepath.Join(dir, "src", "rare.v"), []byte(rare), 0o600),
		os.WriteFile(filepath.Join(dir, "info.yaml"), []byte("project:\n  top_module: tt_um_bench_rare\n"+
			"  source_files: [rare.v]\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	p := testkit.Must(project.Open(dir))(t)
	x := elaborated(t, p)
	tr := device(t, x)
	defer tr.Close()
	reset := tile.ResetStep(x)
	for _, steps := range [][]transport.Step{{reset, {In: 5, Clocks: 1}}, {{Reset: true}, reset}} {
		jobs := []driver.Job{{Vector: &golden.Vector{Name: "used", Sequence: golden.Sequence{Steps: steps}}}}
		if tally, failed := verdicts(t, x, tr, jobs); tally.Verdicts[driver.Pass] != 1 {
			t.Errorf("%v, %+v", tally.Verdicts, failed.FirstMismatch)
		}
	}
}

// born has registers that begin at a defined level in a simulation, by type or initial value, but at any in silicon.
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
  function automatic [3:0] ones(input [7:0] v);
    integer i;
    ones = 0;
    for (i = 0; i < 8; i = i + 1) ones = ones + v[i];
  endfunction
  wire [3:0] odd = ones(ui_in);
  always @(posedge clk) if (ui_in[7]) begin
    scalar <= 0;
    memory[0] <= {ui_in[6:0], 1'b0};
    number <= 0;
    shorts[1] <= 0;
    set <= 0;
    preset <= 0;
    state <= IDLE;
    letter <= A;
    pair <= 0;
  end
  assign uo_out = {scalar[7], memory[0][0], number[0], shorts[1][15], ui_in[6] ? set[1] : preset[1], state != IDLE, letter[0] ^ pair.high,
                   odd[0]};
  assign {uio_out, uio_oe} = 16'b0;
endmodule
`

// A register is unknown until it is written, whatever its type and initial value; functions and inputs are known.
func TestBornUnknown(t *testing.T) {
	x := elaborated(t, written(t, "tt_um_bench_born", born))
	steps := []transport.Step{x.ResetStep(), {In: 0x41, Clocks: 3}, {In: 0x01}, {In: 0x81, Clocks: 1}, {In: 0x03}}
	for n, want := range []transport.Sample{{OutX: 0xFE}, {OutX: 0xFE}, {Out: 1, OutX: 0xFE}, {}, {}} {
		if s := last(t, x, steps[:n+1]); s.OutX != want.OutX || s.Out&1 != want.Out || s.Out&^s.OutX != want.Out {
			t.Errorf("after step %d uo is %02X, unknown %02X; want %02X and %02X", n, s.Out, s.OutX, want.Out,
				want.OutX)
		}
	}
}

// coded has a counter and a state machine, both without a reset. hot is a possible synthesis of it: a bit a state.
const (
	coded = `  reg [1:0] state;
  always @(posedge clk) case (state)
    0: if (ui_in[0]) state <= 1;
    1: if (ui_in[1]) state <= 2; else state <= 0;
    2: if (ui_in[2]) state <= 3;
    3: if (ui_in[3]) state <= 0;
  endcase
  assign uo_out[3:0] = {state == 3, state == 2, state == 1, state == 0};
`
	hot = `  reg a, b, c, d;
  always @(posedge clk) begin
    a <= a & ~ui_in[0] | b & ~ui_in[1] | d & ui_in[3];
    b <= a & ui_in[0];
    c <= b & ui_in[1] | c & ~ui_in[2];
    d <= c & ui_in[2] | d & ~ui_in[3];
  end
  assign uo_out[3:0] = {d, c, b, a};
`
	counts = `module tt_um_coded (input wire [7:0] ui_in, uio_in, output wire [7:0] uo_out, uio_out, uio_oe,
    input wire ena, clk, rst_n);
  reg [3:0] count;
  always @(posedge clk) count <= count + 1;
  assign uo_out[7:4] = count;
  assign {uio_out, uio_oe} = 16'b0;
`
)

// Synthesis may encode a state machine differently, so that at first a good chip is in none of the RTL's states, or in
// two. It cannot do so with a counter.
func TestStatesThatSynthesisEncodes(t *testing.T) {
	x := elaborated(t, written(t, "tt_um_coded", counts+coded+"endmodule\n"))
	chip := elaborated(t, written(t, "tt_um_coded", counts+hot+"endmodule\n")).Design
	for seed := range uint64(16) {
		steps := testkit.Must(tile.RandomSteps(x, rand.New(rand.NewPCG(seed, 1)), 100))(t)
		got, want := make([]transport.Sample, len(steps)), make([]transport.Sample, len(steps))
		if err := tile.Expect(x, steps, want); err != nil {
			t.Fatal(err)
		}
		c := chip.NewChip(&sim.RandomChoices{Seed: seed})
		for i := range steps {
			got[i] = c.Apply(&steps[i])
		}
		d := x.Deduce(steps, got, want)
		if lines := transport.Differ(got, want); lines != 0 {
			t.Errorf("seed %d: %v differ", seed, lines)
		}
		if d.Bits < 4*(len(steps)-2) {
			t.Errorf("seed %d: %d bits of the counter are deduced", seed, d.Bits)
		}
	}
}

// Synthesis may remove a register that is never written. Its readers then get arbitrary, possibly different, levels.
func TestStateThatSynthesisLeavesOut(t *testing.T) {
	x := elaborated(t, written(t, "tt_um_held", `module tt_um_held (input wire [7:0] ui_in, uio_in,
    output wire [7:0] uo_out, uio_out, uio_oe, input wire ena, clk, rst_n);
  reg g, h, k, w;
  always @(posedge clk) begin
    h <= h;
    if (ui_in[0] & ~ui_in[0]) g <= ui_in[1];
    if (k) k <= 1;
    if (ui_in[2]) w <= ui_in[3];
  end
  assign uo_out = {w, w, g, ~g, k, ~k, h, ~h};
  assign {uio_out, uio_oe} = 16'b0;
endmodule
`))
	steps := []transport.Step{{Reset: true, Clocks: 1}, {Clocks: 1}}
	for shows, want := range map[uint8]transport.Outputs{0x00: 0, 0x3F: 0, 0xD5: 0, 0x80: 0xC0} {
		got := []transport.Sample{{Out: shows}, {Out: shows}}
		expected := make([]transport.Sample, 2)
		if err := tile.Expect(x, steps, expected); err != nil {
			t.Fatal(err)
		}
		x.Deduce(steps, got, expected)
		if lines := transport.Differ(got, expected); lines&^want != 0 || (lines == 0) != (want == 0) {
			t.Errorf("%02X: %v differ, want of %v", shows, lines, want)
		}
	}
}
