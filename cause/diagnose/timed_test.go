package diagnose

import (
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model/wired"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/burst"
	"utfbench/transport/mock"
)

// runAtSpeed is what vectors find on the mock with a fault at speed.
func runAtSpeed(t *testing.T, at transport.Timing, text string, jobs []driver.Job) *Run {
	t.Helper()
	f, err := wired.Bits.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := burst.New(mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}, Seed: 1}), at)
	if err != nil {
		t.Fatal(err)
	}
	took := p.Timing()
	c := &Run{Tile: utf.TT09}
	c.Begin(&took)
	r := driver.Runner{Tile: utf.TT09, Transport: p, Report: c.AddResult}
	if _, err := r.Run(t.Context(), jobs); err != nil {
		t.Fatal(err)
	}
	return c
}

// unmoved are inputs that no edge takes, or not just after they have changed, in these vectors.
var unmoved = []string{"ui1", "ui2", "ui3"}

// What is too slow at a speed is told from wires and from a mistake in the logic, and is first or tied.
func TestTimedFaults(t *testing.T) {
	at := transport.Timing{Period: 50 * time.Nanosecond, Sample: transport.AtFall}
	var texts []string
	for i, line := range fault.Lines {
		if i >= fault.UO && i < fault.Clk {
			texts = append(texts, line+"=delay:30ns", line+"=delay:60ns")
		}
		if (i < fault.UO || i >= fault.UIO) && i != fault.Clk {
			texts = append(texts, line+"=setup:40ns")
		}
	}
	texts = append(texts, "fmax=15MHz")
	some := testkit.Often(testkit.Stride(4, 24), 1)
	var jobs []driver.Job
	for i, j := range testkit.AllJobs[driver.Job](t) {
		if i%testkit.Stride(10, 80) == 0 {
			jobs = append(jobs, j)
		}
	}
	seen, named := 0, 0
	for i, text := range texts {
		if i%some != 0 {
			continue
		}
		run := runAtSpeed(t, at, text, jobs)
		f := run.Diagnose()
		if f.Conclusion == Nothing {
			if line, _, _ := strings.Cut(text, "="); !slices.Contains(unmoved, line) {
				t.Errorf("%s is not seen", text)
			}
			continue
		}
		seen++
		line, _, _ := strings.Cut(text, "=")
		if line == "fmax" {
			line = "clk slower"
		}
		first := slices.ContainsFunc(f.Causes[:f.Ties], func(c Cause) bool {
			return c.Kind() == Timing && strings.HasPrefix(c.String(), line+" ")
		})
		if first {
			named++
		} else {
			t.Logf("%s: %s, %s", text, f.Conclusion, f.Causes[0])
		}
		if f.Conclusion != Timing && f.Conclusion != Unexplained {
			t.Errorf("%s: %s, %s", text, f.Conclusion, f.Why())
		}
	}
	t.Logf("%d of %d are first or tied", named, seen)
	if named*100 < seen*98 {
		t.Errorf("%d of %d are first or tied; want 98 %%", named, seen)
	}
}

// A wire that is at fault at speed is a wire.
func TestWiresAtSpeed(t *testing.T) {
	at := transport.Timing{Period: 50 * time.Nanosecond, Sample: transport.AtFall}
	jobs := testkit.Jobs[driver.Job](t, "guide.vec")
	texts := []string{"uo3=stuck1", "uio3~uio4=and", "ui5=inverted", "uo0<>uo1"}
	for _, text := range texts[:testkit.Stride(4, 1)] {
		if f := runAtSpeed(t, at, text, jobs).Diagnose(); f.Conclusion != Wire {
			t.Errorf("%s: %s, %s", text, f.Conclusion, f.Causes[0])
		}
	}
}
