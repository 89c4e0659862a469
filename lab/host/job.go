package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/lab"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// job runs a job, and stores its recording and its result before it acknowledges the message.
func (b *Board) job(ctx context.Context, m jetstream.Msg) {
	var j lab.Job
	if err := lab.Decode(m.Data(), &j); err != nil || j.Check() != nil {
		_ = m.TermWithReason("it is no job of this lab") // there is no owner to notify
		return
	}
	b.endSweep()
	r, err := b.begin(ctx, &j, m.Subject()[strings.LastIndex(m.Subject(), ".")+1:])
	switch {
	case err != nil: // the lab is unreachable, and will deliver the job again
		return
	case r == nil: // the job has ended already
		_ = m.DoubleAck(ctx)
		return
	case len(r.Attempts) > lab.MaxJobRuns:
		r.Attempts = r.Attempts[:lab.MaxJobRuns]
		b.end(ctx, m, giveUp(r))
		return
	}
	b.set(ctx, lab.StateBusy, j.ID, "")
	err = b.judge(ctx, &j, r)
	last, done := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second) // even while the host is stopping
	defer done()
	switch {
	case err == nil:
		r.Text += failures(r.Attempts[:len(r.Attempts)-1])
		b.end(last, m, r)
	case failure.KindOf(err) == failure.User: // a repetition would fail as well
		r.Verdict, r.Text = driver.Error.String(), err.Error()
		b.end(last, m, r)
	default:
		r.Attempts[len(r.Attempts)-1].Error = err.Error()
		if len(r.Attempts) == lab.MaxJobRuns {
			b.end(last, m, giveUp(r))
		} else if b.save(last, r) == nil {
			_ = m.NakWithDelay(time.Second) // if this fails, the job is repeated after AckWait
		}
	}
	b.set(ctx, lab.StateFree, "", trouble(err))
}

