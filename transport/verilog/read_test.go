package verilog

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/transport"
)

func digestOf(t *testing.T, c Config) string {
	t.Helper()
	tool := testkit.Must(findTool(c.Simulator))(t)
	d := testkit.Must(tool.read(context.Background(), &c))(t)
	b := &plan{reading: d, macros: d.top.macros()}
	return b.hash(&c)
}

// wantShown opens a design and checks uo while ui is 5.
func wantShown(t *testing.T, c Config, want uint8) {
	t.Helper()
	tr := mustOpen(t, c)
	defer tr.Close()
	got := make([]transport.Sample, 2)
	steps := []transport.Step{{Reset: true, Clocks: 1}, {In: 5}}
	if _, err := tr.Apply(context.Background(), steps, got); err != nil {
		t.Fatal(err)
	}
	if got[1].Out != want {
		t.Errorf("uo is %02X; want %02X", got[1].Out, want)
	}
}

// outer is a tile in which a module inner computes uo from ui.
const outer = header + "inner i (.a(ui_in), .y(uo_out));\nassign uio_out = 0; assign uio_oe = 0;\nendmodule\n"

// The digest changes with each edit of an include file. A module that no source declares is rejected by name, even if a
// file in an include folder declares it.
func TestDigestOfIncludes(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		c := design(t, simulator, outer+"`include \"inner.v\"\n")
		c.Includes = []string{t.TempDir()}
		inner := filepath.Join(c.Includes[0], "inner.v")
		seen := map[string]bool{}
		for _, by := range []int{1, 2, 1} {
			write(t, inner, fmt.Sprintf("module inner (input [7:0] a, output [7:0] y); assign y = a + %d; endmodule\n", by))
			seen[digestOf(t, c)] = true
		}
		if len(seen) != 2 {
			t.Errorf("%d digests of two designs", len(seen))
		}
		c.Sources = design(t, simulator, outer).Sources
		if _, err := Open(t.Context(), c); failure.KindOf(err) != failure.User || !strings.Contains(err.Error(), "inner") {
			t.Errorf("without its module: %v", err)
		}
	})
}

// The digest changes with the files that the design reads during simulation.
func TestDigestOfData(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		for name, read := range map[string]string{
			"a name":      `initial $readmemh("rom.hex", rom);`,
			"a parameter": "parameter FILE = \"rom.hex\"; initial $readmemb(FILE, rom);",
			"fopen":       `integer f, n; initial begin f = $fopen("rom.hex", "r"); n = $fgetc(f); rom[0] = n; end`,
		} {
			c := design(t, simulator, header+"reg [7:0] rom [0:0]; "+read+
				"\nassign uo_out = rom[0]; assign uio_out = 0; assign uio_oe = 0;\nendmodule\n")
			c.WorkingDirs = []string{t.TempDir()}
			rom := filepath.Join(c.WorkingDirs[0], "rom.hex")
			write(t, rom, "01\n")
			first := digestOf(t, c)
			if again := digestOf(t, c); again != first {
				t.Errorf("%s: the same design has two digests", name)
			}
			write(t, rom, "11\n")
			if second := digestOf(t, c); second == first {
				t.Errorf("%s: the file was edited, and the digest is the same", name)
			}
		}
	})
}

// Files whose names cannot be determined are reported as unknown. Output files are not data.
func TestDataOf(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.hex"), "0\n")
	d := testkit.Must(dataOf(`module m; // $readmemh("comment.hex", x)
initial begin $readmemh({"a", ".hex"}, x); $readmemh("gone.hex", x); f = $fopen("out.txt", "w"); g = $fopen("log");
 h = $fopen("a.hex", "rb"); $readmemb($sformatf("%d", 1), x); end endmodule`, dir))(t)
	var names []string
	for _, f := range d.files {
		names = append(names, f.name)
	}
	if want := []string{"a.hex", "gone.hex"}; !slices.Equal(names, want) {
		t.Errorf("files %q; want %q", names, want)
	}
	if len(d.unknown) != 2 {
		t.Errorf("unknown are %q; want two", d.unknown)
	}
}

// A lint pragma that only a newer Verilator knows causes no error.
func TestFuturePragma(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		digestOf(t, design(t, simulator, "/* verilator lint_off NOTYETKNOWN */\n"+header+rest+"endmodule\n"))
	})
}

// Sources may end without a newline.
func TestNoFinalNewline(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		c := design(t, simulator, "module inner (input [7:0] a, output [7:0] y); assign y = a + 2; endmodule")
		second := filepath.Join(filepath.Dir(c.Sources[0]), "outer.v")
		write(t, second, outer)
		c.Sources = append(c.Sources, second)
		digestOf(t, c)
		wantShown(t, c, 7)
	})
}
