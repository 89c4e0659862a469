package explain

import (
	"context"
	"strings"
	"testing"
	"time"

	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// runWithin's error says why the search ended, and whether there is a result.
func TestWithin(t *testing.T) {
	f := testkit.Must(model.Bits.Parse("v3=stuck1"))(t)
	whole := minimiser{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})}
	best := testkit.Must(whole.run(t.Context(), testkit.Stimulus(3, 200)))(t)
	const kept, nothing = "the shortest so far was written, and may not be minimal", "nothing shorter is known"
	for _, c := range []struct {
		fault   bool
		left    int  // steps until the transport fails
		stop    bool // the user stops the search at the first progress
		before  bool // the user stopped before the search
		limit   time.Duration
		says    string // the error's text; "" for none
		known   bool
		stopped bool
	}{
		{fault: true, left: 1 << 30, limit: time.Hour, known: true},
		{left: 1 << 30, limit: time.Hour, says: errPasses.Error()},
		{fault: true, left: 0, limit: time.Hour, says: errBroken.Error() + " (" + nothing + ")"},
		{fault: true, left: best.AppliedSteps - 100, limit: time.Hour, says: errBroken.Error() + " (" + kept + ")",
			known: true},
		{fault: true, left: 1 << 30, limit: time.Nanosecond, says: "1ns are over: " + nothing +
			"; a longer --timeout gives more"},
		{fault: true, left: 1 << 30, limit: time.Hour, stop: true, says: "stopped: " + kept, known: true,
			stopped: true},
		{fault: true, left: 1 << 30, limit: time.Nanosecond, before: true, says: "stopped: " + nothing,
			stopped: true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		config := mock.Config{Tile: utf.TT09}
		if c.fault {
			config.Faults = []fault.Fault{f}
		}
		s := minimiser{Tile: utf.TT09, Transport: &broken{mock.Open(config), c.left}}
		if c.stop {
			s.Progress = func(int, int) { cancel() }
		}
		if c.before {
			cancel()
		}
		_, r, err := s.runWithin(ctx, c.limit, []report.Execution{{Steps: testkit.Stimulus(3, 200)}})
		switch {
		case c.says == "" && err != nil, c.says != "" && (err == nil || !strings.HasPrefix(err.Error(), c.says)):
			t.Errorf("%+v: %v", c, err)
		case (r != nil) != c.known || (failure.KindOf(err) == failure.Interrupted) != c.stopped:
			t.Errorf("%+v: %+v, %v", c, r, err)
		}
	}
}
