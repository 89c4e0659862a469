package yosys

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/failure"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// ports is the head of the top module of a project.
const ports = "module t (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe, input ena, clk, rst_n);\n" +
	"assign uio_out = ui_in; assign uio_oe = ui_in;\n"

// opened opens a project of one source, with more lines of its info.yaml, and a makefile of its test.
func opened(t *testing.T, source, lines, makefile string) (*project.Project, *gates.Tile, error) {
	t.Helper()
	d := written(t, map[string]string{"src/a.v": source, "test/Makefile": makefile,
		"src/size.vh": "`define SIZE `WIDTH\n",
		"info.yaml":   "project:\n  top_module: t\n  source_files: [a.v]\n" + lines})
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	p, err := project.Open(d.Home)
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(t.Context(), p, nil)
	return p, x, err
}

// A rejection names a macro that only the author's test sets: the undefined one, or else the first.
func TestTestMacroNamed(t *testing.T) {
	const makefile = "COMPILE_ARGS += -DSIM -DFAST\nCOMPILE_ARGS += -DWIDTH=3\n"
	for _, c := range []struct{ body, err, cure string }{
		{"`ifdef FAST\nassign uo_out = ~ui_in;\n`else\nassign uo_out = ui_in;\n`endif", "", ""},
		{"assign uo_out = ui_in[`WIDTH:0];", "undefined macro `WIDTH", "WIDTH is set by test/Makefile:2"},
		{"`include \"size.vh\"\nassign uo_out = ui_in[`SIZE:0];", "undefined macro `WIDTH",
			"WIDTH is set by test/Makefile:2"},
		{"`ifdef SIM\nassign uo_out = ui_in[`WIDTH:0];\n`else\nmodel m (ui_in, uo_out);\n`endif",
			"module model, which module t has as m, is in none of the sources", "SIM is set by test/Makefile:1"},
		{"assign uo_out = ui_in[`NOBODY:`WIDTH];", "undefined macro `NOBODY", "WIDTH is set by test/Makefile:2"},
	} {
		_, _, err := opened(t, ports+c.body+"\nendmodule\n", "", makefile)
		if c.err == "" {
			if err != nil {
				t.Errorf("%s: %v", c.body, err)
			}
			continue
		}
		if failure.KindOf(err) != failure.User || !strings.Contains(err.Error(), c.err) ||
			!strings.Contains(err.Error(), c.cure) {
			t.Errorf("%s: %v, want %s and %s", c.body, err, c.err, c.cure)
		}
	}
}

// A module missing from the files of --against is no mistake of source_files.
func TestMissingFromReference(t *testing.T) {
	p, _, err := opened(t, ports+"assign uo_out = ui_in;\nendmodule\n", "", "")
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(t.TempDir(), "half.v")
	if err := os.WriteFile(half, []byte(ports+"dac d (ui_in, uo_out);\nendmodule\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Reference = []string{half}
	if _, err = Open(t.Context(), p, nil); err == nil ||
		!strings.Contains(err.Error(), " is in none of the sources: list its file in --against, after a comma; ") {
		t.Error(err)
	}
}
