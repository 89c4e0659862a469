package driver

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// BatchSteps is the number of steps in a batch, unless a single vector is longer. A round trip to a demo board costs
// about 200 us, which is negligible for thousands of steps. At 36 k steps/s a batch takes a fifth of a second, which
// is also the maximum delay of an interrupt.
const BatchSteps = 8192

// A Job is a vector to run. A job of a recorded simulation also holds the recorded verdict, since samples do not
// distinguish an undriven line from an X.
type Job struct {
	Vector          *golden.Vector
	File            string // the suite's file
	SkipReason      string // why the vector is SKIPPED; "" runs it
	UnappliedReason string // why a recorded run did not apply it; "" runs it
	TwinReason      string // the reason of a recorded ERROR; see TwinReasonPrefix
	Failed          bool   // the recorded verdict of a simulation was FAIL
	NeverApplied    bool   // the recorded run ended before this vector
}

// A Runner runs vectors on one chip. Set the fields and call a Run method, which does not change them.
type Runner struct {
	Transport transport.Transport
	Tile      tile.Tile // of the reference
	// Twin opens a simulation of the sources from which the reference was synthesised. It is called at the first
	// difference of a simulated chip; it is nil for other chips and references.
	Twin   func(context.Context) (*Twin, error)
	Stream *Stream // the stream whose batches are the jobs; nil for vectors
	Rules

	// Report is called once for each vector and iteration, in order. The Result's Trace is valid until Report returns.
	Report func(*Result)
	// OnCompared, if not nil, is called in the first iteration with each compared vector and its expected samples,
	// before levels are deduced. It may keep want.
	OnCompared func(v *golden.Vector, want []transport.Sample)
}

// Rules holds the limits of a run, and earlier findings about the wires and outputs. The zero value runs all jobs once.
type Rules struct {
	FailFast bool // skip the rest after the first FAIL or ERROR
	Count    int  // number of times that Run runs all jobs; 0 means once
	Samples  int  // samples of each step; 0 means one. Lines on which they differ are unknown
	// Repeat repeats the failed vectors of a single iteration, since a disturbance may have caused a failure.
	Repeat bool
	// the faulty wire, if any: no step is applied, and each vector is WIRING once, for this reason
	WiringReason string
	// an unresolved finding of the wiring check, which makes a PASS impossible
	DoubtReason string
	// outputs that may stay uncompared without making the run WEAK
	AcceptedLines transport.Outputs
}

// A run holds the state of a Runner's run: the batch, and the findings so far.
type run struct {
	*Runner
	tally        Tally
	pending      []planned
	steps        []transport.Step
	checks       []golden.Check
	want         []transport.Sample
	got          []transport.Sample
	guards       []int         // indices of guarded steps in the batch being applied
	again        batch         // the batch with each step repeated for its samples
	trace        Trace         // of the Result being reported
	released     bool          // lines were released in the batch
	took         time.Duration // duration of the batch
	longestBatch time.Duration // duration of the longest batch
	stop         stop
	noReference  bool // the tile has no reference
	defers       bool // unknown levels are taken from the vectors' checkpoints
	failed       map[*golden.Vector]*Repeat
	once         []Job // jobs that failed in the first iteration

	following *following // state of a stream; nil for vectors
	twin      *Twin      // nil until it is needed
}

// planned holds a vector of the batch: its result, and the positions of its steps and checkpoints.
type planned struct {
	result                   *Result
	step, steps, check, ends int
}

// A batch holds the steps of one call of Transport.Apply.
type batch struct {
	steps     []transport.Step
	got, want []transport.Sample
	pending   []planned
}

// A stop holds the reason for applying no further steps.
type stop struct {
	verdict Verdict
	reason  string
	err     error
}

// Run runs all jobs Count times and returns the tally. Errors come from the transport, the reference, or ctx. Even
// after an error every job gets a Result, except in iterations that had not begun.
func (r *Runner) Run(ctx context.Context, jobs []Job) (*Tally, error) {
	return r.RunIterations(ctx, Iterations(jobs, max(1, r.Count)))
}

// Iterations yields the jobs count times, each with the number of its iteration, from 1.
func Iterations(jobs []Job, count int) iter.Seq2[int, Job] {
	return func(yield func(int, Job) bool) {
		for n := range count {
			for _, job := range jobs {
				if !yield(n+1, job) {
					return
				}
			}
		}
	}
}

