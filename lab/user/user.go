// Package user publishes a user's jobs and blocks, and collects their results. Its process may be killed at any time:
// jobs and blocks continue, and a later call finds their results.
package user

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/lab"
)

// Boards returns the announced boards, sorted by name.
func Boards(ctx context.Context, s *lab.Store) (all []lab.Board, err error) {
	err = lab.List(ctx, s.Boards, ">", func(key string, value []byte) {
		var b lab.Board
		if lab.Decode(value, &b) == nil && b.String() == key {
			all = append(all, b)
		}
	})
	slices.SortFunc(all, func(a, b lab.Board) int { return printable.CompareNatural(a.String(), b.String()) })
	return all, err
}

// Select returns the boards whose HOST.BOARD, BOARD or kind matches one of the comma-separated patterns, or all boards
// for "". The error lists the boards.
func Select(all []lab.Board, on string) (some []lab.Board, err error) {
	if len(all) == 0 {
		return nil, failure.Usagef("the lab has no boards now: benchlab join offers the boards of a machine")
	}
	var names []string
	for _, b := range all {
		names = append(names, b.String())
		is := on == ""
		for pattern := range strings.SplitSeq(on, ",") {
			for _, name := range []string{b.String(), b.Name, b.Kind} {
				ok, err := path.Match(pattern, name)
				if err != nil {
					return nil, failure.Usagef("--on %s: the pattern %q is not well-formed", on, pattern)
				}
				is = is || ok
			}
		}
		if is {
			some = append(some, b)
		}
	}
	if some == nil {
		return nil, failure.Usagef("--on %s: no board matches%s; there are %s", on, failure.DidYouMean(on, names),
			strings.Join(names[:min(len(names), 8)], ", "))
	}
	return some, nil
}

// A Run runs the same job on several boards.
type Run struct {
	Store    *lab.Store
	Name     string           // of the run
	Boards   []lab.Board      // each runs the job Count times
	Count    int              // jobs for each board
	Job      lab.Job          // without its ID
	OnResult func(lab.Result) // called for each result

	open map[string]string // the board of each job without a result, by ResultKey
}

// Publish publishes the jobs. JetStream rejects jobs beyond its limits.
func (r *Run) Publish(ctx context.Context) error {
	r.open = map[string]string{}
	for range max(1, r.Count) {
		for _, b := range r.Boards {
			j := r.Job
			j.ID = r.Name + "." + strconv.Itoa(len(r.open))
			if err := j.Check(); err != nil {
				return err
			}
			if err := publish(ctx, r.Store, lab.JobSubject(b.Host, b.Name, r.Store.Name()), &j); err != nil {
				return fmt.Errorf("after %d jobs: %w", len(r.open), lab.Explain(err))
			}
			r.open[lab.ResultKey(b.Host, j.ID)] = b.String()
		}
	}
	return nil
}

// publish publishes a job, and tries again if the lab is slow or briefly unreachable. JetStream drops a job with the ID
// of an earlier one.
func publish(ctx context.Context, s *lab.Store, subject string, j *lab.Job) (err error) {
	for range 4 {
		try, cancel := context.WithTimeout(ctx, 15*time.Second)
		_, err = s.JetStream.Publish(try, subject, lab.Encode(j), jetstream.WithMsgID(j.ID))
		cancel()
		away := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, jetstream.ErrNoStreamResponse)
		if !away || ctx.Err() != nil {
			break
		}
	}
	return err
}

// Wait collects the results until all have arrived or ctx ends.
func (r *Run) Wait(ctx context.Context) (all []lab.Result, err error) {
	err = lab.Follow(ctx, r.Store.Results, "*."+r.Name+".*", func(e jetstream.KeyValueEntry) (done bool, err error) {
		var got lab.Result
		if e != nil && lab.Decode(e.Value(), &got) == nil && !got.Ended.IsZero() &&
			lab.ResultKey(got.Host, got.Job) == e.Key() && got.Host+"."+got.Board == r.open[e.Key()] {
			delete(r.open, e.Key())
			all = append(all, got)
			r.OnResult(got)
		}
		return len(r.open) == 0, nil
	})
	return all, err
}

// Results returns the results so far of a run, or of all runs for "".
func Results(ctx context.Context, s *lab.Store, run string) (all []lab.Result, err error) {
	pattern := ">"
	if run != "" {
		if err := checkRun(run); err != nil {
			return nil, err
		}
		pattern = "*." + run + ".*"
	}
	err = lab.List(ctx, s.Results, pattern, func(key string, value []byte) {
		var r lab.Result
		if lab.Decode(value, &r) == nil && lab.ResultKey(r.Host, r.Job) == key {
			all = append(all, r)
		}
	})
	slices.SortFunc(all, func(a, b lab.Result) int {
		return cmp.Or(printable.CompareNatural(a.Job, b.Job), cmp.Compare(a.Host, b.Host))
	})
	return all, err
}

func checkRun(run string) error {
	if (&lab.Job{ID: run + ".0", Count: 1, Timeout: 1}).Check() != nil {
		return failure.Usagef("%q is no name of a run, such as benchlab run prints", run)
	}
	return nil
}

// Fetch writes the recording of a result to a file.
func Fetch(ctx context.Context, s *lab.Store, r *lab.Result, path string) error {
	if r.Recording == "" {
		return failure.Usagef("the job %s on %s.%s has no recording", r.Job, r.Host, r.Board)
	}
	text, err := lab.Get(ctx, s.Recordings, "the recording of "+r.Job, r.Recording, lab.MaxRecordingBytes)
	if err != nil {
		return err
	}
	return files.Write(path, text, 0)
}
