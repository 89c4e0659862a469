// Package driver runs vectors on a chip: it sends their steps through a transport and compares the samples.
//
// # The way of a vector
//
//	golden.Vector --tile.Lint--> transport.Apply --> samples --judge--> Result, with its Trace
//	                      \--> tile.Reference.Run --> expected samples --/
//
// Every step is compared with the tile's reference and, at a checkpoint, with the vector. If reference and vector
// disagree, the bench itself is at fault, and the verdict is ERROR whatever the chip does.
package driver

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// A Verdict is the judgement on a vector, or on a run.
type Verdict uint8

const (
	Unjudged Verdict = iota
	Skipped          // not for this chip, excluded, or without expectations
	Pass             // every step matches the reference, and every checkpoint is met
	// of a run: every judged vector passed, but that shows too little; see Tally.Weakness
	Weak
	Aborted // the run ended before the vector passed
	// of a run: some vectors were FAIL in some iterations and PASS in others, and none was always FAIL
	Flaky
	Fail   // the chip differs from reference and vector
	Wiring // a wire is at fault, and the chip was not judged
	Error  // the bench is at fault: the transport failed, or the reference contradicts the vector
)

// A VerdictRow holds the name of a verdict, its exit code, and how each output marks it.
type VerdictRow struct {
	Name     string       // title of its page in words.txt
	Kind     failure.Kind // kind of its error, which determines the exit code
	Colour   string       // on a terminal: parameters of SGR
	Tone     string       // on a page: a colour of its style sheet
	Level    string       // level of an annotation for GitHub
	JUnit    string       // element in a vector's test case: failure, error or skipped; "" for none
	Letter   byte         // in recordings; 0 for a verdict that only runs have
	Detailed bool         // vectors with this verdict are reported in full even without --verbose
}

// Verdicts lists the verdicts in increasing order of severity. A group has its most severe one. UNJUDGED is a bug.
var Verdicts = [...]VerdictRow{
	Unjudged: {"UNJUDGED", failure.Bench, "35;1", "fault", "error", "", 'U', false},
	Skipped:  {"SKIPPED", failure.Nothing, "33", "warn", "warning", "skipped", 'S', false},
	Pass:     {"PASS", failure.Bench, "32", "good", "notice", "", 'P', false}, // has no error
	Weak:     {"WEAK", failure.Weak, "33;1", "warn", "warning", "", 0, false},
	Aborted:  {"ABORTED", failure.Bench, "33", "warn", "warning", "skipped", 'A', false},
	Flaky:    {"FLAKY", failure.Flaky, "31", "warn", "warning", "", 0, false},
	Fail:     {"FAIL", failure.Chip, "31;1", "bad", "error", "failure", 'F', true},
	Wiring:   {"WIRING", failure.Wire, "35;1", "fault", "error", "error", 'W', false},
	Error:    {"ERROR", failure.Bench, "35;1", "fault", "error", "error", 'E', true},
}

// Row returns the verdict's row of Verdicts.
func (v Verdict) Row() *VerdictRow { return &Verdicts[v] }

func (v Verdict) String() string { return v.Row().Name }

// ParseVerdict returns the verdict with the given name.
func ParseVerdict(name string) (v Verdict, known bool) {
	i := slices.IndexFunc(Verdicts[:], func(v VerdictRow) bool { return v.Name == name })
	return Verdict(max(0, i)), i >= 0
}

// AboutChip reports whether the samples of a vector with this verdict are evidence about the chip. The samples of an
// ERROR are not, even if they differ from the reference.
func (v Verdict) AboutChip() bool { return v != Error }

// Err returns the verdict as an error without further text, or nil for PASS.
func (v Verdict) Err() error {
	if v == Pass {
		return nil
	}
	return failure.AlreadyPrinted(v.Row().Kind)
}

// A Mismatch is a step at which the chip differs from the reference.
type Mismatch struct {
	Index    int // in the vector, from 0
	Step     transport.Step
	Got      transport.Sample
	Want     transport.Sample
	OutDiff  uint8 // differing bits of uo
	IODiff   uint8 // differing bits of uio
	Check    bool  // a checkpoint at this step differs too
	FileLine int   // line of that checkpoint, or else of the vector
	Deduced  bool  // all differing bits are deduced: no power-up state explains the samples so far
	// lines on which a four-state simulation has shown X since the last reset, where a real chip has a level. An X in a
	// condition, which a simulation treats as false, may have caused the difference
	X transport.Outputs
}

