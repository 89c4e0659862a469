package history

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utfbench/internal/tags"
	"utfbench/runs/measurement"
)

func aMeasurement(kind, board string) *Measurement {
	return &Measurement{About: measurement.About{Kind: kind, Made: time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC),
		Transport: "lab:" + board, Board: "rpi", Device: "E661", Tile: "utf", Revision: "tt09",
		Tags: tags.Set{"vdd": "1.8"}, Bench: "v1", Words: "12 cells; 3 FAIL"}, By: "pi1"}
}

// numbers are those of what a filter is for.
func (h *History) numbers(t *testing.T, f MeasurementFilter) string {
	t.Helper()
	var all []int
	for m, err := range h.Measurements(f) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m.Number)
	}
	return fmt.Sprint(all)
}

// What is taken is there as it was given, is found, and is entered once.
func TestMeasurements(t *testing.T) {
	h := begun(t)
	text := []byte("the document")
	for n, board := range []string{"pi1/a", "pi1/b", "pi1/a, at 40MHz"} {
		m := aMeasurement([]string{measurement.Shmoo, measurement.Timing}[n%2], board)
		m.SHA256 = fmt.Sprint("sum ", n)
		for range 2 {
			number, had, err := h.TakeMeasurement(m, text, 1000)
			if err != nil || number != n+1 {
				t.Fatal(number, had, err)
			}
			if sum, err := h.Measured(m.SHA256); err != nil || sum != number {
				t.Error(sum, err)
			}
		}
	}
	for want, f := range map[string]MeasurementFilter{"[3 2 1]": {}, "[3 1]": {Transport: "lab:pi1/a"},
		"[2]": {Kind: "timing"}, "[1]": {Kind: "shmoo", Skip: 1}, "[3]": {Last: 1}, "[2 1]": {Before: 3},
		"[]": {Words: "fail absent"}} {
		if got := h.numbers(t, f); got != want {
			t.Errorf("%+v: %s; want %s", f, got, want)
		}
	}
	if got := h.numbers(t, MeasurementFilter{Words: "FAIL vdd e661 2026-11-23 PI1/B"}); got != "[2]" {
		t.Error(got)
	}
	want := aMeasurement(measurement.Shmoo, "pi1/a")
	want.Number, want.SHA256, want.Bytes = 1, "sum 0", 12
	got, err := h.Measurement(1)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	for _, c := range []struct {
		from, most int64
		want       string
	}{{0, 100, "the document"}, {4, 3, "doc"}, {12, 5, ""}, {1 << 60, 5, ""}} {
		if part, err := h.Document(1, c.from, c.most); err != nil || string(part) != c.want {
			t.Errorf("%q, %v; want %q", part, err, c.want)
		}
	}
	if none, err := h.Measurement(9); none != nil || err != nil {
		t.Error(none, err)
	}
	if n, err := h.Count(); n != 0 || err != nil {
		t.Error("they are no runs: ", n, err)
	}
}

// The documents of the oldest make room, and their lines stay.
func TestRoom(t *testing.T) {
	h := begun(t)
	for n := range 5 {
		m := aMeasurement(measurement.Shmoo, "pi1/a")
		m.SHA256 = fmt.Sprint(n)
		if _, _, err := h.TakeMeasurement(m, bytes.Repeat([]byte("x"), 10), 25); err != nil {
			t.Fatal(err)
		}
	}
	bytes := ""
	for m, err := range h.Measurements(MeasurementFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		bytes += fmt.Sprint(m.Bytes, " ")
	}
	if bytes != "10 10 0 0 0 " {
		t.Error(bytes)
	}
	if part, err := h.Document(1, 0, 100); len(part) > 0 || err != nil {
		t.Errorf("%q, %v", part, err)
	}
}
