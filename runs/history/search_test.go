package history

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/transport"
)

// Runs are found by their device, page by page.
func TestSearch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	for _, r := range []struct {
		transport, device, host string
		verdict                 driver.Verdict
	}{
		{"rp2040:a", "E661", "laptop linux/amd64", driver.Pass},
		{"rp2040:a, clk every 50ns", "E661", "laptop linux/amd64", driver.Fail},
		{"rp2040:ab", "E662", "Pi%_ linux/arm64", driver.Pass},
		{"gpio", "", "laptop linux/amd64", driver.Fail},
	} {
		w := NewWriter(path)
		_ = w.Start(report.Run{Transport: r.transport, Host: r.host, Started: time.Unix(1e9, 0),
			Identity: report.Identity{Tile: "utf", Chip: report.Chip{Board: "mock", Device: r.device}},
			Tags:     files.Tags{"vdd": "1.8"}})
		tally := new(driver.Tally)
		tally.Verdicts[r.verdict]++
		tally.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{}, {Out: 1}})
		tally.Repeats = []*driver.Repeat{{Vector: &golden.Vector{Name: "s/a"}, Counts: driver.Counts{driver.Fail: 1}}}
		_ = w.End(report.Outcome{Tally: tally})
		if w.Number() == 0 {
			t.Fatal(w.Note())
		}
	}
	h := open(t, path)
	for _, c := range []struct {
		f    Filter
		want []int
	}{
		{Filter{}, []int{4, 3, 2, 1}},
		{Filter{Device: "E661"}, []int{2, 1}},
		{Filter{Last: 2, Skip: 1}, []int{3, 2}},
		{Filter{Skip: 3}, []int{1}},
		{Filter{Skip: 9}, nil},
	} {
		var got []int
		for r, err := range h.Runs(c.f) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.Number)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.f, got, c.want)
		}
	}
	if h.RecordingPath(1) == "" || h.RecordingPath(5) != "" {
		t.Errorf("recordings: %q and %q", h.RecordingPath(1), h.RecordingPath(5))
	}
}
