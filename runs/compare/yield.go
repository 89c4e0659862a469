package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"utfbench/driver"
	"utfbench/internal/document"
)

// A Yield counts boards.
type Yield struct {
	Of     string // the revision of the reference; "" is all boards
	Judged int
	First  int // passed in the first run
	After  int // passed in any run
}

// Yields returns the yield of all boards, and of each revision if there are several.
func (l *Lot) Yields() []Yield {
	var revisions []string
	for _, b := range l.Boards {
		if b.Judged() {
			revisions = append(revisions, b.first().Run.Revision)
		}
	}
	slices.Sort(revisions)
	revisions = slices.Compact(revisions)
	all := []Yield{l.yield("", func(*Board) bool { return true })}
	if len(revisions) > 1 {
		for _, r := range revisions {
			all = append(all, l.yield(r, func(b *Board) bool { return b.first().Run.Revision == r }))
		}
	}
	return all
}

// Whole returns the yield that counts unjudged boards as not passed: the lower bound.
func (l *Lot) Whole() Yield {
	y := l.yield("", func(*Board) bool { return true })
	if n := len(l.Boards) - y.Judged; n > 0 {
		y.Of = fmt.Sprintf("with %d not judged", n)
	}
	y.Judged = len(l.Boards)
	return y
}

// yield returns the yield of the judged boards that keep selects.
func (l *Lot) yield(of string, keep func(*Board) bool) Yield {
	y := Yield{Of: of}
	for _, b := range l.Boards {
		if !b.Judged() || !keep(b) {
			continue
		}
		y.Judged++
		if b.First() == driver.Pass {
			y.First++
		}
		if b.Passed() {
			y.After++
		}
	}
	return y
}

// An Outlier is a board with a value far from the median of all boards of its kind.
type Outlier struct {
	Board   string  `json:"board"`
	Measure string  `json:"measure"`
	Kind    string  `json:"kind"` // of transport, and the pin map
	Value   float64 `json:"value"`
	Median  float64 `json:"median"`
	Score   float64 `json:"score"` // see deviants
}

// Outliers returns the outliers of all measures. It does not compare boards of different kinds, since a Raspberry Pi's
// header is faster than a demo board, nor models' rates, which depend on the machine.
func (l *Lot) Outliers() (all []Outlier) {
	kinds := map[string][]*Board{}
	var order []string
	for _, b := range l.Boards {
		if b.Judged() {
			asked := &b.first().Run.Chip
			kind := asked.Kind + ", board " + asked.Board
			if kinds[kind] == nil {
				order = append(order, kind)
			}
			kinds[kind] = append(kinds[kind], b)
		}
	}
	for _, measure := range Measures {
		for _, kind := range order {
			all = append(all, outliers(kinds[kind], measure, kind)...)
		}
	}
	return all
}

// outliers returns the outliers among boards of one kind.
func outliers(boards []*Board, measure, kind string) (all []Outlier) {
	var values []float64
	var with []*Board
	for _, b := range boards {
		if measure == Rate && b.first().Run.Chipless() {
			continue
		}
		if v, known := b.measured(measure); known {
			values, with = append(values, v), append(with, b)
		}
	}
	far, median := deviants(values)
	for _, o := range far {
		all = append(all, Outlier{with[o.Index].Name, measure, kind, values[o.Index], median, o.Score})
	}
	return all
}

// Rate is the measure of steps per second, relative to the time in which the transport applied steps.
const Rate = "rate"

// Measures are the measures of a board; not every board has each.
var Measures = []string{Rate, document.Celsius}

// measured returns a value of the first run, in which all boards run concurrently.
func (b *Board) measured(measure string) (value float64, known bool) {
	c := b.first()
	switch {
	case c == nil || !b.Judged():
		return 0, false
	case measure == Rate:
		return c.Rate(), c.Rate() > 0
	}
	value, err := strconv.ParseFloat(c.Run.Tags[measure], 64)
	return value, err == nil && finite(value)
}

// Measured returns the known values, by measure.
func (b *Board) Measured() map[string]float64 {
	all := map[string]float64{}
	for _, measure := range Measures {
		if v, known := b.measured(measure); known {
			all[measure] = v
		}
	}
	return all
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Amount formats a value, with its unit unless the measure's name implies it.
func Amount(value float64, measure string) string {
	text := strconv.FormatFloat(math.Round(value), 'f', -1, 64)
	if measure == Rate {
		text += " steps/s"
	}
	return text
}

// leastForOutliers is the minimum number of values for finding outliers; with fewer the median is too uncertain.
const leastForOutliers = 5

// farOut is the modified z-score above which a value is an outlier: Iglewicz and Hoaglin, "How to Detect and Handle
// Outliers" (ASQC 1993), section 3.3; also in the NIST Engineering Statistics Handbook, 1.3.5.17.
const farOut = 3.5

// These factors turn the median, or the mean, of the absolute deviations from the median into a standard deviation of
// normally distributed values. The second applies if more than half of the values are equal, as in the documentation of
// IBM's Cognos Analytics under "Modified z score".
const (
	ofMedian = 1 / 0.6745
	ofMean   = 1.253314
)

// A deviant is a value far from the median.
type deviant struct {
	Index int     // among the values
	Score float64 // modified z-score: the distance from the median in standard deviations, negative below it
}

// deviants returns the values far from the median, in their order, and the median. With fewer than [leastForOutliers]
// values it returns none. All values must be finite.
func deviants(values []float64) (far []deviant, median float64) {
	if len(values) == 0 {
		return nil, 0
	}
	median = middle(values)
	if len(values) < leastForOutliers {
		return nil, median
	}
	deviations := make([]float64, len(values))
	sum := 0.0
	for i, v := range values {
		deviations[i] = math.Abs(v - median)
		sum += deviations[i]
	}
	deviation := cmp.Or(ofMedian*middle(deviations), ofMean*sum/float64(len(values)))
	for i, v := range values {
		if score := (v - median) / deviation; math.Abs(score) > farOut { // NaN if all are equal
			far = append(far, deviant{i, score})
		}
	}
	return far, median
}

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return sorted[(n-1)/2] + (sorted[n/2]-sorted[(n-1)/2])/2
}
