package fault

import (
	"math"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// DefaultTime is the initial value of Wires.Pulse and Wires.SettleTime. Time is virtual: it affects only timing faults.
const DefaultTime = 200 * time.Nanosecond

// Between nine tenths of a limit and the limit, misses are random, as with jitter: one in 10,000 edges just below the
// limit, nearly all edges at nine tenths, and an exponential rate in between. So a vector of some thirty edges is flaky
// in about the upper half of this band.
const (
	bandPart = 10   // limit divided by the width of the band
	rarest   = 1e-4 // probability just below the limit
)

// missed reports whether a time is too short for a limit; just below it, the result is random unless Exact is set.
func (w *Wires) missed(d, limit time.Duration) bool {
	if w.Exact {
		return d < limit
	}
	band := limit / bandPart
	switch short := limit - d; {
	case short <= 0:
		return false
	case short > band:
		return true
	default:
		return w.timing.Float64() < math.Pow(rarest, 1-float64(short)/float64(band))
	}
}

func (f Fault) parseSetup(text string) (Fault, error) {
	f.Kind = Setup
	if f.A >= UO && f.A < UIO || f.A == Clk {
		return f, failure.Usagef("setup is for ui, uio and rst_n, which the chip samples")
	}
	return f.parseTime("setup", text, "40ns")
}

func (f Fault) parseHold(text string) (Fault, error) {
	f.Kind = Hold
	if f.A >= UO && f.A != Rst {
		return f, failure.Usagef("hold is for ui and rst_n, which the bench always drives")
	}
	return f.parseTime("hold", text, "30ns")
}

func (f Fault) parseTime(kind, text, example string) (_ Fault, err error) {
	if f.Time, err = time.ParseDuration(text); err != nil || f.Time <= 0 {
		return f, failure.Usagef("%s takes a time such as %s, not %q", kind, example, text)
	}
	return f, nil
}

func (f Fault) parseDelay(text string) (_ Fault, err error) {
	f.Kind = Delay
	if f.A < UO || f.A >= Clk {
		return f, failure.Usagef("delay is for outputs, uo and uio; setup is for inputs")
	}
	by, jitter, jitters := strings.Cut(text, ":")
	if f.Time, err = time.ParseDuration(by); err != nil || f.Time <= 0 || f.Time > time.Second {
		return f, failure.Usagef("delay takes a time such as 25ns, up to 1s, not %q", by)
	}
	if !jitters {
		return f, nil
	}
	if f.Jitter, err = time.ParseDuration(jitter); err != nil || f.Jitter <= 0 || f.Jitter > f.Time {
		return f, failure.Usagef("the jitter of a delay is a time such as 2ns, up to the delay, not %q", jitter)
	}
	return f, nil
}

func parseFmax(text string) (Fault, error) {
	hz, ok := transport.ParseFrequency(text)
	if period := time.Duration(math.Round(1e9 / hz)); ok && period >= 2 && period < 2*time.Hour {
		return Fault{Kind: Slow, Time: period}, nil
	}
	return Fault{}, failure.Usagef("fmax takes a frequency such as 25MHz, up to 500MHz, not %q", text)
}

// frequency formats the frequency with period f.Time in as few digits as possible.
func (f Fault) frequency() string {
	for digits := 1; ; digits++ {
		text := transport.FormatFrequency(1e9/float64(f.Time), digits)
		if again, err := parseFmax(text); err == nil && again.Time == f.Time && !strings.Contains(text, "e") {
			return text
		}
	}
}
