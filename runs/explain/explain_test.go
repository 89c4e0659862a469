package explain

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/boards"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model/wired"
	"utfbench/runs/record"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

func board(t *testing.T, name string) *boards.Board {
	t.Helper()
	b, err := boards.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// recorded runs the suite man7 on a mock with these faults and opens the recording.
func recorded(t *testing.T, faults ...fault.Fault) *record.Recording {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.rec")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := record.NewWriter(f)
	keep := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	keep(w.Start(report.Run{Transport: "gpio:lines"}))
	r := driver.Runner{Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: faults}), Tile: utf.TT09,
		Report: func(r *driver.Result) { keep(w.Result(r)) }}
	tally, err := r.Run(context.Background(), testkit.Jobs[driver.Job](t, "man7.vec"))
	keep(err)
	keep(w.End(report.Outcome{Tally: tally}))
	rec, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// A stuck line is named with its place on the board, and accounts for all of it.
func TestRecording(t *testing.T) {
	stuck, err := wired.Bits.Parse("uo3=stuck1")
	if err != nil {
		t.Fatal(err)
	}
	d, err := Recording(recorded(t, stuck), board(t, "rpi"), utf.TT09, false)
	if err != nil {
		t.Fatal(err)
	}
	if d.Conclusion != "wire" || d.Board != "rpi" || d.Transport != "gpio:lines" || d.Failed == 0 ||
		d.Failed > d.Executions {
		t.Errorf("%+v", d)
	}
	if len(d.Suspects) == 0 || !strings.Contains(d.Suspects[0], "uo3") ||
		!strings.Contains(d.Suspects[0], Places(board(t, "rpi"), []string{"uo3"})) {
		t.Errorf("suspects %q", d.Suspects)
	}
	if !strings.Contains(d.Account, "predicts 0 wrong bits that were not seen") || d.Verb == "" {
		t.Errorf("%s: %s", d.Verb, d.Account)
	}
	if good, err := Recording(recorded(t), board(t, "rpi"), utf.TT09, false); err != nil ||
		good.Conclusion != "nothing" || good.Suspects != nil {
		t.Errorf("a good chip: %+v, %v", good, err)
	}
}

// A place is the pin and, on a header, its position; a board that has no pin for a line says nothing of it.
func TestPlaces(t *testing.T) {
	b := &boards.Board{Pins: map[string]boards.Pin{"uo3": {Name: "GP4"}, "clk": {Name: "GP0"}}}
	if got, want := Places(b, []string{"uo3", "rst_n", "clk"}), " (uo3 at pin GP4; clk at pin GP0)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Places(b, []string{"rst_n"}); got != "" {
		t.Errorf("%q of a line without a pin", got)
	}
	if got := Places(board(t, "rpi"), []string{"uo3"}); !strings.Contains(got, " of the header)") {
		t.Errorf("%q of a header", got)
	}
}
