package driver

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// A Stream is a reset followed by many repetitions of one step, so that its samples are a tile's outputs at each clock.
// It runs in batches, so its use of memory does not depend on its length; the reference continues from batch to batch.
// Levels are not deduced, since that would require all earlier steps.
type Stream struct {
	Reset    transport.Step
	HeldStep transport.Step    // with one clock and the inputs of Reset
	Skip     int               // clocks after the reset that are not sampled
	Steps    int               // number of sampled clocks
	Batch    int               // maximum number of steps in a batch
	Lines    transport.Outputs // lines of interest; 0 for all lines

	Recorded bool // the chip is a recording, which contains only the sampled clocks
}

// Inputs are constant levels of ui and uio. The user has set only the lines in InSet and IOSet.
type Inputs struct{ In, InSet, IO, IOSet uint8 }

// ParseInputs parses constant levels, such as ui=0x10,uio3=1; the list may be empty.
func ParseInputs(list string) (in Inputs, err error) {
	if list == "" {
		return in, nil
	}
	for item := range strings.SplitSeq(list, ",") {
		name, text, _ := strings.Cut(strings.TrimSpace(item), "=")
		bus, levels, set := strings.TrimRight(name, "01234567"), &in.In, &in.InSet
		if bus == "uio" {
			levels, set = &in.IO, &in.IOSet
		}
		value, verr := strconv.ParseUint(text, 0, 8)
		lines, shift := uint8(0xFF), 0
		if digit := strings.TrimPrefix(name, bus); len(digit) == 1 {
			shift = int(digit[0] - '0')
			lines = 1 << shift
		} else if digit != "" {
			bus = ""
		}
		if bus != "ui" && bus != "uio" || verr != nil || uint8(value)<<shift&^lines != 0 || value<<shift > 0xFF {
			return in, failure.Usagef("%q: want levels of ui or uio, or of a line of these, as in ui=0x10,uio3=1", item)
		}
		*levels, *set = *levels&^lines|uint8(value)<<shift, *set|lines
	}
	return in, nil
}

// NewStream returns a stream for a tile, without clocks yet. The bench drives the uio lines that the tile never drives.
func NewStream(t tile.Tile, in Inputs) (*Stream, error) {
	s := &Stream{Reset: tile.ResetStep(t), HeldStep: transport.Step{Clocks: 1}, Batch: BatchSteps}
	s.HeldStep.In = t.Idle()&^in.InSet | in.In
	s.HeldStep.Reset = !s.Reset.Reset
	s.Reset.In = s.HeldStep.In
	drives := t.Drives(s.Reset) | t.Drives(s.HeldStep)
	if both := drives & in.IOSet; both != 0 {
		return nil, failure.Usagef("the tile may drive %s, so the bench must not: give levels of single lines, as in "+
			"uio1=1", transport.Outputs(both)<<8)
	}
	s.HeldStep.Drive, s.HeldStep.IO = ^drives, in.IO
	s.Reset.Drive, s.Reset.IO = s.HeldStep.Drive, s.HeldStep.IO
	err := t.Lint([]transport.Step{s.Reset, s.HeldStep, s.HeldStep})
	if illegal, is := errors.AsType[*tile.IllegalStepError](err); is {
		return nil, failure.Usage(errors.New(illegal.Reason))
	}
	return s, err
}

// A StreamTally counts clocks of a stream. Clock 1 follows the reset, which is clock 0.
type StreamTally struct {
	FirstWrong int `json:"first_wrong"` // the first wrong clock; -1 for none
	Wrong      int `json:"wrong"`
	Uncompared int `json:"not_compared"` // clocks at which lines of interest, or all lines, were not compared
}

// A following is the state of a stream between batches.
type following struct {
	*Stream
	reference tile.Reference
	at        int               // clocks applied to the reference since the reset
	chip      int               // clocks applied to the chip since its latest reset
	shown     transport.Outputs // see Trace.shown
}

// follow begins the run's stream, if any, and returns a function that ends it.
func (r *run) follow() (done func()) {
	if r.Stream == nil {
		return func() {}
	}
	r.following = &following{Stream: r.Stream, reference: r.Tile.New()}
	r.tally.Stream = &StreamTally{FirstWrong: -1}
	return func() {
		tile.CloseReference(r.following.reference)
		r.following = nil
	}
}

