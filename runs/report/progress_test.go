package report

import "testing"

// The progress shows the results so far, and the first failure.
func TestProgress(t *testing.T) {
	p := new(Progress)
	if now := p.Now(); now != (Stand{}) {
		t.Errorf("before it began: %+v", now)
	}
	tell(t, p)
	want := Stand{Done: 5, Of: 5, Steps: 12, Verdicts: "PASS 1, SKIPPED 1, ABORTED 1, FAIL 1, ERROR 1",
		First: "chip/b, step 5, look at the status: uo3 (OVERLONG) is 1, not 0; uio is 01, not 00 (uio0)"}
	if now := p.Now(); now != want {
		t.Errorf("%+v; want %+v", now, want)
	}
}
