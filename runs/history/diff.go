package history

import (
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/transport"
)

// A Difference is the first step at which a pair differs: the two executions of one vector in one iteration. A pair
// differs where lines show different levels and the reference predicts them. Where the reference leaves a line open,
// two good chips may differ.
type Difference struct {
	Vector          string
	Iteration       int
	Index, Steps    int // index of the step in the vector, from 0; number of steps
	Step            transport.Step
	A, B, Want      transport.Sample // Want is the reference's
	OutDiff, IODiff uint8            // bits in which A and B differ
	LaterSteps      int              // number of later steps at which the pair differs
}

// A LineDifferences counts the steps at which a line differed.
type LineDifferences struct {
	Steps  int
	WrongA int // steps of these at which A contradicts the reference
	WrongB int
}

// A VectorVerdicts has the verdicts of a vector in both runs, in the iterations in which both judged it.
type VectorVerdicts struct {
	Name string
	A, B driver.Counts
}

// A Summary is the result of a comparison.
type Summary struct {
	Vectors                    []*VectorVerdicts // in both, in A's order
	VectorsOnlyA, VectorsOnlyB []string          // vectors missing in the other recording
	ExecutionsOnlyA            int               // of vectors in both, in iterations that the other lacks
	ExecutionsOnlyB            int
	OtherStepVectors           []string            // vectors with different steps, which were not compared
	ComparedPairs              int                 // compared step by step
	DifferingPairs             int                 // pairs that differ
	IncompletePairs            int                 // pairs with an incomplete execution
	Stopped                    bool                // a run ended before it had all samples of the vectors in both
	UnknownOnlySteps           int                 // steps that differ only where the reference leaves the lines open
	Lines                      [16]LineDifferences // of uo (0 to 7) and uio (8 to 15)
}

// ChangedVectors returns the vectors with different verdicts.
func (s *Summary) ChangedVectors() (all []*VectorVerdicts) {
	for _, v := range s.Vectors {
		if v.A.Verdict() != v.B.Verdict() {
			all = append(all, v)
		}
	}
	return all
}

// A Conclusion is the verdict of a comparison, as JSON has it.
type Conclusion string

const (
	Same            Conclusion = "same"
	Different       Conclusion = "different"
	NothingCompared Conclusion = "nothing"   // no execution was compared
	Undecided       Conclusion = "undecided" // no difference, but a recording is incomplete
)

// Err returns the conclusion as an error without further text, or nil if the runs are the same.
func (c Conclusion) Err() error {
	if c == Same {
		return nil
	}
	return failure.AlreadyPrinted(map[Conclusion]failure.Kind{Different: failure.Chip, NothingCompared: failure.Nothing,
		Undecided: failure.Bench}[c])
}

// Identical reports whether nothing differs.
func (s *Summary) Identical() bool {
	return s.DifferingPairs+s.IncompletePairs+s.ExecutionsOnlyA+s.ExecutionsOnlyB == 0 &&
		len(s.OtherStepVectors)+len(s.VectorsOnlyA)+len(s.VectorsOnlyB)+len(s.ChangedVectors()) == 0
}
