package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/user"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/lab/door"
	"utfbench/lab/page"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// A watch shows a run live in a browser.
type watch struct {
	report.Progress
	solo   *page.Solo
	page   *page.Page
	began  time.Time
	ended  atomic.Int64 // after so many ns; 0 while it goes on
	failed bool         // which was told
}

// watchRun opens the page of a run on this machine, and says where it is. What asks for the end of the run there ends
// the context that is returned.
func watchRun(ctx context.Context, cmd *cobra.Command, c *station.Chip, past *runFinder) (*watch, context.Context,
	error) {
	l, at, err := door.Browser()
	if err != nil {
		return nil, nil, benchFault(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &watch{began: time.Now()}
	machine, name := namesHere()
	w.solo = page.NewSolo(lab.Board{Host: machine, Name: c.String(), Kind: c.Asked.Kind, What: "board " + c.Board.Name,
		State: lab.Taken, Holder: &lab.Holder{Key: name, Who: name, Does: "bench run", Since: w.began}},
		lab.Host{Machine: "this one", Bench: version()})
	w.solo.Progress, w.solo.Ended = w.progress, cancel
	w.solo.Past, _ = past.Open() // where there is none, or it cannot be read, the page shows none
	again := native.Past{Version: versionLine()}
	w.page = page.Serve(l, at, page.Config{Title: "bench run", Tokens: "bench run --watch has printed one, for one " +
		"browser.", Ends: "The run ends, and this page with it.", Report: again.Report, Bundle: again.Bundle,
		Transport: func(board string) string { return strings.TrimPrefix(board, machine+"/") }}, w.solo)
	first, err := w.page.Invite(name, true)
	if err == nil {
		_, err = fmt.Fprintf(cmd.ErrOrStderr(), "watch it, in one browser: %s\n", first)
	}
	return w, ctx, err
}

// close ends the page.
func (w *watch) close() { w.page.Close() }

// namesHere returns the names of this machine and its user.
func namesHere() (machine, name string) {
	machine, _ = os.Hostname()
	name = "you"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return cmp.Or(machine, "here"), name
}

func (w *watch) progress() *lab.Progress {
	now := w.Now()
	run := native.Standing(now)
	took := time.Duration(cmp.Or(w.ended.Load(), int64(time.Since(w.began))))
	perSecond := uint64(float64(now.Steps) / max(took.Seconds(), 0.001))
	return &lab.Progress{Steps: now.Steps, PerSecond: perSecond, Run: &run}
}

// Result implements report.Reporter.
func (w *watch) Result(r *driver.Result) error {
	err := w.Progress.Result(r)
	if first := w.Now().First; first != "" && !w.failed {
		w.failed = true
		w.solo.Tell("first failure: "+first, false)
	}
	w.solo.Change()
	return err
}

// End implements report.Reporter: observers see the verdict, and the page ends.
func (w *watch) End(o report.Outcome) error {
	w.ended.Store(int64(time.Since(w.began)))
	how := "has ended"
	if o.Interrupted {
		how = "was interrupted"
	}
	w.solo.Tell("the run "+how+": "+o.Verdict().String(), true)
	return nil
}
