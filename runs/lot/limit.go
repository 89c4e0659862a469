package lot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/tags"
	"utfbench/transport"
)

// Rate is the measure of steps per second, relative to the time in which the transport applied steps.
const Rate = "rate"

// measured returns a value of the first run, in which all boards run concurrently.
func (b *Board) measured(measure string) (value float64, known bool) {
	c := b.first()
	switch {
	case c == nil || !b.Judged():
		return 0, false
	case measure == Rate:
		return c.Rate(), c.Rate() > 0
	case IsClock(measure):
		return b.Timing.clock(measure)
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

// A Limit bounds a measured value.
type Limit struct {
	Measure string // one of Measures
	AtLeast bool   // otherwise at most
	Value   float64
}

// ParseLimit parses a limit in the form MEASURE>=NUMBER or MEASURE<=NUMBER. An error is bad input.
func ParseLimit(text string) (Limit, error) {
	measure, number, atLeast := strings.Cut(text, ">=")
	if !atLeast {
		measure, number, _ = strings.Cut(text, "<=")
	}
	value, err := strconv.ParseFloat(number, 64)
	hz, frequency := transport.ParseFrequency(number)
	switch clock := IsClock(measure); {
	case !clock && (err != nil || !finite(value)):
		return Limit{}, failure.Usagef("%q: a limit is MEASURE>=NUMBER or MEASURE<=NUMBER, such as rate>=40000", text)
	case !slices.Contains(Measures, measure):
		return Limit{}, failure.Usagef("%q: unknown measure %q: there are %s, %s, %s and, with a dot between, "+
			"%[5]s of a line, such as %[5]s.uo3", text, measure, Rate, tags.Celsius, Clock)
	case clock && !frequency:
		return Limit{}, failure.Usagef("%q: %s is a frequency, such as %[2]s>=25MHz", text, measure)
	case clock:
		value = hz
	}
	return Limit{measure, atLeast, value}, nil
}

// String formats the limit as ParseLimit reads it.
func (l Limit) String() string {
	sign, number := "<=", strconv.FormatFloat(l.Value, 'f', -1, 64)
	if l.AtLeast {
		sign = ">="
	}
	if IsClock(l.Measure) {
		number += "Hz"
		text := transport.Frequency(l.Value, -1)
		if hz, _ := transport.ParseFrequency(text); hz == l.Value {
			number = text
		}
	}
	return l.Measure + sign + number
}

// ParseGuard parses a guard band, a percentage of the limit such as 5%. An error is bad input.
func ParseGuard(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	value, err := strconv.ParseFloat(number, 64)
	if !percent || err != nil || !(value >= 0 && value < 100) {
		return 0, failure.Usagef("%q: a guard band is a part of the limit, from 0%% to less than 100%%, such as "+
			"5%%", text)
	}
	return value / 100, nil
}

// A Standing is the relation of a value to its limit.
type Standing string

// Standings, the gravest last. Unmeasured is ERROR, since the bench has no value.
const (
	Inside     Standing = "PASS"
	Marginal   Standing = "MARGINAL"
	Outside    Standing = "FAIL"
	Unmeasured Standing = "ERROR"
)

// Of returns a value's standing, with a guard band as a fraction of the limit.
func (l Limit) Of(value, guard float64) Standing {
	inside := l.Value - value
	if l.AtLeast {
		inside = value - l.Value
	}
	switch {
	case inside < 0:
		return Outside
	case inside < math.Abs(l.Value)*guard:
		return Marginal
	}
	return Inside
}

// A Check is the result of a limit for a board.
type Check struct {
	Board *Board
	Limit Limit
	Value float64 // 0 if Unmeasured
	Is    Standing
}

// Checks applies the limits to all judged boards. A limit of a clock applies only to boards that have one.
func (l *Lot) Checks() (all []Check) {
	for _, limit := range l.Limits {
		for _, b := range l.Boards {
			if !b.Judged() || IsClock(limit.Measure) && !b.timed() {
				continue
			}
			c := Check{Board: b, Limit: limit, Is: Unmeasured}
			if value, known := b.measured(limit.Measure); known {
				c.Value, c.Is = value, limit.Of(value, l.Guard)
			}
			all = append(all, c)
		}
	}
	return all
}

// Limited returns the gravest standing of all checks, or Inside.
func (l *Lot) Limited() Standing {
	order := []Standing{Inside, Marginal, Outside, Unmeasured}
	at := 0
	for _, c := range l.Checks() {
		at = max(at, slices.Index(order, c.Is))
	}
	return order[at]
}

// String describes a violated limit, such as "rate 38000 steps/s, and the limit is rate>=40000"; empty otherwise.
func (c *Check) String() string {
	switch c.Is {
	case Inside:
		return ""
	case Unmeasured:
		return fmt.Sprintf("%s was not measured, and the limit is %s", c.Limit.Measure, c.Limit)
	}
	text := fmt.Sprintf("%s %s, and the limit is %s", c.Limit.Measure, Amount(c.Value, c.Limit.Measure), c.Limit)
	if c.Is == Marginal {
		text += ", within the guard band"
	}
	return text
}

// Amount formats a value, with its unit unless the measure's name implies it.
func Amount(value float64, measure string) string {
	if IsClock(measure) {
		return transport.Frequency(value, 4)
	}
	text := strconv.FormatFloat(math.Round(value), 'f', -1, 64)
	if measure == Rate {
		text += " steps/s"
	}
	return text
}
