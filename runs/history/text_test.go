package history

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
)

// All formats show a PASS, a FLAKY and an aborted run of one device.
func TestHistoryIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	for _, v := range []driver.Verdict{driver.Pass, driver.Fail, driver.Error} {
		enter(path, "a", v)
	}
	h := open(t, path)
	var table, none, list, all strings.Builder
	for _, err := range []error{WriteTable(&table, h, Filter{}), WriteTable(&none, h, Filter{Board: "rpi"}),
		WriteJSON(&list, h, Filter{Last: 1}), WriteJSON(&all, h, Filter{})} {
		if err != nil {
			t.Error(err)
		}
	}
	lines := strings.Split(table.String(), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "run  began ") ||
		strings.Join(strings.Fields(lines[2])[3:], " ") !=
			"mock a FLAKY (no chip) 1 2 mock:tt09 note=\"a, b\", vdd=1.8 -" {
		t.Errorf("the table is\n%s", &table)
	}
	if none.String() != "no run in the history is on the board \"rpi\": boards are mock\n" {
		t.Errorf("without a run it is %q", &none)
	}
	if text := list.String(); strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, `{"run":3,"start":{`) {
		t.Errorf("the list is\n%s", text)
	}
	if lines := strings.Split(all.String(), "\n"); len(lines) != 4 ||
		!strings.Contains(lines[1], `"verdict":"FLAKY"`) || !json.Valid([]byte(lines[1])) {
		t.Errorf("the runs are\n%s", &all)
	}
}

// Only for a failing run the text says since when its board has failed.
func TestSinceInWords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	for _, of := range []struct {
		device  string
		verdict driver.Verdict
	}{{"a", driver.Pass}, {"a", driver.Fail}, {"b", driver.Fail}, {"b", driver.Fail}} {
		enter(path, of.device, of.verdict)
	}
	h := open(t, path)
	for n, want := range map[int]string{1: "", 3: "",
		2: "run 2: passed on the board mock a with uo0=flip:0.1 seed 7 until run 1 of ",
		4: "run 4: no run passed on the board mock b with uo0=flip:0.1 seed 7 before it; "} {
		r, err := h.Get(n)
		if err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		if err := h.WriteSince(&said, r); err != nil || !strings.HasPrefix(said.String(), want) ||
			want == "" && said.Len() > 0 {
			t.Errorf("run %d: %q, %v", n, &said, err)
		}
	}
	var outline strings.Builder
	r, _ := h.Get(2)
	if r.WriteOutline(&outline); !strings.HasSuffix(outline.String(),
		": FLAKY (no chip)\ntags: note=\"a, b\", vdd=1.8\ncompared: 32 output bits, every line at both levels\n") {
		t.Errorf("%s", &outline)
	}
}

// The latest run is shown with the number of runs; an empty history says so.
func TestLatest(t *testing.T) {
	path := t.TempDir()
	if last, says := open(t, path).Latest(); last != nil || says != NoRuns {
		t.Errorf("without a run: %+v, %q", last, says)
	}
	enter(path, "a", driver.Pass)
	enter(path, "a", driver.Fail)
	h := open(t, path)
	if last, says := h.Latest(); last == nil || last.Number != 2 ||
		says != "runs: 2; the latest is run 2: FLAKY (no chip)" {
		t.Errorf("of two: %+v, %q", last, says)
	}
}