// A Result is the verdict on one vector, with its reasons.
type Result struct {
	Vector    *golden.Vector
	File      string    // the suite's file
	Tile      tile.Tile // of the reference
	Iteration int       // from 1, with --count
	Verdict   Verdict
	Steps     int           // in the vector
	Reason    string        // for SKIPPED, ABORTED, WIRING or ERROR
	Elapsed   time.Duration // the vector's share, by its steps, of the batch's time in the transport

	// Trace is nil if nothing was applied, and after the function that receives the Result has returned.
	Trace *Trace

	// FirstMismatch is set for a FAIL. SameLines counts later steps that differ only on the same lines, probably from
	// the same cause; OtherLines counts other differing steps.
	FirstMismatch         *Mismatch
	SameLines, OtherLines int

	// Contradiction is the first checkpoint that contradicts the reference, if that makes the vector an ERROR. Got is
	// the reference's sample, and Want is the vector's expectation.
	Contradiction *Mismatch

	job Job
}

// Divergence returns the step to show: the FirstMismatch of a FAIL, the Contradiction of an ERROR, or nil.
func (r *Result) Divergence() *Mismatch { return cmp.Or(r.FirstMismatch, r.Contradiction) }

// A Tally counts verdicts and differing lines.
type Tally struct {
	Verdicts       Counts
	Iterations     int            // begun
	Contradictions int            // Errors in which the reference contradicts the vector
	IllegalVectors int            // Errors of vectors that were not applied, since the tile's lint rejects them
	IllegalReason  string         // the lint's reason, if there is only one
	FailsByX       int            // FAILs that a simulation's X may have caused: see Mismatch.X
	ErrorsByTwin   int            // Errors in which a simulation of the reference's own sources differs: see Twin
	ErrorsByX      int            // Errors in which a simulation differs only by its X
	Steps          int            // applied and judged
	Skips          map[string]int // the SKIPPED vectors by reason
	Lines          [16]LineTally

	Evidence      Evidence          // of all judged vectors
	DeducedBits   int               // bits deduced from the chip's own samples; see tile.Deducer
	KnownLines    transport.Outputs // lines that a tile.Deducer knew without deduction at some step
	UnknownLines  transport.Outputs // lines without a level in some sample compared with a tile.Deducer
	CutDeductions int               // vectors in which deduction was abandoned early
	Outputs       transport.Outputs // lines that the design may drive
	AcceptedLines transport.Outputs // outputs that need no comparison: see Rules.AcceptedLines
	// uncompared levels that the design provably never drives: see tile.Prover
	ImpossibleLevels tile.Levels
	Coverage         *tile.FaultCoverage // nil if the run was not graded
	MinCoverage      float64             // percentage of faults required for a PASS; 0 for none

	DoubtReason string // see Rules.DoubtReason
	StoppedBy   string // the time limit that ended the run, or ""

	Instability Instability       // counts steps that were sampled more than once
	Pulses      *transport.Pulses // of the repetitions of the first FAIL; nil if they had no clear effect

	Stream *StreamTally // nil for vectors

	// OtherRevision counts the FAILs with exactly the samples of another revision.
	OtherRevision int

	// Repeats holds the vectors that were FAIL at least once, in the order of their first FAIL.
	Repeats []*Repeat

	tile tile.Tile // of the reference
}

// A Repeat counts the verdicts of a vector.
type Repeat struct {
	Vector *golden.Vector
	Counts
}

// A LineTally counts the steps at which a line of uo (0 to 7) or uio (8 to 15) differed, by its level.
type LineTally struct{ High, Low, Unknown int }

// Executions returns the number of executions, over all iterations.
func (t *Tally) Executions() int { return t.Verdicts.Sum() }

// SkipReasons returns the reasons for the SKIPPED vectors, with counts if there are several.
func (t *Tally) SkipReasons() string {
	reasons := slices.Sorted(maps.Keys(t.Skips))
	for i, reason := range reasons {
		if len(reasons) > 1 {
			reasons[i] = fmt.Sprintf("%s (%d)", reason, t.Skips[reason])
		}
	}
	return strings.Join(reasons, "; ")
}

// IsOtherRevision reports whether each FAIL has exactly the samples of another revision.
func (t *Tally) IsOtherRevision() bool {
	return t.OtherRevision > 0 && t.OtherRevision == t.Verdicts[Fail]
}

// SimulatorErrors returns the number of Errors caused by the simulator; see Twin. They explain no other vector's FAIL.
func (t *Tally) SimulatorErrors() int { return t.ErrorsByTwin + t.ErrorsByX }

// Verdict returns the most severe verdict of the run; a FAIL is more severe than a simulator's ERROR. The run is
// Skipped if no vector was judged, Weak if it passed with a Weakness, and Flaky if each vector that failed also passed.
func (t *Tally) Verdict() Verdict {
	if t.StoppedBy != "" {
		return Error
	}
	n := t.Verdicts
	if n[Fail] > 0 && n[Error] == t.SimulatorErrors() {
		n[Error] = 0
	}
	always := func(r *Repeat) bool { return r.Verdict() == Fail }
	switch v := n.gravest(); {
	case v == Fail && !slices.ContainsFunc(t.Repeats, always):
		return Flaky
	case v == Pass && t.Weakness() != "":
		return Weak
	default:
		return v
	}
}

// Glossary explains the verdicts; see cli.Book.
//
//go:embed words.txt
var Glossary string
