package report

import "testing"

// What is told of a run while it goes on is what was told of its results so far, and the first that failed.
func TestProgress(t *testing.T) {
	p := new(Progress)
	if done, of, verdicts, first := p.Now(); done+of != 0 || verdicts+first != "" {
		t.Errorf("before it began: %d of %d: %q, %q", done, of, verdicts, first)
	}
	tell(t, p)
	done, of, verdicts, first := p.Now()
	if done != 5 || of != 5 || verdicts != "PASS 1, SKIPPED 1, ABORTED 1, FAIL 1, ERROR 1" {
		t.Errorf("%d of %d: %s", done, of, verdicts)
	}
	want := "chip/b, step 5, look at the status: uo3 (OVERLONG) is 1, not 0; uio is 01, not 00 (bits 0)"
	if first != want {
		t.Errorf("%s; want %s", first, want)
	}
}
