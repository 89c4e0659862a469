package verilog

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a design does on the machine is found with its file and line, and is not done.
func TestInspect(t *testing.T) {
	both(t, func(t *testing.T, simulator string) {
		c := design(t, simulator, "`include \"inner.vh\"\n"+header+"wire [7:0] y; inner i (.a(ui_in), .y(y));\n"+
			"assign uo_out = y; assign uio_out = 8'h00, uio_oe = 8'b0000_1111;\n"+
			"initial begin $system(\"touch by-system\"); end // $system in a comment\n"+
			"integer f; initial begin f = $fopen(\"by-fopen\", \"w\"); f = $fopen(\"in.hex\", \"r\"); end\n"+
			"initial $display(\"$system\");\nendmodule\n")
		dir := filepath.Dir(c.Sources[0])
		c.Dir, c.Includes = dir, []string{dir}
		write(t, filepath.Join(dir, "inner.vh"), "`define EVIL $system(\"touch by-macro\")\n")
		write(t, filepath.Join(dir, "inner.v"), "module inner (input [7:0] a, output [7:0] y);\nassign y = a;\n"+
			"initial `EVIL;\nendmodule\n")
		write(t, filepath.Join(dir, "in.hex"), "0\n")
		l, err := Inspect(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if l.May != 0x0F || l.Always != 0x0F {
			t.Errorf("uio: may drive %02X, always drives %02X; want 0F for both", l.May, l.Always)
		}
		want := "inner.v (module), inner.vh (include file), in.hex (data)"
		if got := strings.ReplaceAll(Unlisted(l.Files, c.Sources), dir+"/", ""); got != want {
			t.Errorf("unlisted are %s; want %s", got, want)
		}
		var places []string
		for _, e := range l.Effects {
			name, _, _ := strings.Cut(e.What, " ")
			places = append(places, fmt.Sprintf("%s:%d %s", filepath.Base(e.File), e.Line, name))
		}
		if want := []string{"bad.v:6 $system", "bad.v:7 $fopen", "inner.vh:1 $system"}; !slices.Equal(places, want) {
			t.Errorf("effects %q; want %q", places, want)
		}
		for _, name := range []string{"by-system", "by-fopen", "by-macro"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				t.Errorf("%s was made", name)
			}
		}
		if _, err := os.Stat(c.Cache); err == nil {
			wantEntries(t, c.Cache, 0)
		}
	})
}

func TestEffects(t *testing.T) {
	for text, want := range map[string]string{
		"$c(\"x();\");":                        "$c is",
		"x = $c32(\"y\");":                     "$c is",
		"$clog2(3)":                            "",
		"$countones(a)":                        "",
		"import \"DPI-C\" function int f();":   "a function of DPI",
		"`systemc_header":                      "C++ code",
		"$writememh(\"a\", m);":                "$writememh writes",
		"$dumpfile (\"a\");":                   "$dumpfile writes",
		"f = $fopen(name);":                    "$fopen writes",
		"f = $fopen(name, \"r+\");":            "$fopen writes",
		"f = $fopen(\"a\", mode);":             "$fopen writes",
		"f = $fopen(\"a\", \"rb\");":           "",
		"/* $system(\n) */ $display(\"$c()\")": "",
	} {
		all := effectsIn(text)
		switch {
		case want == "" && len(all) > 0, want != "" && (len(all) != 1 || !strings.HasPrefix(all[0].What, want)):
			t.Errorf("%s: %v; want %q", text, all, want)
		}
	}
}

func TestEnables(t *testing.T) {
	for text, want := range map[string][2]uint8{
		"assign uio_oe = 0;":                                  {0, 0},
		"assign uio_out = {4'b0, x}, uio_oe = 8'hF0;":         {0xF0, 0xF0},
		"assign uio_oe = '1;":                                 {0xFF, 0xFF},
		"assign uio_oe = {4'b1010, 4'h3};":                    {0xA3, 0xA3},
		"assign uio_oe = {8{1'b1}};":                          {0xFF, 0xFF},
		"assign uio_oe = {8{enable}};":                        {0xFF, 0},
		"assign uio_oe[7:4] = 4'd3; assign uio_oe[0] = 1'b0;": {0x3E, 0x30},
		"assign uio_oe = enable ? 8'hFF : 8'h00;":             {0xFF, 0},
		"always @* uio_oe = 8'h00;":                           {0xFF, 0},
		"inner i (.uio_oe(uio_oe)); // assign uio_oe = 0;":    {0xFF, 0},
	} {
		may, always := enables("module other; assign uio_oe = 8'h55; endmodule\nmodule m (uio_oe);\n"+
			text+"\nendmodule\n", "m")
		if may != want[0] || always != want[1] {
			t.Errorf("%s: may %02X, always %02X; want %02X", text, may, always, want)
		}
	}
}
