package web

import (
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// The events contain the first failure and the counts of the results so far.
func TestShown(t *testing.T) {
	var failure FailureEvent
	var now ProgressEvent
	s := shown{session: &Session{Send: func(e Event) {
		switch v := e.Value.(type) {
		case *FailureEvent:
			failure = *v
		case *ProgressEvent:
			now = *v
		}
	}}}
	wrong := driver.Mismatch{Index: 4, Step: transport.Step{In: 0xFF}, Got: transport.Sample{Out: 0x09, IO: 1},
		Want: transport.Sample{Out: 0x01}, OutDiff: 8, IODiff: 1, FileLine: 7}
	for _, r := range []driver.Result{
		{Vector: &golden.Vector{Name: "chip/a"}, Verdict: driver.Pass, Steps: 3},
		{Vector: &golden.Vector{Name: "chip/b"}, Verdict: driver.Fail, Steps: 9, FirstMismatch: &wrong, Tile: utf.TT09},
		{Vector: &golden.Vector{Name: "chip/c"}, Verdict: driver.Error, Reason: "the cable is out"},
	} {
		s.Result(&r)
	}
	s.progress()
	const text = "chip/b, step 5, look at the status: uo3 (OVERLONG) is 1, not 0; uio is 01, not 00 (uio0)"
	want := ProgressEvent{Done: 3, Steps: 12, Verdicts: "PASS 1, FAIL 1, ERROR 1"}
	if now != want || failure.Text != text {
		t.Errorf("%+v, %q", now, failure.Text)
	}
}
