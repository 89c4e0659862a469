package yosys

import (
	"testing"

	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// ports is the head of the top module of a project.
const ports = "module t (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe, input ena, clk, rst_n);\n" +
	"assign uio_out = ui_in; assign uio_oe = ui_in;\n"

// opened opens a project of one source.
func opened(t *testing.T, source string) (*project.Project, *gates.Tile, error) {
	t.Helper()
	d := written(t, map[string]string{"src/a.v": source,
		"info.yaml": "project:\n  top_module: t\n  source_files: [a.v]\n"})
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	p, err := project.Open(d.Home)
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(t.Context(), p, nil)
	return p, x, err
}