// trouble returns the first line of err, for the board's state, or "" if the board is not at fault.
func trouble(err error) string {
	if err == nil || failure.KindOf(err) == failure.User || failure.KindOf(err) == failure.Interrupted {
		return ""
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// begin records an attempt at a user's job, and returns the result so far, or nil if the job has ended.
func (b *Board) begin(ctx context.Context, j *lab.Job, by string) (*lab.Result, error) {
	r := &lab.Result{Job: j.ID, By: by, Host: b.host.Name, Board: b.Name}
	old, err := b.host.Store.Results.Get(ctx, lab.ResultKey(b.host.Name, j.ID))
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
	case err != nil:
		return nil, err
	case lab.Decode(old.Value(), r) != nil:
		r.Attempts = nil
	case !r.Ended.IsZero():
		return nil, nil
	}
	r.Attempts = append(r.Attempts, lab.Attempt{Began: time.Now().UTC()})
	if len(r.Attempts) > lab.MaxJobRuns {
		return r, nil
	}
	return r, b.save(ctx, r)
}

// giveUp returns the result of a job that failed twice.
func giveUp(r *lab.Result) *lab.Result {
	r.Verdict, r.Text = driver.Error.String(), "the host failed twice"+failures(r.Attempts)
	return r
}

// failures describes the failed attempts.
func failures(all []lab.Attempt) (text string) {
	for n, a := range all {
		text += fmt.Sprintf("; run %d: %s", n+1, a)
	}
	return text
}

func (b *Board) save(ctx context.Context, r *lab.Result) error {
	_, err := b.host.Store.Results.Put(ctx, lab.ResultKey(b.host.Name, r.Job), lab.Encode(r))
	return err
}

// end stores the result and removes the job from the queue. If the result cannot be stored, the job is repeated.
func (b *Board) end(ctx context.Context, m jetstream.Msg, r *lab.Result) {
	r.Ended = time.Now().UTC()
	if err := b.save(ctx, r); err != nil {
		return
	}
	_ = m.DoubleAck(ctx) // if this fails, the repeated job does nothing
	b.host.OnEvent(fmt.Sprintf("%s: %s: %s  %s", b.Name, r.Job, r.Verdict, r.Text))
}

// judge runs a job and fills in its result. An error means that there is no verdict.
func (b *Board) judge(ctx context.Context, j *lab.Job, r *lab.Result) error {
	run, err := b.run(ctx, j)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	b.mu.Lock()
	b.cancel = stop
	b.mu.Unlock()
	ctx, cancel := context.WithTimeoutCause(ctx, j.Timeout, &driver.OvertimeError{Limit: j.Timeout})
	defer cancel()
	defer run.Close()
	for _, step := range []func(context.Context) error{run.Plan, run.Open, run.Prepare} {
		if err := step(ctx); err != nil {
			return because(ctx, err)
		}
	}
	var recording bytes.Buffer
	watch := &monitor{board: b}
	o, err := run.Judge(ctx, report.Reporters{report.NewWriter(&recording, run.VectorPlan.Suites...), watch})
	if err != nil {
		return because(ctx, err)
	}
	if o.BenchError != "" || o.Interrupted {
		return because(ctx, failure.Newf(failure.Bench, "%s", watch.text))
	}
	r.Verdict, r.Text, r.Hint = o.Verdict().String(), watch.text, o.Hint
	r.Counts, r.Steps, r.Seconds = o.Tally.Verdicts.ByName(), o.Tally.Steps, o.Elapsed.Seconds()
	r.Recording, err = lab.Put(ctx, b.host.Store.Recordings, "the recording", recording.Bytes(), lab.MaxRecordingBytes)
	if failure.KindOf(err) == failure.User { // the recording is too large; the verdict stays valid
		r.Hint = strings.TrimSpace(r.Hint + " There is no recording: " + err.Error() + ".")
		return nil
	}
	return err
}

// because returns the cause of ctx's cancellation, if any, else err.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

// run creates the station.Run for a job.
func (b *Board) run(ctx context.Context, j *lab.Job) (*station.Run, error) {
	t := b.Target
	of, err := b.tile(ctx, j)
	if err != nil {
		return nil, err
	}
	t.Tile, t.Revision, t.Design, t.Seed = of, j.Revision, j.Design, j.Seed
	t.Speed.Clock = j.At
	texts := map[string][]byte{}
	s := plan.Selection{Suites: j.Suites, Match: j.Match, RandomSteps: j.RandomSteps, Seed: j.Seed,
		ReadFile: func(name string) ([]byte, error) {
			if text, is := texts[name]; is {
				return text, nil
			}
			return nil, os.ErrNotExist
		}}
	for _, f := range j.Files {
		text, err := b.input(ctx, f)
		if err != nil {
			return nil, err
		}
		texts[f.Name] = text
		s.Files = append(s.Files, f.Name)
	}
	return &station.Run{Target: t, Vectors: s, Count: j.Count, NoWiring: j.NoWiring,
		Version: b.host.Version, Grade: &station.Grading{MinPercent: station.DefaultCoverage}}, nil
}

func (b *Board) input(ctx context.Context, in lab.Input) ([]byte, error) {
	return lab.Get(ctx, b.host.Store.Inputs, in.Name, in.SHA256, lab.MaxInputBytes)
}

// tile returns the job's tile: a built-in tile, or one made of the job's gates.
func (b *Board) tile(ctx context.Context, j *lab.Job) (tile.Tile, error) {
	if j.Gates == nil {
		own, is := station.BuiltIn(j.Tile)
		if !is {
			return nil, failure.Usagef("the tile %q: built in are %s; others come with their gates", j.Tile,
				strings.Join(station.TileNames(), ", "))
		}
		return own, nil
	}
	info, err := b.input(ctx, j.Gates.Info)
	if err != nil {
		return nil, err
	}
	netlist, err := b.input(ctx, j.Gates.Netlist)
	if err != nil {
		return nil, err
	}
	about, err := project.OpenFabricated(j.Tile, info)
	if err != nil {
		return nil, failure.Usage(err)
	}
	t, err := gates.OpenText(about, netlist)
	if err != nil {
		return nil, failure.Usage(err)
	}
	return t, nil
}

// A monitor is a reporter that describes the verdict, and updates the progress in the board's state.
type monitor struct {
	board *Board
	run   report.Run
	text  string // the verdict in a sentence
}

func (m *monitor) Start(r report.Run) error {
	m.run = r
	m.board.progress(0, r.Vectors*max(1, r.Iterations))
	return nil
}

func (m *monitor) Result(*driver.Result) error {
	m.board.progress(1, 0)
	return nil
}

func (m *monitor) End(o report.Outcome) error {
	m.text = report.Meaning(&m.run, o)
	return nil
}
