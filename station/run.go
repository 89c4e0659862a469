package station

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/plan"
)

// A Run runs vectors on a chip and judges it. Fill in the fields, and call Plan, Open, Prepare, Judge and Close, each
// once and in this order. If the chip is an open recording and its vectors are planned, only Judge is needed.
type Run struct {
	Target   Target
	Vectors  plan.Selection // selects vectors of the target's tile
	Explore  Exploration    // generates vectors that replace them
	Count    int            // number of iterations; 0 means 1
	NoWiring bool           // do not check the wires before the run
	// RefuseChip returns an error if the chip must not be judged; may be nil.
	RefuseChip func(*Chip) error
	// WiringCommand returns a command that examines the wires, or ""; may be nil.
	WiringCommand func(*Chip) string

	Chip       *Chip     // set by Open
	VectorPlan plan.Plan // set by Plan unless it is given; set by Open for a recording

	RecordedTime time.Duration // duration of the replayed run, or 0
	Tags         files.Tags    // set by the user
	Version      string        // version of the program
	Grade        *Grading      // nil for no grading

	Hint func(t *driver.Tally) string // returns advice on what to examine next; nil means Chip.Hint
}

// Plan selects the vectors unless they are given. It does not need a chip.
func (r *Run) Plan(ctx context.Context) (err error) {
	k, _, err := r.Target.FindKind()
	if err != nil {
		return err
	}
	if k.Recorded { // the recording has the vectors
		r.fill(ctx)
		return nil
	}
	return r.Select(ctx)
}

// fill completes the selection with data of the target.
func (r *Run) fill(ctx context.Context) {
	r.Vectors.Tile, r.Vectors.TileName, r.Vectors.Context = r.Target.Tile, r.Target.TileName, ctx
	r.Target.drawSeed()
	r.Vectors.Seed = cmp.Or(r.Vectors.Seed, r.Target.Seed)
	if r.Explore.Enabled {
		r.Vectors.Generate = r.Explore.Suite
	}
}

// Select selects vectors of the target's tile unless they are given.
func (r *Run) Select(ctx context.Context) (err error) {
	r.fill(ctx)
	if r.planned() {
		return nil
	}
	if r.VectorPlan, err = r.Vectors.Plan(max(1, r.Count)); err != nil {
		return err
	}
	if file := r.Explore.File; file != "" && file != files.StandardStream {
		r.VectorPlan.Invocation.Vectors = []string{"--file", file}
	}
	r.VectorPlan.Invocation.NoWiring, r.VectorPlan.Invocation.NoReference = r.NoWiring, r.Target.NoReference
	if r.VectorPlan.Vectors == 0 {
		return r.Vectors.NoVectorError()
	}
	return nil
}

func (r *Run) planned() bool { return r.VectorPlan.Iterations != nil }

// Open opens the chip, and selects the executions of a recording. The caller must close the run, even after an error.
func (r *Run) Open(ctx context.Context) (err error) {
	if r.Chip, err = r.Target.Open(ctx); err != nil {
		return err
	}
	if r.RefuseChip != nil {
		if err := r.RefuseChip(r.Chip); err != nil {
			return err
		}
	}
	if r.Chip.Recording != nil {
		return r.replay()
	}
	return nil
}

// replay plans the executions of a recording. If vectors are already planned, the recording must contain them.
func (r *Run) replay() (err error) {
	planned := r.planned()
	if planned {
		if r.Chip.Recording.Start.Digest != r.VectorPlan.Digest {
			return failure.Usagef("the recording has other vectors than the other targets: give the --file, or " +
				"--random and --seed, that its run had")
		}
		r.Vectors.Files = nil
	}
	r.VectorPlan, err = r.Chip.PlanReplay(&r.Vectors)
	switch cut := r.Chip.Recording.CutReason; {
	case err != nil || r.VectorPlan.Vectors > 0 || planned:
		return err
	case cut != "" && r.Vectors.SelectsAll():
		return benchFault(fmt.Errorf("the recording is incomplete: %s", cut))
	}
	if r.Vectors.Match != "" {
		return r.Vectors.NoVectorError()
	}
	only := ""
	if asked := r.Chip.Recording.Start.Invocation; asked != nil && len(asked.Suites) > 0 {
		only = " of " + strings.Join(asked.Suites, ", ")
	}
	return failure.Newf(failure.Nothing, "no vector is selected: the recording%s lacks these", only)
}

// Prepare checks the wires and the bursts, and sets the chip's reference.
func (r *Run) Prepare(ctx context.Context) error {
	c := r.Chip
	if c.HasWires && !r.NoWiring {
		see := ""
		if r.WiringCommand != nil {
			see = r.WiringCommand(c)
		}
		if err := c.AssessWires(ctx, see); err != nil {
			return err
		}
	}
	if err := r.checkBursts(ctx); err != nil {
		return err
	}
	r.setReference()
	if r.Grade == nil {
		return nil
	}
	return r.Grade.Check(c.Tile)
}

// checkBursts checks bursts of the run's vectors. For a capture, it uses the tile's own, and then plans the capture.
func (r *Run) checkBursts(ctx context.Context) error {
	if r.VectorPlan.Stream == nil {
		return r.Chip.CheckBursts(ctx, r.VectorPlan.DistinctJobs())
	}
	if r.Chip.Recording != nil {
		return nil
	}
	own := plan.Selection{Tile: r.Chip.Tile}
	jobs, err := own.Jobs()
	if err == nil {
		err = r.Chip.CheckBursts(ctx, jobs)
	}
	if err != nil {
		return err
	}
	return r.capture()
}

// Close closes the chip, and returns notes on it for the user.
func (r *Run) Close() (said []string) {
	if r.Chip != nil {
		said = r.Chip.CloseWithNotes()
	}
	return said
}

func (r *Run) capture() (err error) {
	asked := r.VectorPlan.Invocation
	r.Vectors.Tile, r.Vectors.Capture = r.Chip.Tile, asked.Capture
	if r.VectorPlan, err = r.Vectors.Plan(1); err == nil {
		r.VectorPlan.Invocation = asked
	}
	return err
}
