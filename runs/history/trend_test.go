package history

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"utfbench/driver"
	"utfbench/internal/tags"
	"utfbench/runs/report"
)

// ended returns a run of a hundred executions.
func ended(number int, verdict string, bad int, warm string) *Run {
	r := &Run{Number: number, End: &report.End{Verdict: verdict, Steps: 40000, Seconds: 2,
		Counts: map[string]int{driver.Pass.String(): 100 - bad, driver.Fail.String(): bad}}}
	r.Start.Time = time.Date(2026, 11, 20, 12, 0, 0, 0, time.Local).AddDate(0, 0, number)
	if warm != "" {
		r.Start.Tags = tags.Set{tags.Celsius: warm}
	}
	return r
}

// latest returns runs in a history's order.
func latest(runs []*Run) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		for _, r := range slices.Backward(runs) {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func trendOf(t *testing.T, runs ...*Run) *Trend {
	t.Helper()
	of, err := TrendOf(latest(runs))
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// A line describes the picture.
func TestTrend(t *testing.T) {
	on := ended(9, "", 0, "")
	on.End = nil // still running
	for want, runs := range map[string][]*Run{
		"no run has ended": {on},
		"runs 1 to 3, 2026-11-21 to 2026-11-23: PASS 1, FAIL 2; steps a second: 20000 to 20000, median 20000; " +
			"failed, %: 0 to 12, median 3; mcu_celsius: 31 to 45.5, median 38.2": {ended(1, "PASS", 0, "31"),
			ended(2, "FAIL", 3, "no number"), ended(3, "FAIL", 12, "45.5"), on},
		"runs 4 to 4, 2026-11-24 to 2026-11-24: FAIL 1; steps a second: 20000 to 20000, median 20000; failed, %: " +
			"1 to 1, median 1": {ended(4, "FAIL", 1, "1e9")},
	} {
		if got := trendOf(t, runs...).String(); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
	bad := errors.New("the history cannot be read")
	if _, err := TrendOf(func(yield func(*Run, error) bool) { yield(nil, bad) }); !errors.Is(err, bad) {
		t.Error(err)
	}
}

// The picture has a band for each known measure, with a mark for each run by its verdict.
func TestTrendSVG(t *testing.T) {
	var b bytes.Buffer
	of := trendOf(t, ended(1, "PASS", 0, ""), ended(2, "FAIL", 3, "31"), ended(3, "<b>", 3, ""))
	if err := of.SVG(&b); err != nil {
		t.Fatal(err)
	}
	for sign, n := range map[string]int{"<circle": 2, `<path class="mark fail"`: 3, `<rect class="mark error"`: 2,
		`class="name"`: 3, "run 3, 2026-11-23": 3, "<b>": 0} {
		if got := strings.Count(b.String(), sign); got != n {
			t.Errorf("%d of %s; want %d in %s", got, sign, n, &b)
		}
	}
}

// For any history the picture is XML that a page can embed.
func TestAnyTrend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *Run {
			r := ended(rapid.Int().Draw(t, "number"), rapid.String().Draw(t, "verdict"),
				rapid.IntRange(-1000, 1000).Draw(t, "bad"),
				rapid.StringMatching(`-?[0-9]{1,5}(e[0-9])?|NaN|`).Draw(t, "warm"))
			r.End.Steps, r.End.Seconds = rapid.Int().Draw(t, "steps"), rapid.Float64().Draw(t, "seconds")
			return r
		}), 0, 2*MostPoints).Draw(t, "runs")
		of, err := TrendOf(latest(runs))
		if err != nil || len(of.Points) > MostPoints {
			t.Fatal(len(of.Points), err)
		}
		var b bytes.Buffer
		if err := of.SVG(&b); err != nil {
			t.Fatal(err)
		}
		for dec := xml.NewDecoder(&b); ; {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}
