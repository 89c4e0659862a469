package lot

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/printable"
	"utfbench/runs/history"
)

// A Past computes yields from all runs of a history. It counts boards by day: the first judged run of the same vectors,
// and later ones as retests. It skips runs of models.
type Past struct {
	By     string    // one of Bys
	Yields []Yield   // sorted by group, with the total last
	Since  time.Time // earlier runs are skipped; zero: none
	Runs   int       // judged runs
	Models int       // skipped runs without a chip
}

// Bys are the ways to group yields.
var Bys = []string{"day", "week", "board"}

// A trial is the unit of counting.
type trial struct{ board, day, digest string }

// An outcome is a trial's result.
type outcome struct {
	Yield
	began time.Time // of the first run
}

// NewPast counts runs, which it takes the latest first; a lab orders them by arrival. The error is the source's.
func NewPast(runs iter.Seq2[*history.Run, error], by string, since time.Time) (*Past, error) {
	p := &Past{By: by, Since: since}
	trials := map[trial]*outcome{}
	for r, err := range runs {
		switch {
		case err != nil:
			return nil, err
		case r.Start.Time.Before(since):
		case r.Start.Chipless():
			p.Models++
		case judged(r):
			p.Runs++
			p.take(trials, r)
		}
	}
	all, of := Yield{}, map[string]*Yield{}
	for _, t := range trials {
		if of[t.Of] == nil {
			of[t.Of] = &Yield{Of: t.Of}
		}
		of[t.Of].add(&t.Yield)
		all.add(&t.Yield)
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		p.Yields = append(p.Yields, *of[name])
	}
	p.Yields = append(p.Yields, all)
	return p, nil
}

// take counts a judged run. Of two runs with the same start, the one taken later was first.
func (p *Past) take(trials map[trial]*outcome, r *history.Run) {
	key := trial{boardOf(r), r.Start.Time.Local().Format(time.DateOnly), r.Start.Digest}
	t := trials[key]
	if t == nil {
		t = &outcome{Yield{Of: group(r, p.By), Judged: 1}, r.Start.Time}
		trials[key] = t
	}
	passed := 0
	if r.End.Verdict == driver.Pass.String() {
		passed = 1
	}
	t.After = max(t.After, passed)
	if !r.Start.Time.After(t.began) {
		t.First, t.began = passed, r.Start.Time
	}
}

func (y *Yield) add(t *Yield) {
	y.Judged += t.Judged
	y.First += t.First
	y.After += t.After
}

// judged reports whether a run has a verdict on the chip.
func judged(r *history.Run) bool {
	if r.End == nil || r.End.Trouble != "" || r.End.BadWires() {
		return false
	}
	return slices.ContainsFunc([]driver.Verdict{driver.Pass, driver.Weak, driver.Fail, driver.Flaky},
		func(v driver.Verdict) bool { return r.End.Verdict == v.String() })
}

// boardOf returns the board's id, or else its transport: lab:HOST/BOARD for all users, any other with the machine that
// handed the run in.
func boardOf(r *history.Run) string {
	way := r.Start.Transport
	if !strings.HasPrefix(way, "lab:") {
		way = strings.TrimSpace(r.By + " " + way)
	}
	return cmp.Or(r.Start.Device, way)
}

func group(r *history.Run, by string) string {
	at := r.Start.Time.Local()
	switch by {
	case "board":
		return boardOf(r)
	case "week":
		year, week := at.ISOWeek()
		return fmt.Sprintf("%d-W%02d", year, week)
	}
	return at.Format(time.DateOnly)
}

// Text writes the yields for people.
func (p *Past) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	writeYields(b, p.Yields)
	since := ""
	if !p.Since.IsZero() {
		since = " since " + p.Since.Local().Format(time.DateTime)
	}
	fmt.Fprintf(b, "\nby %s, of %s that were judged%s; a board counts once a day for the same vectors\n", p.By,
		printable.Count(p.Runs, "run"), since)
	if p.Models > 0 {
		fmt.Fprintf(b, "left out: %s of models\n", printable.Count(p.Models, "run"))
	}
	return b.Flush()
}

func writeYields(w io.Writer, all []Yield) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "yield, 95 % interval\tjudged\tfirst pass\tafter retest")
	for _, y := range all {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\n", printable.Text(cmp.Or(y.Of, "all")), y.Judged, part(y.First, y.Judged),
			part(y.After, y.Judged))
	}
	t.Flush()
}

// A pastDocument is the JSON form of a Past; see docs/schemas/history-yield.schema.json.
type pastDocument struct {
	document.Head
	By     string     `json:"by"`
	Since  *time.Time `json:"since"`
	Runs   int        `json:"runs"`
	Models int        `json:"models_left_out"`
	Yields []pastPart `json:"yields"`
}

type pastPart struct {
	Of       *string   `json:"of"`
	Judged   int       `json:"judged"`
	First    int       `json:"first_pass"`
	After    int       `json:"after_retest"`
	Interval []float64 `json:"first_pass_95"`
	Retested []float64 `json:"after_retest_95"`
}

// JSON writes the yields as one object, with this version of the bench.
func (p *Past) JSON(w io.Writer, bench string) error {
	d := pastDocument{Head: document.NewHead(bench), By: p.By, Runs: p.Runs, Models: p.Models}
	if !p.Since.IsZero() {
		d.Since = &p.Since
	}
	for _, y := range p.Yields {
		part := pastPart{Judged: y.Judged, First: y.First, After: y.After, Interval: interval(y.First, y.Judged),
			Retested: interval(y.After, y.Judged)}
		if y.Of != "" {
			part.Of = &y.Of
		}
		d.Yields = append(d.Yields, part)
	}
	return document.Write(w, d)
}
