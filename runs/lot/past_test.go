package lot

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"utfbench/driver"
	"utfbench/internal/testkit/schema"
	"utfbench/runs/history"
	"utfbench/runs/identity"
	"utfbench/runs/report"
)

// past returns a run of the history some days after a Monday.
func past(board string, days int, v driver.Verdict) *history.Run {
	r := &history.Run{End: &report.End{Verdict: v.String()}}
	r.Start.Identity = identity.Identity{Chip: identity.Chip{Kind: "gpio", Device: board}, Digest: "d"}
	r.Start.Time = time.Date(2026, 11, 16+days, 12, 0, 0, 0, time.Local)
	return r
}

// latestFirst returns runs, given in order of time, in the history's order.
func latestFirst(runs ...*history.Run) iter.Seq2[*history.Run, error] {
	return func(yield func(*history.Run, error) bool) {
		for _, r := range slices.Backward(runs) {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// A board's first run on a day counts, and the following ones are retests. Runs that do not judge a chip are skipped.
func TestPast(t *testing.T) {
	model, other, broke, died, unnamed := past("m", 0, driver.Pass), past("a", 0, driver.Fail),
		past("b", 0, driver.Fail), past("b", 0, driver.Pass), past("", 8, driver.Pass)
	model.Start.Kind, other.Start.Digest, broke.End.Trouble, died.End = "mock", "e", "the cable", nil
	unnamed.Start.Transport = "lab:pi1/x"
	runs := []*history.Run{model, past("a", 0, driver.Fail), past("a", 0, driver.Pass), other,
		past("b", 0, driver.Wiring), broke, died, past("b", 0, driver.Pass), past("b", 0, driver.Fail),
		past("a", 1, driver.Flaky), unnamed}
	for by, want := range map[string][]Yield{
		"day":   {{"2026-11-16", 3, 1, 2}, {"2026-11-17", 1, 0, 0}, {"2026-11-24", 1, 1, 1}, {"", 5, 2, 3}},
		"week":  {{"2026-W47", 4, 1, 2}, {"2026-W48", 1, 1, 1}, {"", 5, 2, 3}},
		"board": {{"a", 3, 0, 1}, {"b", 1, 1, 1}, {"lab:pi1/x", 1, 1, 1}, {"", 5, 2, 3}},
	} {
		p, err := NewPast(latestFirst(runs...), by, time.Time{})
		if err != nil || !slices.Equal(p.Yields, want) || p.Models != 1 || p.Runs != 7 {
			t.Errorf("%s: %+v, %v; want %+v", by, p, err, want)
			continue
		}
		var text, doc bytes.Buffer
		if err := errors.Join(p.Text(&text), p.JSON(&doc, "test")); err != nil {
			t.Fatal(err)
		}
		if err := schema.Holds(schema.Compile(t, "history-yield"), doc.String()); err != nil {
			t.Errorf("%v in\n%s", err, &doc)
		}
		if by == "week" && text.String() != toldOfWeeks {
			t.Errorf("%s\nwant\n%s", &text, toldOfWeeks)
		}
	}
	lost := errors.New("the history is damaged")
	_, err := NewPast(func(yield func(*history.Run, error) bool) { yield(nil, lost) }, "day", time.Time{})
	if !errors.Is(err, lost) {
		t.Error(err)
	}
}

// In a lab runs arrive at any time, and two machines may each have a board without an id at the same port. Runs before
// the given time are skipped.
func TestPastOfALab(t *testing.T) {
	late, other, old := past("", 8, driver.Fail), past("", 8, driver.Fail), past("", 0, driver.Pass)
	soon := past("", 8, driver.Pass)
	late.Start.Time = soon.Start.Time.Add(-time.Hour)
	for _, r := range []*history.Run{late, other, old, soon} {
		r.By, r.Start.Transport = "pi1", "rp2040:/dev/ttyACM0"
	}
	other.By = "pi2"
	shared, again := past("", 8, driver.Fail), past("", 8, driver.Pass)
	shared.By, again.By = "pi1", "pi2" // use one board of the lab
	shared.Start.Transport, again.Start.Transport = "lab:pi3/x", "lab:pi3/x"
	since := soon.Start.Time.AddDate(0, 0, -1)
	p, err := NewPast(latestFirst(old, soon, other, late, shared, again), "board", since)
	want := []Yield{{"lab:pi3/x", 1, 0, 1}, {"pi1 rp2040:/dev/ttyACM0", 1, 0, 1}, {"pi2 rp2040:/dev/ttyACM0", 1, 0, 0},
		{"", 3, 0, 2}}
	if err != nil || !slices.Equal(p.Yields, want) || p.Runs != 5 {
		t.Fatalf("%+v, %v; want %+v", p, err, want)
	}
	var text, doc bytes.Buffer
	if err := errors.Join(p.Text(&text), p.JSON(&doc, "test")); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"of 5 runs that were judged since 2026-11-23 12:00:00;", "pi2 rp2040:"} {
		if !strings.Contains(text.String(), said) {
			t.Errorf("no %q in\n%s", said, &text)
		}
	}
	if err := schema.Holds(schema.Compile(t, "history-yield"), doc.String()); err != nil {
		t.Errorf("%v in\n%s", err, &doc)
	}
}

const toldOfWeeks = `yield, 95 % interval  judged  first pass                after retest
2026-W47              4       1, 25 % (4.6 % to 70 %)   2, 50 % (15 % to 85 %)
2026-W48              1       1, 100 % (21 % to 100 %)  1, 100 % (21 % to 100 %)
all                   5       2, 40 % (12 % to 77 %)    3, 60 % (23 % to 88 %)

by week, of 7 runs that were judged; a board counts once a day for the same vectors
left out: 1 run of models
`

// For any history the yields of days, weeks and boards have the same sum, and a retest can only increase them.
func TestPastAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		verdict := rapid.SampledFrom([]driver.Verdict{driver.Pass, driver.Fail, driver.Flaky, driver.Error,
			driver.Skipped})
		days := rapid.SliceOfN(rapid.IntRange(0, 20), 0, 30).Draw(t, "days")
		slices.Sort(days)
		var runs []*history.Run
		for _, day := range days {
			runs = append(runs, past(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "board"), day,
				verdict.Draw(t, "verdict")))
		}
		var totals []Yield
		for _, by := range Bys {
			p, err := NewPast(latestFirst(runs...), by, time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			var sum Yield
			for _, y := range p.Yields[:len(p.Yields)-1] {
				sum.add(&y)
				if y.First > y.After || y.After > y.Judged {
					t.Fatalf("%+v", y)
				}
			}
			if total := p.Yields[len(p.Yields)-1]; sum != total {
				t.Fatalf("%s: %+v, and in all %+v", by, sum, total)
			}
			totals = append(totals, sum)
		}
		if totals[0] != totals[1] || totals[0] != totals[2] {
			t.Fatalf("%+v", totals)
		}
	})
}
