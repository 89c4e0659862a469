package diagnose

import (
	"fmt"

	"utfbench/transport"
)

// repeats holds the results of vectors that ran more than once. A chip with a mistake in its logic gives the same
// samples whenever the same steps follow a reset; a chip behind an intermittent line does not.
type repeats map[digest]*vectorAnswers // by a digest of speed and steps

// vectorAnswers holds the results of one vector.
type vectorAnswers struct {
	failed  int
	answers digest // digest of the first execution's samples
	wavers  bool   // a later execution's samples differed
	initial bool   // the only execution was the first of its run
}

// mostVectors is the maximum number of vectors that repeats counts. It ignores others.
const mostVectors = 1 << 18

// A digest is an FNV-1a hash of steps or samples. It is the same in every process, so that diagnoses are reproducible.
type digest uint64

const newDigest digest = 14695981039346656037

func (d *digest) add(bytes ...byte) {
	for _, b := range bytes {
		*d = (*d ^ digest(b)) * 1099511628211
	}
}

// sample adds the bits of a sample that a good chip predicts.
func (d *digest) sample(got, good transport.Sample) {
	d.add(got.Out&^good.OutX, got.OutX&^good.OutX, got.IO&^good.IOX, got.IOX&^good.IOX)
}

// add counts an execution of the vector with this speed and these steps. A run's initial execution counts only if its
// samples equal a later one's: it follows power-up, and some faults carry the state of one vector into the next.
func (r repeats) add(speed *transport.Timing, steps []transport.Step, answers digest, failed, initial bool) {
	key := newDigest
	if speed != nil {
		key.add([]byte(fmt.Sprint(*speed))...)
	}
	for _, s := range steps {
		key.add(s.In, s.IO&s.Drive, s.Drive, s.Flags(), s.Clocks)
	}
	a := r[key]
	switch differs := a != nil && a.answers != answers; {
	case differs && initial, a == nil && len(r) == mostVectors:
		return
	case a == nil, differs && a.initial:
		a = &vectorAnswers{answers: answers, initial: initial}
		r[key] = a
	default:
		a.initial = false
	}
	if failed {
		a.failed++
	}
	a.wavers = a.wavers || a.answers != answers
}

// count returns how many vectors ran more than once and failed with equal samples, and with different samples.
func (r repeats) count() (steady, wavering int) {
	for _, a := range r {
		switch {
		case a.wavers:
			wavering++
		case a.failed > 1:
			steady++
		}
	}
	return steady, wavering
}
