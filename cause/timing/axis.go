package timing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// points is the default number of values on an axis.
const points = 12

// mostPoints is the maximum number of values on an axis.
const mostPoints = 100

// execPrefix begins an axis that a command sets; {} in the command stands for the value.
const execPrefix = "exec:"

// frequency is another form of the axis period.
const frequency = "frequency"

// ParseAxis parses KNOB=LOW..HIGH[/N], as in pulse=20ns..2us/8: N values, with equal factors if HIGH is at least ten
// times LOW, else with equal differences. frequency=LOW..HIGH[/N] gives a period axis of these frequencies, and
// exec:COMMAND=LOW..HIGH[/N] a command axis with numbers.
func ParseAxis(text string) (a Axis, err error) {
	at := strings.LastIndexByte(text, '=')
	span, number, many := strings.Cut(text[at+1:], "/")
	from, to, ranged := strings.Cut(span, "..")
	n := points
	if many {
		n, err = strconv.Atoi(number)
	}
	if at > 0 {
		a.Knob = text[:at]
	}
	low, lok := a.read(from)
	high, hok := a.read(to)
	if a.Knob == "" || !ranged || err != nil || !lok || !hok || n < 2 || n > mostPoints || high <= low {
		return a, failure.Usagef("axis %q: say KNOB=LOW..HIGH or KNOB=LOW..HIGH/N, two times, the lower first, and N "+
			"from 2 to 100, as in pulse=20ns..2us/8, frequency=5MHz..50MHz or exec:'psu set {}'=1.6..1.9/7", text)
	}
	command, runs := a.command()
	if runs && (!strings.Contains(command, "{}") || printable.Text(command) != command) {
		return a, failure.Usagef("axis %q: the command needs {} where its value goes, and no control characters", text)
	}
	for i := range n {
		part := float64(i) / float64(n-1)
		v := low + part*(high-low)
		if low > 0 && high >= 10*low && !runs {
			v = low * math.Pow(high/low, part)
		}
		a.add(v)
	}
	return a, nil
}

// add appends a value unless it equals the last one.
func (a *Axis) add(v float64) {
	if a.Knob == frequency {
		v = 1e9 / v
	}
	d := time.Duration(math.Round(v))
	switch n := len(a.Values); {
	case n == 0 || d > a.Values[n-1]:
		a.Values = append(a.Values, d)
	case d < a.Values[0]: // periods decrease
		a.Values = append([]time.Duration{d}, a.Values...)
	}
}

// read parses a value: in hertz for a frequency, in billionths for a command, else in nanoseconds.
func (a *Axis) read(text string) (v float64, ok bool) {
	if _, runs := a.command(); runs {
		v, err := strconv.ParseFloat(text, 64)
		return v * 1e9, err == nil && math.Abs(v) < 1e9
	}
	if a.Knob == frequency {
		hz, ok := transport.ParseFrequency(text)
		return hz, ok && hz >= 1 && hz <= 1e9
	}
	d, err := time.ParseDuration(text)
	return float64(d), err == nil && d >= 0
}

// named converts a frequency axis to a period axis after parsing.
func (a Axis) named() Axis {
	if a.Knob == frequency {
		a.Knob = transport.PeriodKnob
	}
	return a
}

// AtSpeed reports whether the knob applies to a chip at speed.
func (a Axis) AtSpeed() bool {
	return a.Knob == transport.PeriodKnob || a.Knob == transport.SampleKnob || a.Knob == transport.LeadKnob
}

// command returns the axis's command; ok is false for a knob.
func (a Axis) command() (command string, ok bool) { return strings.CutPrefix(a.Knob, execPrefix) }

// Label formats a value in short.
func (a Axis) Label(v time.Duration) string {
	if _, runs := a.command(); runs {
		return number(v)
	}
	return ShortDuration(v)
}

// number formats a number given in billionths.
func number(v time.Duration) string { return strconv.FormatFloat(float64(v)/1e9, 'g', 9, 64) }

// A commandError reports why a command has not set its value.
type commandError struct{ err error }

func (e *commandError) Error() string { return e.err.Error() }
func (e *commandError) Unwrap() error { return e.err }

// set sets an axis to a value and returns the actual one. It runs a command unless that has last set the same value.
func (b *ShmooRunner) set(ctx context.Context, a Axis, v time.Duration) (time.Duration, error) {
	command, runs := a.command()
	if !runs {
		return b.Knobs.Tune(ctx, a.Knob, v)
	}
	if last, ran := b.ran[command]; ran && last == v {
		return v, nil
	}
	delete(b.ran, command)
	words := strings.ReplaceAll(command, "{}", number(v))
	if err := RunShell(ctx, words); err != nil {
		return v, &commandError{fmt.Errorf("%s: %w", words, err)}
	}
	b.ran[command] = v
	return v, nil
}

// errNot means that a chip cannot be judged at a cell.
var errNot = errors.New("it cannot be judged")

// A speedTuner sets the knobs of a chip at speed together, since they depend on each other.
type speedTuner interface {
	TuneAll(map[string]time.Duration) error
	CheckSample() error
}

var _ speedTuner = (*transport.Player)(nil)

// setAll sets all axes to the values of a cell.
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
	if c.X, err = b.set(ctx, g.X, g.X.Values[x]); err != nil {
		return err
	}
	if g.Y.Knob != "" {
		if c.Y, err = b.set(ctx, g.Y, g.Y.Values[y]); err != nil {
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