// streamFile replaces the file name in the results of a stream's batches.
const streamFile = "capture"

// Jobs yields the batches: the reset, then clocks. The Line of a batch is the number of its first clock.
func (s *Stream) Jobs() iter.Seq2[int, Job] {
	return func(yield func(int, Job) bool) {
		if !yield(1, jobOf(0, []transport.Step{s.Reset})) {
			return
		}
		held := slices.Repeat([]transport.Step{s.HeldStep}, min(s.Steps, s.Batch))
		for done := 0; done < s.Steps; done += s.Batch {
			if !yield(1, jobOf(s.Skip+done+1, held[:min(s.Batch, s.Steps-done)])) {
				return
			}
		}
	}
}

// Batches returns the number of batches.
func (s *Stream) Batches() int { return 1 + (s.Steps+s.Batch-1)/s.Batch }

func jobOf(clock int, steps []transport.Step) Job {
	v := &golden.Vector{Name: fmt.Sprintf("%s/%d-%d", streamFile, clock, clock+len(steps)-1), Line: clock,
		Source: golden.Source{Document: streamFile, Section: "inputs held after a reset", Row: "clocks"}}
	v.Steps = steps
	return Job{Vector: v, File: streamFile}
}

// VectorUpTo returns a job with one vector from the reset to the end of a batch.
func (s *Stream) VectorUpTo(batch *golden.Vector) Job {
	job := jobOf(0, []transport.Step{s.Reset})
	if batch.Line == 0 {
		return job
	}
	for part := range s.UnsampledSteps(batch.Line-1, BatchSteps) {
		job.Vector.Steps = append(job.Vector.Steps, part...)
	}
	job.Vector.Steps = append(job.Vector.Steps, batch.Steps...)
	return job
}

// count counts the wrong and the uncompared clocks of a batch.
func (t *StreamTally) count(s *Stream, r *Result) {
	if r.FirstMismatch != nil {
		t.Wrong += 1 + r.SameLines + r.OtherLines
	}
	if r.FirstMismatch != nil && t.FirstWrong < 0 {
		t.FirstWrong = r.Vector.Line + r.FirstMismatch.Index
	}
	if r.Trace == nil || r.Vector.Line == 0 && s.Skip > 0 { // a reset followed by skipped clocks is not captured
		return
	}
	for i := range r.Trace.Got {
		lines := r.Trace.Want[i].Unknown()
		if lines&s.Lines != 0 || ^(lines|transport.Outputs(r.Trace.Steps[i].Drive)<<8) == 0 {
			t.Uncompared++
		}
	}
}

// respond fills want with the reference's samples for a batch that begins at the given clock.
func (f *following) respond(ctx context.Context, clock int, steps []transport.Step, want []transport.Sample) error {
	for part := range f.UnsampledSteps(clock-1-f.at, len(want)) {
		if _, err := tile.Run(ctx, f.reference, part, want); err != nil {
			return err
		}
	}
	f.at = clock + len(steps) - 1
	_, err := tile.Run(ctx, f.reference, steps, want)
	return err
}

func (f *following) lead(ctx context.Context, chip transport.Transport, clock, steps int) error {
	unsampled := clock - 1 - f.chip
	f.chip = clock - 1 + steps
	if f.Recorded {
		return nil
	}
	for part := range f.UnsampledSteps(unsampled, BatchSteps) {
		if _, err := transport.Apply(ctx, chip, part, make([]transport.Sample, len(part))); err != nil {
			return err
		}
	}
	return nil
}

// UnsampledSteps yields slices of at most limit steps, with the given number of clocks in total.
func (s *Stream) UnsampledSteps(clocks, limit int) iter.Seq[[]transport.Step] {
	const many = math.MaxUint8
	return func(yield func([]transport.Step) bool) {
		var steps []transport.Step
		for clocks > 0 {
			held := s.HeldStep
			held.Clocks = uint8(min(clocks, many))
			clocks -= int(held.Clocks)
			if steps = append(steps, held); clocks == 0 || len(steps) == limit {
				if !yield(steps) {
					return
				}
				steps = steps[:0]
			}
		}
	}
}
