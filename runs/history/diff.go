package history

import (
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/transport"
)

// A Difference is the first step at which a pair differs. A pair consists of both executions of a vector in one
// iteration. It differs where lines show different levels and the reference predicts one. On lines that the reference
// leaves open, two good chips may differ.
type Difference struct {
	Vector          string
	Iteration       int
	Index, Steps    int // index of the step in the vector, from 0, and number of steps
	Step            transport.Step
	A, B, Want      transport.Sample // Want is the reference's sample
	OutDiff, IODiff uint8            // bits in which A and B differ
	LaterSteps      int              // number of later steps at which the pair differs
}

// A LineDifferences counts the steps at which a line differed.
type LineDifferences struct {
	Steps  int
	WrongA int // number of these steps at which A contradicts the reference
	WrongB int
}

// VectorVerdicts counts the verdicts of a vector in both runs, in iterations that both judged.
type VectorVerdicts struct {
	Name string
	A, B driver.Counts
}

// A Summary is the result of a comparison.
type Summary struct {
	Vectors                    []*VectorVerdicts // in both recordings, in A's order
	VectorsOnlyA, VectorsOnlyB []string          // vectors that the other recording lacks
	ExecutionsOnlyA            int               // of common vectors, in iterations that the other recording lacks
	ExecutionsOnlyB            int
	VectorsWithOtherSteps      []string            // vectors with different steps, which were not compared
	ComparedPairs              int                 // number of pairs that were compared step by step
	ComparedSteps              int                 // number of their steps
	DifferingPairs             int                 // number of pairs that differ
	IncompletePairs            int                 // number of pairs with an incomplete execution
	Stopped                    bool                // a run ended without all samples of the common vectors
	UnknownOnlySteps           int                 // steps that differ only on lines that the reference leaves open
	Lines                      [16]LineDifferences // lines of uo (0 to 7) and uio (8 to 15)
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

// A Conclusion is the verdict of a comparison, as in JSON.
type Conclusion string

const (
	Same            Conclusion = "same"
	Different       Conclusion = "different"
	NothingCompared Conclusion = "nothing"   // no execution was compared
	Undecided       Conclusion = "undecided" // no difference, but a recording is incomplete
)

// Err returns the conclusion as an error that is already printed, or nil if the runs are the same.
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
		len(s.VectorsWithOtherSteps)+len(s.VectorsOnlyA)+len(s.VectorsOnlyB)+len(s.ChangedVectors()) == 0
}
