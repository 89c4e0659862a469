package command

import (
	"errors"
	"strings"
	"testing"
)

// What came of a run is said by its events, or else by the last that it said.
func TestSmoked(t *testing.T) {
	long := strings.Repeat("x", 3*mostEnding)
	for events, want := range map[string]string{
		`{"event":"start"}{"event":"end","verdict":"PASS"}`: "PASS",
		`{"event":"vector","name":"a","verdict":"FAIL","mismatch":{"step":7,"words":"uo3 is 1"}}` +
			`{"event":"vector","name":"b","verdict":"FAIL"}{"event":"end","verdict":"FAIL"}`: "FAIL; " +
			"first failure: a, step 7: uo3 is 1",
		`{"event":"vector","name":"a","verdict":"ERROR","reason":"no answer"}` +
			`{"event":"end","verdict":"ERROR"}`: "ERROR; first failure: a: no answer",
		`{"event":"vector","name":"a","verdict":"FAIL"}`: "no verdict: bench: pi1/a is not free",
		`nonsense`: "no verdict: bench: pi1/a is not free",
		``:         "no verdict: bench: pi1/a is not free",
	} {
		told := new(ending)
		for _, text := range []string{long, "\nnote\n", "bench: pi1/a is ", "not free\n"} {
			if n, err := told.Write([]byte(text)); n != len(text) || err != nil {
				t.Fatal(n, err)
			}
		}
		if got := smoked(strings.NewReader(events), told, nil); got != want {
			t.Errorf("%s: %q, want %q", events, got, want)
		}
	}
	if got := smoked(strings.NewReader(""), new(ending), errors.New("killed")); got != "no verdict: killed" {
		t.Error(got)
	}
}
