package diagnose

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"

	"utfbench/transport/mock"
)

// runAt returns a run of the vectors at each speed, on a mock with faults; nil is step by step.
func runAt(t testing.TB, speeds []*transport.Timing, jobs []driver.Job, texts ...string) *Run {
	t.Helper()
	var faults []fault.Fault
	for _, text := range texts {
		f := testkit.Must(model.Bits.Parse(text))(t)
		faults = append(faults, f)
	}
	c := &Run{Tile: utf.TT09, Runs: len(speeds)}
	for _, at := range speeds {
		var chip transport.Transport = mock.Open(mock.Config{Tile: utf.TT09, Faults: faults, Seed: 1})
		var took *transport.Timing
		if at != nil {
			p := testkit.Must(transport.NewPlayer(t.Context(), chip, *at))(t)
			timing := p.Timing()
			chip, took = p, &timing
		}
		c.BeginRun(took)
		r := driver.Runner{Tile: utf.TT09, Transport: chip, Report: adding(t, c)}
		if _, err := r.Run(t.Context(), jobs); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// at returns a speed. The times are in nanoseconds, and a sample or lead of 0 is unset.
func at(period, sample, lead time.Duration) *transport.Timing {
	if sample == 0 {
		sample = transport.SampleAtFall
	}
	return &transport.Timing{Period: period, Sample: sample, Lead: lead}
}

// aloneAt is the speed of a single run; severalAt are the speeds at which a user would run the chip to find the cause.
var (
	aloneAt   = []*transport.Timing{at(50, 0, 0)}
	severalAt = []*transport.Timing{at(50, 0, 0), at(40, 0, 0), at(80, 0, 0), at(100, 32, 0), at(100, 16, 0),
		at(100, 0, 30), nil}
)

// timedFaults returns timing faults of each line that can have one, with limits in nanoseconds. It omits faults that
// act at random near a run's setting, since no single time explains them.
func timedFaults() (all []timedFault) {
	add := func(low, high time.Duration, text string, of ...any) {
		all = append(all, timedFault{fmt.Sprintf(text, of...), low, high})
	}
	for i, line := range fault.Lines {
		if i >= fault.UO && i < fault.Clk {
			for _, d := range []time.Duration{20, 30, 45, 60} {
				add(d, d, "%s=delay:%dns", line, d)
			}
		}
		if i < fault.UO || i == fault.Rst {
			for _, d := range []time.Duration{22, 30, 45} {
				add(d*9/10, d, "%s=hold:%dns", line, d)
			}
		}
		if (i < fault.UO || i >= fault.UIO) && i != fault.Clk {
			for _, d := range []time.Duration{22, 35, 45} { // acts at random above nine tenths of the time
				add(d*9/10, d, "%s=setup:%dns", line, d)
			}
		}
	}
	for _, d := range []time.Duration{44, 56, 66, 90, 120} {
		add(d*9/10, d, "fmax=%dkHz", 1_000_000/d)
	}
	return all
}

// A timedFault is a fault whose time lies between two limits.
type timedFault struct {
	text      string
	low, high time.Duration
}

// outcome returns the rank of the true cause in the finding.
func (f timedFault) outcome(t testing.TB, run *Run) string {
	found := diagnosed(t, run)
	at := slices.IndexFunc(found.Causes, func(c search.Fit) bool { return f.is(c.Hypothesis) })
	what := ""
	switch {
	case run.FailedExecutions == 0:
		return "unseen"
	case at < 0 || at >= found.TieCount || found.Conclusion != Timing && found.Conclusion != Unclear:
		return fmt.Sprintf("missed (%s, %s)", found.Conclusion, found.best())
	case found.TieCount == 1:
		what = "first"
	default:
		what = fmt.Sprintf("ties with %d", found.TieCount-1)
	}
	if found.Conclusion == Unclear {
		what += ", unclear"
	}
	return fmt.Sprintf("%s (%s)", what, takes(found.Causes[at].Hypothesis))
}

func takes(h search.Hypothesis) string {
	text := map[fault.Kind]string{fault.Delay: "late by ", fault.Setup: "needs ", fault.Hold: "to stay for ",
		fault.Slow: "needs "}[h.Faults[0].Kind]
	if h.Time.UpTo == 0 {
		return text + "more than " + h.Time.Above.String()
	}
	return text + h.Time.Above.String() + " to " + h.Time.UpTo.String()
}

// is reports whether a hypothesis is this fault with the right limits.
func (f timedFault) is(h search.Hypothesis) bool {
	if h.Time == nil || h.Time.Above > f.high || h.Time.UpTo > 0 && h.Time.UpTo < f.low {
		return false
	}
	line, _, _ := strings.Cut(f.text, "=")
	if of := h.Faults[0]; of.Kind != fault.Slow {
		kinds := map[fault.Kind]string{fault.Delay: "=delay", fault.Setup: "=setup", fault.Hold: "=hold"}
		return line == fault.Lines[of.A] && strings.Contains(f.text, kinds[of.Kind])
	}
	return line == "fmax"
}

const timingTable = "testdata/timing.txt"

// TestTimingTable compares a few rows of the table of timing results with current results. If BENCH_EVERY_TIME is set,
// it rewrites the rows that match that regular expression.
func TestTimingTable(t *testing.T) {
	known := readTable(t, timingTable)
	anew, every := os.LookupEnv("BENCH_EVERY_TIME")
	var jobs []driver.Job
	for i, j := range allJobs(t) {
		if i%10 == 0 {
			jobs = append(jobs, j)
		}
	}
	all := timedFaults()
	var names []string
	for i, f := range all {
		for name, speeds := range map[string][]*transport.Timing{"alone": aloneAt, "several": severalAt} {
			key := f.text + "," + name
			names = append(names, key)
			if every && regexp.MustCompile(anew).MatchString(key) || !every && i%testkit.Pick(1000, 45) == 0 {
				now := f.outcome(t, runAt(t, speeds, jobs, f.text))
				if known[key] != now && !every {
					t.Errorf("%s: %s; the table says %s", key, now, known[key])
				}
				known[key] = now
			}
		}
	}
	slices.Sort(names)
	if every {
		writeTable(t, timingTable, "# What diagnose finds of faults of timing, in one run at 20 MHz (alone) and in "+
			"several runs, with a tenth of the vectors. BENCH_EVERY_TIME=. go test -timeout 2h -run TimingTable "+
			"./cause/diagnose", known, names)
	}
	checkTimingTable(t, known, names)
}

func checkTimingTable(t *testing.T, known map[string]string, names []string) {
	seen, missed := 0, 0
	for _, name := range names {
		switch what := known[name]; {
		case what == "":
			t.Errorf("%s is not in the table", name)
		case what == "unseen":
		case strings.HasPrefix(what, "missed"):
			missed++
			fallthrough
		default:
			seen++
		}
	}
	if len(known) != len(names) || missed*100 > 2*seen {
		t.Errorf("%d of %d that are seen are missed; %d in the table", missed, seen, len(known))
	}
}

// A wire fault is found at speed as it is step by step. A faulty output may be the chip's fault rather than the wire's.
func TestWiresAtSpeed(t *testing.T) {
	jobs := suite(t, "guide")
	texts := []string{"uo3=stuck1", "uio3~uio4=and", "ui5=inverted", "uo0<>uo1"}
	for i, text := range texts[:testkit.Pick(1, 4)] {
		want := Wire
		if i == 0 {
			want = Unclear
		}
		for _, speeds := range [][]*transport.Timing{aloneAt, {at(50, 0, 0), at(100, 0, 0), nil}} {
			if f := diagnosed(t, runAt(t, speeds, jobs, text)); f.Conclusion != want || f.Causes[0].Bits != 0 {
				t.Errorf("%s, %d runs: %s, %s", text, len(speeds), f.Conclusion, f.Causes[0])
			}
		}
	}
}
