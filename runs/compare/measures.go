package compare

import (
	"math"
	"strconv"

	"utfbench/internal/document"
)

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
