package native

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/explain"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile/utf"
)

// If the context of a run ends before the report is written, the report is written without an explanation.
func TestReportInterrupted(t *testing.T) {
	target := NewTarget("mock")
	target.Faults = []string{"uo3=stuck1"}
	r := &station.Run{Target: target, Vectors: plan.Selection{Tile: utf.TT09, Suites: []string{"man7"}}}
	defer r.Close()
	for _, step := range []func(context.Context) error{r.Plan, r.Open, r.Prepare} {
		if err := step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	o := Outputs{HTML: filepath.Join(t.TempDir(), "run.html"), Context: interrupted,
		NewPage: explain.NewPage, Text: &report.Text{Out: io.Discard}}
	outcome, err := o.Judge(t.Context(), r, report.ResultFunc(func(*driver.Result) error { return nil }))
	page, readErr := os.ReadFile(o.HTML)
	if err != nil || readErr != nil || outcome.Verdict() != driver.Fail ||
		!strings.Contains(string(page), "interrupted; bench report repeats it") {
		t.Errorf("%v, %v, %s, page of %d bytes", err, readErr, outcome.Verdict(), len(page))
	}
}

// An interrupt while Yosys works is reported as such, even in a check of the sources, which needs no gates.
func TestInterruptedElaboration(t *testing.T) {
	dir := t.TempDir()
	started := filepath.Join(dir, "started")
	if out, err := exec.Command("mkfifo", started).CombinedOutput(); err != nil {
		t.Skipf("needs mkfifo: %s, %v", out, err)
	}
	for path, text := range map[string]string{
		"info.yaml": "project: {top_module: tt_um_x, source_files: [a.v]}\n",
		"src/a.v":   "module tt_um_x(input clk);\nendmodule\n",
		"bin/yosys": "#!/bin/sh\n[ \"$1\" != -V ] || exec echo Yosys 0.23\necho > '" + started + "'\nexec sleep 1000\n",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	for _, ungated := range []bool{false, true} {
		of := NewTarget("")
		of.TileName, of.WithoutGates = dir, ungated
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			defer stop()
			_, _ = os.ReadFile(started) // returns after Yosys has started
		}()
		err := of.OpenTile(ctx)
		if failure.KindOf(err) != failure.Interrupted || !strings.HasPrefix(err.Error(), "stopped while Yosys") {
			t.Errorf("ungated %v: %v", ungated, err)
		}
	}
}
