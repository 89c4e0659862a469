package history

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/stats"
	"utfbench/internal/tags"
)

// MostPoints is the maximum number of runs in a trend.
const MostPoints = 100

// A Point is a run of a trend. The distance between points does not represent time.
type Point struct {
	Run     int
	When    time.Time
	Verdict string

	values [len(measures)]value
}

// A value is a run's value of a measure, if known.
type value struct {
	of    float64
	known bool
}

// A measure is a curve of the picture, in a band of its own.
type measure struct {
	name string
	of   func(*Run) value
}

var measures = [...]measure{{"steps a second", rate}, {"failed, %", failed}, {tags.Celsius, celsius}}

// sane exceeds every real value; larger ones are damaged or forged.
const sane = 1e12

func rate(r *Run) value {
	return value{float64(r.End.Steps) / max(r.End.Seconds, 0.001), r.End.Steps > 0}
}

// failed returns the failed share of the judged executions.
func failed(r *Run) value {
	bad := r.End.Counts[driver.Fail.String()] + r.End.Counts[driver.Error.String()]
	judged := bad + r.End.Counts[driver.Pass.String()]
	return value{100 * float64(bad) / float64(max(1, judged)), judged > 0}
}

func celsius(r *Run) value {
	of, err := strconv.ParseFloat(r.Start.Tags[tags.Celsius], 64)
	return value{of, err == nil && of > -300 && of < 1000} // anything else is not a temperature, but the user's text
}

// A Trend shows the history of a board: speed, failure rate and temperature. It has the runs that have ended, the
// earliest first, and gives no verdict.
type Trend struct{ Points []Point }

// TrendOf returns the trend of runs, which it takes the latest first. It skips unfinished ones.
func TrendOf(runs iter.Seq2[*Run, error]) (*Trend, error) {
	t := new(Trend)
	for r, err := range runs {
		if err != nil {
			return nil, err
		}
		if r.End == nil || len(t.Points) == MostPoints {
			continue
		}
		p := Point{Run: r.Number, When: r.Start.Time, Verdict: r.End.Verdict}
		if r.End.BadWires() {
			p.Verdict = driver.Wiring.String()
		}
		for i := range measures {
			p.values[i] = measures[i].of(r)
			p.values[i].known = p.values[i].known && math.Abs(p.values[i].of) < sane
		}
		t.Points = append(t.Points, p)
	}
	slices.Reverse(t.Points)
	return t, nil
}

// known returns the known values of a measure.
func (t *Trend) known(i int) (all []float64) {
	for _, p := range t.Points {
		if p.values[i].known {
			all = append(all, p.values[i].of)
		}
	}
	return all
}

// String describes the trend in one line.
func (t *Trend) String() string {
	if len(t.Points) == 0 {
		return "no run has ended"
	}
	first, last := t.Points[0], t.Points[len(t.Points)-1]
	text := fmt.Sprintf("runs %d to %d, %s to %s: %s", first.Run, last.Run, first.When.Local().Format(time.DateOnly),
		last.When.Local().Format(time.DateOnly), t.verdicts())
	for i, m := range measures {
		if all := t.known(i); len(all) > 0 {
			_, median := stats.Outliers(all)
			text += fmt.Sprintf("; %s: %s to %s, median %s", m.name, number(slices.Min(all)), number(slices.Max(all)),
				number(median))
		}
	}
	return text
}

func (t *Trend) verdicts() string {
	count := map[string]int{}
	for _, p := range t.Points {
		count[p.Verdict]++
	}
	var all []string
	for _, v := range driver.Verdicts {
		if n := count[v.String()]; n > 0 {
			all = append(all, fmt.Sprintf("%s %d", v, n))
		}
	}
	return strings.Join(all, ", ")
}

// number formats a value with three digits, or all digits before the point.
func number(v float64) string {
	switch {
	case v >= 1000 || v <= -1000:
		return fmt.Sprintf("%.0f", v)
	case v == float64(int(v)):
		return fmt.Sprintf("%d", int(v))
	}
	return fmt.Sprintf("%.3g", v)
}