// RunIterations is like Run, for a sequence of jobs with iteration numbers that start at 1 and never decrease.
func (of *Runner) RunIterations(ctx context.Context, iterations iter.Seq2[int, Job]) (*Tally, error) {
	r := &run{Runner: of}
	_, r.noReference = r.Tile.New().(tile.SilentReference)
	_, r.defers = r.Tile.New().(tile.CheckpointFollower)
	r.tally = newTally(r.Tile)
	r.tally.AcceptedLines, r.tally.DoubtReason = r.AcceptedLines, r.DoubtReason
	defer r.follow()()
	defer r.closeTwin()
	r.stop, r.failed = stop{verdict: Wiring, reason: r.WiringReason}, map[*golden.Vector]*Repeat{}
	for n, job := range iterations {
		if n > max(1, r.tally.Iterations) && r.stop.reason != "" {
			break
		}
		r.tally.Iterations = n
		r.add(ctx, job, n)
	}
	r.flush(ctx)
	r.repeatFailed(ctx)
	r.tally.proveImpossible()
	return &r.tally, r.stop.err
}

// enoughRepeated is the number of vectors that must fail again before the chip is blamed.
const enoughRepeated = 20

// repeatFailed repeats the failed vectors of a single iteration, until enough of them have failed again.
func (r *run) repeatFailed(ctx context.Context) {
	if !r.Repeat || r.following != nil || r.tally.Iterations != 1 || r.stop.err != nil {
		return
	}
	r.stop = stop{}
	for _, job := range r.once {
		if r.stop.reason != "" || r.tally.Verdicts[Fail] >= len(r.once)+enoughRepeated {
			return
		}
		r.tally.Iterations = 2
		r.add(ctx, job, 2)
		r.flush(ctx)
	}
}

// add plans a vector and applies the batch when it is full.
func (r *run) add(ctx context.Context, job Job, iteration int) {
	res := &Result{Vector: job.Vector, File: job.File, Tile: r.Tile, Iteration: iteration, job: job}
	if r.stop.reason != "" {
		res.Verdict, res.Reason = r.stop.verdict, r.stop.reason
		r.report(res)
		return
	}
	switch {
	case job.SkipReason != "":
		res.Verdict, res.Reason = Skipped, job.SkipReason
	case job.UnappliedReason != "":
		res.Verdict, res.Reason, r.tally.IllegalReason = Error, job.UnappliedReason, ""
		r.tally.IllegalVectors++
	}
	p := planned{result: res, step: len(r.steps), check: len(r.checks)}
	if r.plan(ctx, res) {
		r.steps = append(r.steps, job.Vector.Steps...)
		r.checks = append(r.checks, job.Vector.Checks...)
	}
	p.steps, p.ends = len(r.steps)-p.step, len(r.checks)
	r.pending = append(r.pending, p)
	if r.following != nil || max(len(r.steps), len(r.pending)) >= BatchSteps { // skipped vectors fill it without steps
		r.flush(ctx)
	}
}

func (r *run) plan(ctx context.Context, res *Result) bool {
	if res.Reason != "" {
		return false
	}
	if !res.Vector.AppliesTo(r.Tile.Revision()) {
		res.Verdict, res.Reason = Skipped, fmt.Sprintf("applies only to %s, and the chip is taken for %s",
			res.Vector.Revision, r.Tile.Revision())
		return false
	}
	if res.Steps = len(res.Vector.Steps); res.Steps == 0 {
		res.Verdict, res.Reason = Skipped, "it has no steps"
		return false
	}
	if r.noReference && len(res.Vector.Checks) == 0 && r.following == nil {
		res.Verdict, res.Reason = Skipped, "the vector expects nothing, and there is no reference to compare with"
		return false
	}
	return r.passesLint(ctx, res)
}

func (r *run) passesLint(ctx context.Context, res *Result) bool {
	if r.following != nil {
		return true // NewStream has checked the steps
	}
	err := r.interruptible(ctx, len(res.Vector.Steps), func() error { return r.Tile.Lint(res.Vector.Steps) })
	if err == nil {
		return true
	}
	illegal, is := errors.AsType[*tile.IllegalStepError](err)
	if !is {
		r.cutShort(res, &referenceError{err})
		return false
	}
	res.Verdict, res.Reason = Error, fmt.Sprintf("%s:%d: %v", res.File, res.Vector.Line, err)
	if r.tally.IllegalVectors++; r.tally.IllegalVectors == 1 {
		r.tally.IllegalReason = illegal.Reason
	} else if r.tally.IllegalReason != illegal.Reason {
		r.tally.IllegalReason = ""
	}
	return false
}

// interruptible calls a function that takes no context. For a long vector, an interrupt does not wait for it.
func (r *run) interruptible(ctx context.Context, steps int, do func() error) error {
	if steps <= BatchSteps {
		return do()
	}
	done := make(chan error, 1)
	failure.Go(func() { done <- do() })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return r.orOvertime(ctx, 0, ctx.Err())
	}
}

