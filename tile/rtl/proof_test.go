package rtl

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/cause/wiring"
	"utfbench/fault"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// free is a counter that no reset reaches, so that nobody knows what it shows, and one output that needs neither.
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

// The wiring check proves the lines that its steps show at both levels, and lists all others: a line of these may be
// stuck, and nobody sees it.
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
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	x := openedProject(t, "verilator", p)
	want := slices.DeleteFunc(slices.Clone(transport.Lines[:]), func(line string) bool {
		return slices.Contains([]string{"ui0", "ui1", "uo7"}, line)
	})
	for _, text := range []string{"", "uo3=stuck1", "clk=stuck0", "uio5=open"} {
		c := mock.Config{Tile: x}
		if text != "" {
			f, err := tile.Bits(x).Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c.Faults = []fault.Fault{f}
		}
		tr := mock.Open(c)
		r, err := wiring.Check(t.Context(), tr, x)
		tr.Close()
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != wiring.Unproven || !slices.Equal(r.Unproven, want) ||
			!strings.Contains(r.Why, "23 lines are unproven: no step would have shown them stuck: ui2-ui7, uo0-uo6, "+
				"uio0-uio7, clk, rst_n") {
			t.Errorf("%q: %s, %s, %v; want %v", text, r.Verdict, r.Why, r.Unproven, want)
		}
	}
}
