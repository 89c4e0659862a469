package diagnose

import (
	"fmt"

	"utfbench/transport"
)

// repeats holds the results of vectors that ran more than once, by speed and steps. A chip with a logic mistake
// repeats its samples for the same steps after a reset; one behind an intermittent line does not.
type repeats map[digest]*vectorAnswers // by a digest of speed and steps

// vectorAnswers counts the results of one vector.
type vectorAnswers struct {
	failed  int
	answers digest // of the first
	wavers  bool   // later ones differed
}

// mostVectors is the maximum number of vectors counted here; others are ignored.
const mostVectors = 1 << 18

// A digest hashes steps or samples by FNV-1a. It is the same in every process, so that diagnoses are reproducible.
type digest uint64

const newDigest digest = 14695981039346656037

func (d *digest) add(bytes ...byte) {
	for _, b := range bytes {
		*d = (*d ^ digest(b)) * 1099511628211
	}
}

// sample adds the bits that a good chip knows.
func (d *digest) sample(got, good transport.Sample) {
	d.add(got.Out&^good.OutX, got.OutX&^good.OutX, got.IO&^good.IOX, got.IOX&^good.IOX)
}

// add counts an execution by its speed and steps.
func (r repeats) add(speed *transport.Timing, steps []transport.Step, answers digest, failed bool) {
	key := newDigest
	if speed != nil {
		key.add([]byte(fmt.Sprint(*speed))...)
	}
	for _, s := range steps {
		key.add(s.In, s.IO&s.Drive, s.Drive, s.Flags(), s.Clocks)
	}
	a := r[key]
	if a == nil {
		if len(r) == mostVectors {
			return
		}
		a = &vectorAnswers{answers: answers}
		r[key] = a
	}
	if failed {
		a.failed++
	}
	a.wavers = a.wavers || a.answers != answers
}

// count returns the number of step sequences that failed more than once with equal samples, and of those with
// different samples.
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
