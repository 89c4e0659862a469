//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/utf"
	"utfbench/transport/rp2040/boardtest"
)

// A chip on a demo board is compared with its Verilog as a tile, whose uio_oe gives uio's direction; a wrong one FAILs.
func TestTileOnABoard(t *testing.T) {
	testkit.SkipUnlessFull(t)
	for _, tool := range []string{"verilator", "iverilog"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool)
		}
	}
	b := boardtest.Start(t, demo(t, "tt-demo-rp2350"))
	for _, c := range []struct{ from, to, want string }{{"", "", "PASS  the chip answered 10 vectors"},
		{"written <= 1;", "written <= 0;", "FAIL  the chip, or a wire, is at fault"}} {
		dir := asTile(t, c.from, c.to)
		code, said := bench(t, "run", "-t", "rp2040:"+b.TTY, "--tile", dir, "--design",
			"tt_um_rebeccargb_hardware_utf8", "--random", "2000", "--no-wiring", "--no-history", "-v")
		if want := map[bool]int{true: exitPass, false: exitFail}[c.from == ""]; code != want ||
			!strings.Contains(said, c.want) {
			t.Errorf("%q: exit code %d\n%s", c.to, code, said)
		}
		b.Check(t)
	}
	if testkit.Pick(0, 1) == 1 {
		judgedByVectors(t, b)
	}
}

// judgedByVectors judges the same chip without a reference.
func judgedByVectors(t *testing.T, b *boardtest.Board) {
	t.Helper()
	dir := asTile(t, "", "")
	target := []string{"run", "-t", "rp2040:" + b.TTY, "--tile", dir, "--design",
		"tt_um_rebeccargb_hardware_utf8", "--no-history"}
	vectors := filepath.Join(dir, "one.vec")
	own := filepath.Join(dir, "bench-tile.yaml")
	if err := errors.Join(os.WriteFile(vectors, []byte(oneStep), 0o600),
		os.WriteFile(own, []byte("uio_outputs: \"FF\"\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--no-reference", "--file", vectors}, exitWeak, "a chip with stuck outputs there passes too"},
		{[]string{"--no-reference", "--file", vectors, "--run", "wrong"}, exitFail, "from their expectations"},
	} {
		args := append(target[:len(target):len(target)], c.args...)
		if !slices.Contains(args, "wrong") {
			args = append(args, "--run", "right")
		}
		code, said := bench(t, args...)
		if code != c.code || !strings.Contains(said, c.want) || !strings.Contains(said, "the wires are not checked") {
			t.Errorf("%q: exit code %d\n%s", c.args, code, said)
		}
		b.Check(t)
	}
}

// oneStep has vectors written by hand: after a reset both EOF outputs are high, and the bus shows 00 (chip.vec).
const oneStep = `suite one

document chip
section "by hand"

vector right "after a reset"
  step FF 00 00 1 0 uo=C0 uio=00
vector wrong "the other levels"
  step FF 00 00 1 0 uo=3F
`

// asTile returns the folder of a project with the chip's Verilog, in which from is replaced by to.
func asTile(t *testing.T, from, to string) string {
	t.Helper()
	dir, names := t.TempDir(), ""
	sources, err := filepath.Glob("../../transport/verilog/testdata/chip/*.v")
	if err != nil || os.MkdirAll(filepath.Join(dir, "src"), 0o700) != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		text := testkit.Must(os.ReadFile(path))(t)
		if from != "" {
			text = []byte(strings.ReplaceAll(string(text), from, to))
		}
		text = bytes.ReplaceAll(text, []byte(utf.TT09.Project()), []byte("tt_um_utf_chip")) // a name on no shuttle
		if err := os.WriteFile(filepath.Join(dir, "src", filepath.Base(path)), text, 0o600); err != nil {
			t.Fatal(err)
		}
		names += "\n    - " + filepath.Base(path)
	}
	info := "project:\n  top_module: tt_um_utf_chip\n  source_files:" + names + "\n"
	if err := os.WriteFile(filepath.Join(dir, "info.yaml"), []byte(info), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
