// Package driver runs vectors on a chip: it sends their steps through a transport, and compares what comes back.
//
// # The walk of a vector
//
//	golden.Vector --tile.Lint--> transport.Apply --> samples --judge--> Result, with its Trace
//	                      \--> tile.Reference.Run --> expected samples --/
//
// Every step is compared with the tile's reference, every checkpoint with the vector. If reference and vector disagree,
// the bench itself is at fault, and the verdict is ERROR whatever the chip answered.
package driver

import (
	"cmp"
	"slices"
	"time"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// A Verdict is the judgement on a vector, or on a run.
type Verdict uint8

const (
	Unjudged Verdict = iota // nobody has judged it yet
	Pass                    // every step as the reference says, every checkpoint as the vector says
	Skipped                 // not meant for this chip, no longer wanted, or with nothing in it to compare
	Aborted                 // the run ended before it was judged
	// of a run: every vector that was judged passed, and outputs of the design were never compared: see Tally.Weakness
	Weak
	// of a run: vectors were FAIL in some iterations and PASS in others, and none was always FAIL
	Flaky
	Fail   // the chip differs from reference and vector
	Wiring // a wire is at fault, and the chip was not judged
	Error  // the bench is at fault: a transport could not answer, or the reference contradicts the vector
)

// Verdicts lists all of them, the gravest last.
var Verdicts = [...]Verdict{Unjudged, Pass, Skipped, Aborted, Weak, Flaky, Fail, Wiring, Error}

func (v Verdict) String() string {
	return [...]string{"UNJUDGED", "PASS", "SKIPPED", "ABORTED", "WEAK", "FLAKY", "FAIL", "WIRING", "ERROR"}[v]
}

// Err returns the verdict as an error without further text; nil for PASS. With strict, FLAKY has its own kind.
func (v Verdict) Err(strict bool) error {
	switch {
	case v == Pass:
		return nil
	case v == Flaky && strict:
		return failure.Told(failure.Unsteady)
	}
	return failure.Told(map[Verdict]failure.Kind{Fail: failure.Chip, Flaky: failure.Chip, Weak: failure.Weak,
		Skipped: failure.Nothing, Wiring: failure.Wire}[v])
}

// ByName returns counts of verdicts by name, as documents have them. Nobody reads of UNJUDGED unless there is one.
func ByName(counts [len(Verdicts)]int) map[string]int {
	named := map[string]int{}
	for _, v := range Verdicts {
		if v != Unjudged || counts[v] > 0 {
			named[v.String()] = counts[v]
		}
	}
	return named
}

// A Mismatch is a step at which the chip differs from the model.
type Mismatch struct {
	Index    int // of the step in the vector, from 0
	Step     transport.Step
	Got      transport.Sample
	Want     transport.Sample
	OutDiff  uint8 // bits of uo that differ
	IODiff   uint8 // bits of uio that differ
	Check    bool  // the vector has a checkpoint here that differs too
	FileLine int   // line of that checkpoint, else of the vector
	Deduced  bool  // the reference by itself knows none of these bits: no state at power-up explains all samples so far
}

// A Result is the verdict on one vector, with its reasons.
type Result struct {
	Vector    *golden.Vector
	File      string    // of the suite
	Tile      tile.Tile // that it is compared with
	Iteration int       // from 1, with --count
	Verdict   Verdict
	Steps     int           // in the vector
	Reason    string        // why it was SKIPPED, ABORTED, WIRING or ERROR
	Took      time.Duration // its share, by steps, of the time in which the transport applied its batch

	// Trace is nil if nothing was applied, and after the function that takes the Result has returned.
	Trace *Trace

	// For FAIL: the first divergence and its sequel. SameLines counts later steps that differ on the same lines only,
	// probably for the same cause; OtherLines counts the rest.
	First                 *Mismatch
	SameLines, OtherLines int

	// Clash is the first checkpoint that the reference contradicts, of such an ERROR. Got is the reference's sample,
	// Want the vector's expectation.
	Clash *Mismatch
}

// Divergence returns the step to show: the first divergence of a FAIL, the clash of an ERROR, or nil.
func (r *Result) Divergence() *Mismatch { return cmp.Or(r.First, r.Clash) }

// A Tally counts verdicts, and the lines on which chips differed.
type Tally struct {
	Verdicts     [len(Verdicts)]int
	Clashes      int // of those that are Error: how many vectors the reference contradicts
	Steps        int // applied and judged
	PassedBefore int // of those that are Pass: how many are from Runner.Passed, and were not run
	Lines        [16]LineTally

	Evidence Evidence          // of all vectors that were judged
	Deduced  int               // bits of it that only the chip's own samples made known: see tile.Deducer
	Short    int               // vectors in which the search for such bits was given up early
	Outputs  transport.Outputs // that the design drives in some step
	Accepted transport.Outputs // that nobody needs to have compared: see Runner.Accepted
	Strength *Strength         // nil if nobody has graded the run
	Least    float64           // percent of the faults that have to be found for a PASS; 0 is none

	Doubt string // of the chip before the first vector: see Runner.Doubt

	Unstable Instability // of steps that were sampled more than once

	// OtherRevision counts the FAILs with exactly the samples of the other revision.
	OtherRevision int

	// Repeats are the vectors that were FAIL at least once, in the order of their first FAIL.
	Repeats []*Repeat
}

// A Repeat is how often a vector was FAIL.
type Repeat struct {
	Vector             *golden.Vector
	Executions, Failed int
}

// Flaky reports whether it passed, too.
func (r *Repeat) Flaky() bool { return r.Failed < r.Executions }

// A LineTally counts the steps at which one line of uo (0 to 7) or uio (8 to 15) differed, by its level.
type LineTally struct{ High, Low, Unknown int }

// Executions returns the number of executions, each of a vector in one iteration.
func (t *Tally) Executions() (n int) {
	for _, c := range t.Verdicts {
		n += c
	}
	return n
}

// Verdict returns the gravest verdict of the run. A run in which nothing was judged is Skipped; one that passed without
// comparing the design's outputs is Weak.
func (t *Tally) Verdict() Verdict {
	for _, v := range []Verdict{Error, Wiring, Fail, Unjudged, Aborted, Pass} {
		switch {
		case t.Verdicts[v] == 0:
		case v == Fail && !slices.ContainsFunc(t.Repeats, func(r *Repeat) bool { return !r.Flaky() }):
			return Flaky
		case v == Pass && t.Weakness() != "":
			return Weak
		case v == Unjudged:
			return Error // a mistake in this package
		default:
			return v
		}
	}
	return Skipped
}
