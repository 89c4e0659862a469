package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/printable"
	"utfbench/internal/testkit"
)

// aDesign is a copy of the chip that was written for the tests, to be edited, and the transport for it.
func aDesign(t *testing.T) (file, transport string) {
	t.Helper()
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("needs iverilog (Debian package iverilog)")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../transport/verilog/testdata/chip")); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, name := range []string{"project.v", "value.v", "forms.v"} {
		files = append(files, filepath.Join(dir, name))
	}
	return files[1], "verilog:" + strings.Join(files, ",")
}

// A run of a simulation brings its target along to minimise, which refuses the design when that was mended since.
func TestMinimiseBringsTheDesign(t *testing.T) {
	file, design := aDesign(t)
	good := testkit.Must(os.ReadFile(file))(t)
	write := func(text []byte) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(bytes.Replace(good, []byte("length8 = 2;"), []byte("length8 = 3;"), 1))
	t.Setenv("BENCH_DB", filepath.Join(t.TempDir(), "h.db"))
	out := filepath.Join(t.TempDir(), "short.vec")
	if code, said := bench(t, "run", "-t", design, "--simulator", "icarus", "--suite", "guide"); code != exitFail {
		t.Fatalf("exit code %d, and it says\n%s", code, said)
	}
	code, said := bench(t, "minimise", "last", "--out", out)
	want := printable.Command("run", "--file", out, "-t", design, "--simulator", "icarus") + "  # fails again"
	if code != exitPass || !strings.Contains(said, want) {
		t.Errorf("exit code %d; want %q in\n%s", code, want, said)
	}
	write(good)
	if code, said := bench(t, "minimise", "last", "--out", out); code != exitUsage ||
		!strings.Contains(said, "is of another chip: the "+"SHA-256 of the design was") {
		t.Errorf("mended: exit code %d, and it says\n%s", code, said)
	}
}
