package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/boards"
)

// What is reached in the same way as a run's chip, and is another chip by now, is not asked.
func TestAgainKeepsToTheChip(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("BENCH_DB", filepath.Join(dir, "h.db"))
	text, err := os.ReadFile("../../boards/mock.yaml")
	if err != nil {
		t.Fatal(err)
	}
	board := filepath.Join(dir, "mine.yaml")
	named := func(name string) {
		t.Helper()
		mine := strings.Replace(string(text), "name: mock", "name: "+name, 1)
		if err := os.WriteFile(board, []byte(mine), 0o644); err != nil {
			t.Fatal(err)
		}
		if b, err := boards.Open(board); err != nil || b.Name != name {
			t.Fatal(b, err)
		}
	}
	named("first")
	if code, said := bench(t, "run", "--suite", "guide", "--board", board); code != exitPass {
		t.Fatal(code, said)
	}
	if code, said := bench(t, "run", "--again", "1"); code != exitPass ||
		!strings.Contains(said, "run 2 of the history") {
		t.Error(code, said)
	}
	named("second")
	code, said := bench(t, "run", "--again", "1")
	if code != exitUsage || !strings.Contains(said, "1 is of another chip: "+
		`the board was "first" there and is "second" here`) || strings.Contains(said, "of the history") {
		t.Error(code, said)
	}
	if code, said := bench(t, "run", "--again", "1", "-t", "mock"); code != exitPass {
		t.Error(code, said)
	}
}
