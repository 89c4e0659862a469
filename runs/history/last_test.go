package history

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/runs/report"
	"utfbench/transport"
)

// Last prefers a failing chip among the runs that overlap the latest.
func TestLast(t *testing.T) {
	const pass, fail, weak = driver.Pass, driver.Fail, driver.Weak
	type ran struct {
		from, to int // seconds
		verdict  driver.Verdict
	}
	for name, c := range map[string]struct {
		runs           []ran
		want, together int
	}{
		"one":      {[]ran{{0, 9, fail}}, 1, 1},
		"in a row": {[]ran{{0, 9, fail}, {9, 12, pass}}, 2, 1},
		"together": {[]ran{{0, 9, fail}, {1, 3, weak}, {2, 12, pass}}, 1, 3},
		"fails":    {[]ran{{0, 9, fail}, {1, 3, fail}, {2, 12, weak}}, 2, 3},
		"weak":     {[]ran{{0, 1, fail}, {1, 3, weak}, {2, 12, pass}}, 2, 2},
		"pass":     {[]ran{{1, 3, pass}, {2, 12, pass}}, 2, 2},
	} {
		f, db := &Finder{}, filepath.Join(t.TempDir(), "h.db")
		t.Setenv("BENCH_DB", db)
		var notes []string
		f.OnNote = func(note string) { notes = append(notes, note) }
		for _, r := range c.runs {
			w := NewWriter(db)
			begin := report.Run{Transport: "mock:tt09", Identity: asked(""), Started: time.Unix(int64(r.from), 0)}
			_ = w.Start(begin)
			tally := &driver.Tally{}
			if tally.Verdicts[r.verdict]++; r.verdict == pass {
				tally.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{}, {Out: 0xFF, IO: 0xFF}})
			}
			_ = w.End(report.Outcome{Tally: tally, Elapsed: time.Duration(r.to-r.from) * time.Second})
		}
		h, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if r, together, err := h.Last(); err != nil || r.Number != c.want || together != c.together {
			t.Errorf("%s: run %d of %d, %v; want run %d of %d", name, r.Number, together, err, c.want, c.together)
		}
		n, err := f.Number("last")
		if err != nil || n != c.want || (len(notes) > 0) != (c.together > 1) {
			t.Errorf("%s: last is %d, %v, with %q", name, n, err, notes)
		}
		says := "last is run " + strconv.Itoa(c.want) + ", "
		if len(notes) > 0 && (len(notes) > 1 || !strings.HasPrefix(notes[0], says)) {
			t.Errorf("%s: %q", name, notes)
		}
	}
}
