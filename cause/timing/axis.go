package timing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// points is the default number of values on an axis.
const points = 12

// mostPoints is the maximum number of values on an axis.
const mostPoints = 100

// ParseAxis parses KNOB=LOW..HIGH[/N], as in pulse=20ns..2us/8: N times from LOW to HIGH, spaced logarithmically if
// HIGH is at least ten times LOW, or else linearly.
func ParseAxis(text string) (a Axis, err error) {
	knob, span, _ := strings.Cut(text, "=")
	span, number, many := strings.Cut(span, "/")
	from, to, _ := strings.Cut(span, "..")
	n := points
	if many {
		n, err = strconv.Atoi(number)
	}
	a.Knob = knob
	low, lerr := time.ParseDuration(from)
	high, herr := time.ParseDuration(to)
	if knob == "" || cmp.Or(err, lerr, herr) != nil || n < 2 || n > mostPoints || low < 0 || high <= low {
		return a, failure.Usagef("axis %q: say KNOB=LOW..HIGH or KNOB=LOW..HIGH/N, two times, the lower first, and N "+
			"from 2 to 100, as in pulse=20ns..2us/8", text)
	}
	for i := range n {
		part := float64(i) / float64(n-1)
		v := float64(low) + part*float64(high-low)
		if low > 0 && high >= 10*low {
			v = float64(low) * math.Pow(float64(high)/float64(low), part)
		}
		if d := time.Duration(math.Round(v)); len(a.Values) == 0 || d > a.Values[len(a.Values)-1] {
			a.Values = append(a.Values, d)
		}
	}
	return a, nil
}

// AtSpeed reports whether the axis's knob exists only at speed.
func (a Axis) AtSpeed() bool {
	return a.Knob == transport.PeriodKnob || a.Knob == transport.SampleKnob || a.Knob == transport.LeadKnob
}

// errNot reports that a chip cannot be judged at a cell's settings.
var errNot = errors.New("it cannot be judged")

// A speedTuner sets the knobs of a chip at speed in one call, since they depend on each other.
type speedTuner interface {
	TuneAll(map[string]time.Duration) error
	CheckSample() error
}

var _ speedTuner = (*transport.Player)(nil)

// setAll sets the knobs of all axes to the values of a cell.
func (b *ShmooRunner) setAll(ctx context.Context, g *Grid, x, y int) (err error) {
	c := g.At(x, y)
	fast, atSpeed := b.Knobs.(speedTuner)
	if atSpeed {
		to := map[string]time.Duration{g.X.Knob: g.X.Values[x], g.Y.Knob: g.Y.Values[y]}
		if err := fast.TuneAll(to); errors.Is(err, transport.ErrClosed) {
			return err
		} else if err != nil {
			return fmt.Errorf("%w: %w", errNot, err)
		}
	}
	if c.X, err = b.Knobs.Tune(ctx, g.X.Knob, g.X.Values[x]); err != nil {
		return err
	}
	if g.Y.Knob != "" {
		if c.Y, err = b.Knobs.Tune(ctx, g.Y.Knob, g.Y.Values[y]); err != nil {
			return err
		}
	}
	if !atSpeed || b.Insist {
		return nil
	}
	if err := fast.CheckSample(); err != nil {
		return fmt.Errorf("%w: %w", errNot, err)
	}
	return nil
}
