package diagnose

import (
	"fmt"
	"hash"
	"hash/fnv"

	"utfbench/transport"
)

// repeats holds the results of vectors that ran more than once, by speed and steps. A chip with a logic mistake
// repeats its samples for the same steps after a reset; one behind an intermittent line does not.
type repeats map[uint64]*vectorAnswers // by a digest of speed and steps

// vectorAnswers counts the results of one vector.
type vectorAnswers struct {
	failed  int
	answers uint64 // digest of the first
	wavers  bool   // later ones differed
}

// mostVectors is the maximum number of vectors counted here; others are ignored.
const mostVectors = 1 << 18

// A digest hashes steps or samples. It is the same in every process, so that diagnoses are reproducible.
type digest struct{ hash.Hash64 }

func newDigest() digest { return digest{fnv.New64a()} }

func (d digest) step(s transport.Step) {
	_, _ = d.Write([]byte{s.In, s.IO & s.Drive, s.Drive, s.Flags(), s.Clocks}) // never fails
}

// sample adds the bits that a good chip knows.
func (d digest) sample(got, good transport.Sample) {
	_, _ = d.Write([]byte{got.Out &^ good.OutX, got.OutX &^ good.OutX, got.IO &^ good.IOX, got.IOX &^ good.IOX})
}

// add counts an execution by its speed and steps.
func (r repeats) add(speed *transport.Timing, steps []transport.Step, answers uint64, failed bool) {
	d := newDigest()
	if speed != nil {
		_, _ = fmt.Fprint(d, *speed) // never fails
	}
	for _, s := range steps {
		d.step(s)
	}
	key := d.Sum64()
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