// flush applies the pending batch and judges its samples.
func (r *run) flush(ctx context.Context) {
	n := len(r.steps)
	r.want, r.got = grow(r.want, n), grow(r.got, n)
	good, err := 0, r.expect(ctx)
	if err == nil {
		good, err = r.apply(ctx)
	}
	if again := r.expectReleased(ctx); again != nil {
		good, err = 0, again
	}
	for _, p := range r.pending {
		r.settle(ctx, p, good, err)
	}
	r.pending, r.steps, r.checks = r.pending[:0], r.steps[:0], r.checks[:0]
}

// expect fills want vector by vector, since each vector starts in an unknown state.
func (r *run) expect(ctx context.Context) error {
	for _, p := range r.pending {
		to := p.step + p.steps
		if err := r.expectOf(ctx, p, r.steps[p.step:to], r.want[p.step:to]); err != nil {
			return err
		}
	}
	return nil
}

// expectOf fills want for a vector's steps, and takes unknown levels from its checkpoints if the reference defers to
// them. Errors come from the reference.
func (r *run) expectOf(ctx context.Context, p planned, steps []transport.Step, want []transport.Sample) error {
	if err := r.respond(ctx, p.result.Vector, steps, want); err != nil {
		return &referenceError{err}
	}
	if r.defers {
		addCheckpoints(want, r.checks[p.check:p.ends])
	}
	return nil
}

// respond fills want with the reference's samples. In a stream, the reference continues from the previous batch.
func (r *run) respond(ctx context.Context, v *golden.Vector, steps []transport.Step,
	want []transport.Sample) error {
	if r.following != nil {
		return r.orOvertime(ctx, 0, r.following.respond(ctx, v.Line, steps, want))
	}
	if len(steps) <= BatchSteps {
		return tile.Expect(r.Tile, steps, want)
	}
	good := r.Tile.New()
	defer tile.CloseReference(good)
	_, err := tile.Run(ctx, good, steps, want)
	return r.orOvertime(ctx, 0, err)
}

// addCheckpoints adds a vector's checkpoints to the expected samples where those are unknown.
func addCheckpoints(want []transport.Sample, checks []golden.Check) {
	for _, c := range checks {
		w := &want[c.Step]
		lines := transport.Outputs(c.Out.Mask) | transport.Outputs(c.IO.Mask)<<8
		w.SetLevels(lines&w.Unknown(), transport.Outputs(c.Out.Level)|transport.Outputs(c.IO.Level)<<8)
	}
}

// A referenceError reports that the reference failed.
type referenceError struct{ error }

func (u *referenceError) Error() string {
	return fmt.Sprintf("the reference failed, so the expected samples are unknown: %v", u.error)
}

func (u *referenceError) Unwrap() error { return u.error }

func (r *run) apply(ctx context.Context) (int, error) {
	if len(r.steps) == 0 {
		return 0, nil
	}
	clear(r.got)
	started, good, err := time.Now(), 0, error(nil)
	if r.following != nil {
		err = r.following.lead(ctx, r.Transport, r.pending[0].result.Vector.Line, len(r.steps))
	}
	if err == nil {
		good, err = r.applySampled(ctx)
	}
	r.took = time.Since(started)
	return good, r.orOvertime(ctx, good, err)
}

func grow(s []transport.Sample, n int) []transport.Sample {
	if cap(s) < n {
		return make([]transport.Sample, n)
	}
	return s[:n]
}

func (r *run) settle(ctx context.Context, p planned, good int, err error) {
	res := p.result
	if p.steps > 0 {
		res.Elapsed = time.Duration(float64(r.took) * float64(p.steps) / float64(len(r.steps)))
	}
	switch {
	case res.Reason != "": // decided in plan
	case r.stop.reason != "":
		res.Verdict, res.Reason = r.stop.verdict, r.stop.reason
	case p.step+p.steps > good:
		res.Trace = r.traceOf(p, good)
		r.cutShort(res, err)
	default:
		res.Trace = r.traceOf(p, good)
		r.judge(ctx, res)
	}
	if r.FailFast && r.stop.reason == "" && (res.Verdict == Fail || res.Verdict == Error) {
		r.stop = stop{verdict: Skipped, reason: "not wanted after the first failure"}
	}
	r.report(res)
}

// traceOf returns a vector's part of the batch in a Trace, which the run reuses.
func (r *run) traceOf(p planned, good int) *Trace {
	end := p.step + p.steps
	r.trace = Trace{Tile: r.Tile, Steps: r.steps[p.step:end], Checks: r.checks[p.check:p.ends],
		Want: r.want[p.step:end],
		Got:  r.got[p.step:max(p.step, min(good, end))], fourState: transport.IsFourState(r.Transport)}
	if r.following != nil {
		r.trace.shown = r.following.shown
	}
	return &r.trace
}
