package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/runs/report"
	"utfbench/transport"
)

// Only the same bench on the same chip can resume a run, from its file or its part.
func TestEarlier(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events.json")
	text := `{"event":"start","schema":1,"bench":"v1","kind":"mock","board":"mock","revision":"tt09"}` + "\n" +
		`{"event":"vector","name":"a/1","iteration":1,"verdict":"PASS"}` + "\n" +
		`{"event":"vector","name":"a/2","iteration":1,"verdict":"FAIL"}` + "\n" + `{"event":"vec`
	if err := os.WriteFile(file+".part", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := ReadEarlier(file)
	if err != nil || !e.Passed["a/1"] || e.Passed["a/2"] || e.Failed["a/1"] || !e.Failed["a/2"] {
		t.Fatal(e, err)
	}
	now := report.Run{Version: "v1",
		Identity: report.Identity{Revision: "tt09", Chip: report.Chip{Kind: "mock", Board: "mock"}}}
	if note, err := e.Fits(&now); err != nil || note != "1 vectors passed before, says "+file+
		".part, and are not run again" {
		t.Errorf("%q, %v", note, err)
	}
	for want, change := range map[string]func(*report.Run){
		`is of another run: the bench was "v1" there and is "v2" here; `: func(r *report.Run) { r.Version = "v2" },
		"the board's id was": func(r *report.Run) { r.Device = "5" },
		`the speed was "step by step" there and is "period 50ns, `: func(r *report.Run) {
			r.Speed = &transport.Timing{Period: 50}
		},
		`conditions was "" there and is "--settle 1µs"`: func(r *report.Run) { r.Target = []string{"--settle", "1µs"} },
		`conditions was "" there and is "--pulse 1ms"`:  func(r *report.Run) { r.Target = []string{"--pulse", "1ms"} },
	} {
		other := now
		change(&other)
		if _, err := e.Fits(&other); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadEarlier(file); err == nil ||
		!strings.Contains(err.Error(), "give --resume "+file+".part for that") {
		t.Errorf("two files: %v", err)
	}
	none, err := ReadEarlier("")
	if err != nil || len(none.Passed) != 0 {
		t.Error(none, err)
	}
	if note, err := none.Fits(&now); note != "" || err != nil {
		t.Error(note, err)
	}
}

// FuzzResume reads event streams: an error is one sentence; otherwise only vectors that passed are skipped.
func FuzzResume(f *testing.F) {
	start := `{"event":"start","schema":1,"bench":"v","board":"mock","revision":"tt09"}` + "\n"
	f.Add(start + `{"event":"vector","name":"a/1","iteration":1,"verdict":"PASS"}` + "\n" + `{"event":"end"`)
	f.Add(start + `{"event":"vector","name":"a/1","iteration":2,"verdict":"PASS"}` + "\n")
	f.Add("")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(dir, "events.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := ReadEarlier(file)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("no sentence: %q", err)
			}
			return
		}
		for name, passed := range e.Passed {
			if passed && !strings.Contains(text, "PASS") {
				t.Errorf("%q passed in %q", name, text)
			}
		}
	})
}
