package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/golden"
	"utfbench/runs/report"
)

// newer is a run of vectors that only a newer bench can read.
var newer = report.Run{Version: "v9", Identity: report.Identity{Tile: "utf", Revision: "tt09"}, Vectors: 1,
	Iterations: 1, Started: time.Unix(1e9, 0)}

var newerSuite = &golden.Suite{File: "new.vec", Text: "suite new\n\nquantum superposition\n"}

// Commands that judge a recording again refuse unparsable vectors. Other commands work, since they need only the steps.
func TestVectorsOfANewerBench(t *testing.T) {
	path := recordedAs(t, newer, newerSuite)
	t.Chdir(t.TempDir())
	const refusal = "the vectors in it cannot be read by this bench: new.vec:3: "
	for _, args := range [][]string{
		{"run", "-t", "replay:" + path}, {"run", "-t", "replay:" + path, "--run", "none"}, {"report", path},
		{"bundle", path}, {"report", path, "-v"},
	} {
		code, said := bench(t, args...)
		if code != exitUsage || !strings.Contains(said, refusal) ||
			!strings.Contains(said, "take bench v9, which recorded it") {
			t.Errorf("%q: exit code %d, and it says\n%s", args, code, said)
		}
	}
	if code, said := bench(t, "diagnose", path); code != exitBench || !strings.Contains(said, "is incomplete") {
		t.Errorf("diagnose: exit code %d, and it says\n%s", code, said)
	}
	code, said := bench(t, "diff", path, path)
	if code != exitNothing || !strings.Contains(said, "nothing was compared") {
		t.Errorf("diff: exit code %d, and it says\n%s", code, said)
	}
	if left, err := filepath.Glob("*"); len(left) > 0 || err != nil {
		t.Errorf("files are left: %v %v", left, err)
	}
}

// No command with a RUN panics, whatever the vectors' text is.
func FuzzVectorsOfARecording(f *testing.F) {
	f.Add("suite new\n\nquantum superposition\n")
	f.Add("")
	f.Add("suite own\n\ndocument model\nsection \"none\"\n\nvector a \"one\"\n  step FF 00 00 0 1\n  step " +
		"FF 00 00 1 1 uo=C0\n")
	os.Setenv("BENCH_DB", filepath.Join(f.TempDir(), "h.db"))
	f.Fuzz(func(t *testing.T, text string) {
		path := recordedAs(t, newer, &golden.Suite{File: "a.vec", Text: text})
		t.Chdir(t.TempDir())
		for _, args := range [][]string{{"run", "-t", "replay:" + path}, {"report", path}, {"bundle", path},
			{"report", path, "-v"}, {"minimise", path}} {
			bench(t, args...)
		}
	})
}
