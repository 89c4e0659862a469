package driver

import (
	"context"
	"errors"
	"slices"
	"strings"

	"utfbench/tile"
	"utfbench/transport"
)

// judge compares a vector's samples with the reference and the vector's checks, and sets the verdict.
func (r *run) judge(ctx context.Context, res *Result) {
	t := res.Trace
	r.tally.Steps += len(t.Steps)
	if res.Contradiction = t.clash(); res.Contradiction != nil {
		res.Verdict, res.Reason, res.Steps = Error, res.contradiction(), len(t.Steps)
		r.tally.Contradictions++
		return
	}
	open, err := r.excuse(ctx, res, t)
	if err != nil {
		r.cutShort(res, err)
		return
	}
	if r.following != nil && transport.IsFourState(r.Transport) {
		r.following.shown = t.shownX(len(t.Got) - 1)
	}
	known := r.toReport(res, t.Want)
	deduced := false
	if open == "" { // otherwise deduce would fill excluded bits
		deduced, err = r.deduce(ctx, t)
	}
	if err != nil {
		r.cutShort(res, err)
		return
	}
	if !t.comparesAny() {
		res.Verdict, res.Reason = Skipped, "the reference knows no output of the chip in any step"
		if open != "" {
			r.failSimulator(res, open)
		}
		return
	}
	if known != nil {
		r.OnCompared(res.Vector, known)
	}
	t.Judge(res, &r.tally)
	if res.FirstMismatch != nil && deduced {
		res.FirstMismatch.Deduced = t.deducedAt(res.FirstMismatch.Index)
	}
	if res.FirstMismatch != nil && transport.IsFourState(r.Transport) {
		if res.FirstMismatch.X = t.shownX(res.FirstMismatch.Index); res.FirstMismatch.X != 0 {
			r.tally.FailsByX++
		}
	}
	if res.Verdict == Pass && open != "" {
		r.failSimulator(res, open)
	}
	if res.Verdict == Fail && r.following == nil && slices.ContainsFunc(r.Tile.Others(),
		func(o tile.Tile) bool { return matches(o, t.Steps, t.Got) }) {
		r.tally.OtherRevision++
	}
}

func (r *run) failSimulator(res *Result, why string) {
	res.Verdict, res.Reason = Error, why
	if strings.HasPrefix(why, TwinReasonPrefix) {
		r.tally.ErrorsByTwin++
	} else {
		r.tally.ErrorsByX++
	}
}

// deduce derives expected levels from the chip's own samples where the reference knows none. It derives nothing from a
// sample with an X, which no real chip shows.
func (r *run) deduce(ctx context.Context, t *Trace) (some bool, err error) {
	if _, may := r.Tile.(tile.Deducer); may {
		known, vague := t.levels()
		r.tally.KnownLines |= known
		r.tally.UnknownLines |= vague
	}
	if r.following != nil || transport.IsFourState(r.Transport) || r.Samples > 1 && slices.ContainsFunc(t.Got,
		func(s transport.Sample) bool { return s.Unknown() != 0 }) {
		return false, nil
	}
	var d tile.Deduction
	want := t.Want
	if len(want) > BatchSteps {
		want = slices.Clone(want) // the deduction may still write to it after an interrupt
	}
	err = r.interruptible(ctx, len(want), func() error {
		d = tile.Deduce(r.Tile, t.Steps, t.Got, want)
		return nil
	})
	if err != nil {
		return false, err
	}
	copy(t.Want, want)
	r.tally.DeducedBits += d.Bits
	if d.CutShort {
		r.tally.CutDeductions++
	}
	return d.Bits > 0, nil
}

// toReport returns a copy of the expected samples for OnCompared, in the first iteration only, or else nil.
func (r *run) toReport(res *Result, want []transport.Sample) []transport.Sample {
	if r.OnCompared == nil || res.Iteration > 1 {
		return nil
	}
	return slices.Clone(want)
}

// cutShort judges the vector during which the transport or the reference failed, and stops the run. The verdict is
// ERROR, or ABORTED after an interrupt or at the run's deadline.
func (r *run) cutShort(res *Result, err error) {
	if errors.Is(err, context.Canceled) {
		r.stop = stop{Aborted, "the run was interrupted", err}
		res.Verdict, res.Reason = Aborted, r.stop.reason
		return
	}
	if over, is := errors.AsType[*OvertimeError](err); is {
		over.iteration = res.Iteration
		r.stop = stop{Aborted, over.Error(), over}
		res.Verdict, res.Reason, r.tally.StoppedBy = Aborted, r.stop.reason, r.stop.reason
		return
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = &noResponse{err}
	}
	who := "the transport"
	if _, is := errors.AsType[*referenceError](err); is {
		who = "the reference"
	}
	res.Verdict, res.Reason = Error, err.Error()
	r.stop = stop{Aborted, who + " failed at " + res.Vector.Name, err}
}

// repeat counts the verdicts of a vector that has failed. All iterations before the first FAIL count as passed.
func (r *run) repeat(res *Result) {
	if res.Verdict != Fail && res.Verdict != Pass {
		return
	}
	rep := r.failed[res.Vector]
	switch {
	case rep == nil && res.Verdict == Pass:
		return
	case rep == nil:
		rep = &Repeat{Vector: res.Vector, Counts: Counts{Pass: res.Iteration - 1}}
		r.failed[res.Vector] = rep
		r.tally.Repeats = append(r.tally.Repeats, rep)
	}
	rep.Counts[res.Verdict]++
	if res.Verdict == Fail && res.Iteration == 1 {
		r.once = append(r.once, res.job)
	}
}

func (r *run) report(res *Result) {
	r.repeat(res)
	if r.following != nil {
		r.tally.Stream.count(r.Stream, res)
	}
	r.tally.Verdicts[res.Verdict]++
	if res.Verdict == Skipped {
		r.tally.Skips[res.Reason]++
	}
	if r.Report != nil {
		r.Report(res)
	}
	res.Trace = nil // its memory is reused
}
