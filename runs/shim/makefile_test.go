package shim

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// makeSources gets the sources from cocotb's nested make, whatever the working folder is.
func TestMakeSources(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("needs make")
	}
	dir := real(t.TempDir())
	test := filepath.Join(dir, "test")
	if err := os.Mkdir(test, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.v", "b.sv"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(dir, "a.v"), filepath.Join(dir, "b.sv"), filepath.Join(test, "tb.v")}
	for _, text := range []string{
		"VERILOG_SOURCES += $(PWD)/../a.v $(PWD)/../b.sv $(PWD)/tb.v\nall:\n\t\"$(MAKE)\" -f Makefile results.xml\n",
		"SRC_DIR = $(PWD)/..\nPROJECT_SOURCES = a.v b.sv\n" +
			"VERILOG_SOURCES += $(addprefix $(SRC_DIR)/,$(PROJECT_SOURCES))\nVERILOG_SOURCES += tb.v\n",
		"VERILOG_SOURCES = ../*.v $(wildcard $(PWD)/../*.sv) $(CURDIR)/tb.v\n",
	} {
		if err := os.WriteFile(filepath.Join(test, "Makefile"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		in, got := makeSources(t.Context(), []string{"make", "-C", test})
		if in != test || !slices.Equal(got, want) {
			t.Errorf("%s: %s: %v, want %s: %v", text, in, got, test, want)
		}
	}
}
