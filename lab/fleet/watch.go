package fleet

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"sync/atomic"
	"time"

	"utfbench/driver"
	"utfbench/lab/page"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// A Watch shows a run live in a browser of this machine.
type Watch struct {
	station.Progress
	solo   *page.Solo
	page   *page.Page
	began  time.Time
	ended  atomic.Int64 // duration in ns; 0 during the run
	failed bool         // a failure was reported
}

// WatchRun opens the page of a run and prints its address; build identifies the bench. past is the history that the
// page shows; it may be nil. A stop on the page ends the returned context. The caller must close the watch.
func WatchRun(ctx context.Context, c *station.Chip, past *history.History, version, build string,
	out io.Writer) (*Watch, context.Context, error) {
	l, at, err := lab.ListenLocally()
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &Watch{began: time.Now()}
	machine, name := namesHere()
	w.solo = page.NewSolo(lab.Board{Host: machine, Name: c.String(), Kind: c.Asked.Kind, What: "board " + c.Board.Name,
		State: lab.Taken, Holder: &lab.Holder{Key: name, Who: name, Does: "bench run", Since: w.began}},
		lab.Host{Machine: "this one", Bench: version})
	w.solo.Progress, w.solo.Ended, w.solo.Past = w.progress, cancel, past
	again := native.Past{Version: build}
	w.page = page.Serve(l, at, page.Config{Title: "bench run", Tokens: "bench run --watch has printed one, for one " +
		"browser.",
		Ends: "The run ends, and this page with it.", Report: again.Report, Bundle: again.Bundle,
		Transport: func(board string) string { return strings.TrimPrefix(board, machine+"/") }}, w.solo)
	first, err := w.page.Invite(name, true)
	if err == nil {
		_, err = fmt.Fprintf(out, "watch it, in one browser: %s\n", first)
	}
	return w, ctx, err
}

// Close ends the page.
func (w *Watch) Close() { w.page.Close() }

// namesHere returns the names of this machine and its user.
func namesHere() (machine, name string) {
	machine, _ = os.Hostname()
	name = "you"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return cmp.Or(machine, "here"), name
}

func (w *Watch) progress() *lab.Progress {
	now := w.Now()
	run := native.Standing(now)
	took := time.Duration(cmp.Or(w.ended.Load(), int64(time.Since(w.began))))
	perSecond := uint64(float64(now.Steps) / max(took.Seconds(), 0.001))
	return &lab.Progress{Steps: now.Steps, PerSecond: perSecond, Run: &run}
}

// Result implements report.Reporter.
func (w *Watch) Result(r *driver.Result) error {
	err := w.Progress.Result(r)
	if first := w.Now().First; first != "" && !w.failed {
		w.failed = true
		w.solo.Tell("first failure: "+first, false)
	}
	w.solo.Change()
	return err
}

// End implements report.Reporter: observers see the verdict, and the page ends.
func (w *Watch) End(o report.Outcome) error {
	w.ended.Store(int64(time.Since(w.began)))
	how := "has ended"
	if o.Interrupted {
		how = "was interrupted"
	}
	w.solo.Tell("the run "+how+": "+o.Verdict().String(), true)
	return nil
}
