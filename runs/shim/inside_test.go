package shim

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// namedInside finds signals inside the tile's instances, whatever these are called, but neither ports nor comments.
func TestNamedInside(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"tb.v": "module tb;\n  tt_um_x #(.N(f(4))) user_project (.clk(clk));\n  tt_um_xy other (.clk(clk));\nendmodule",
		"test.py": "dut.user_project.ui_in.value = 1\n# dut.user_project.never\n" +
			"if hasattr(dut, 'x'): return dut.user_project.count.value + dut.user_project.count.value\n" +
			"dut.other.count; dut.user_project._log.info('')\n",
		"more.py": "tb.dut.user_project.fifo.level",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := instances("tt_um_x", []string{filepath.Join(dir, "tb.v"), filepath.Join(dir, "none.v")})
	got := namedInside(dir, names)
	if want := []string{"user_project.fifo (more.py:1)", "user_project.count (test.py:3)"}; !slices.Equal(got, want) {
		t.Errorf("%q names %q, want %q", names, got, want)
	}
	if got := namedInside(dir, nil); got != nil {
		t.Errorf("without an instance: %q", got)
	}
}
