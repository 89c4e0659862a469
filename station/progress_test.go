package station

import (
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// The progress shows the results so far, and the first failure.
func TestProgress(t *testing.T) {
	p := new(Progress)
	if now := p.Snapshot(); now != (Snapshot{}) {
		t.Errorf("before it began: %+v", now)
	}
	if err := p.Start(report.Run{Vectors: 3}); err != nil {
		t.Fatal(err)
	}
	wrong := driver.Mismatch{Index: 4, Step: transport.Step{In: 0xFF}, Got: transport.Sample{Out: 0x09, IO: 1},
		Want: transport.Sample{Out: 0x01}, OutDiff: 8, IODiff: 1, FileLine: 7}
	for _, r := range []driver.Result{
		{Vector: &golden.Vector{Name: "chip/a"}, Verdict: driver.Pass, Steps: 3},
		{Vector: &golden.Vector{Name: "chip/b"}, Verdict: driver.Fail, Steps: 9, First: &wrong},
		{Vector: &golden.Vector{Name: "chip/c"}, Verdict: driver.Error, Reason: "the cable is out"},
	} {
		r.Tile = utf.TT09
		if err := p.Result(&r); err != nil {
			t.Fatal(err)
		}
	}
	want := Snapshot{Done: 3, Of: 3, Steps: 12, Verdicts: "PASS 1, FAIL 1, ERROR 1",
		First: "chip/b, step 5, look at the status: uo3 (OVERLONG) is 1, not 0; uio is 01, not 00 (uio0)"}
	if now := p.Snapshot(); now != want {
		t.Errorf("%+v; want %+v", now, want)
	}
}
