package diagnose

import (
	"hash"
	"hash/fnv"

	"utfbench/transport"
)

// rounds are what became of vectors that were asked more than once, by their steps. A chip that is wrong in its logic gives
// the same answers to the same steps from a reset on; one behind a line that comes and goes does not.
type rounds struct {
	of     map[uint64]*asked // by a digest of the steps
	failed map[string]bool   // vectors by name: whether they did at least once
}

// asked is what became of one vector.
type asked struct {
	executions, failed int
	answers            uint64 // a digest of the first
	wavers             bool   // later ones were others
}

// Most vectors that are followed; of those beyond nothing is known.
const mostVectors = 1 << 18

// A digest takes steps or samples. It is the same at each run of the bench, so that a diagnosis is.
type digest struct{ hash.Hash64 }

func newDigest() digest { return digest{fnv.New64a()} }

func (d digest) step(s transport.Step) {
	reset := byte(0)
	if s.Reset {
		reset = 1
	}
	_, _ = d.Write([]byte{s.In, s.IO & s.Drive, s.Drive, reset, s.Clocks}) // it takes all
}

// sample takes the bits that count.
func (d digest) sample(got, counts transport.Sample) {
	_, _ = d.Write([]byte{got.Out & counts.Out, got.OutX & counts.Out, got.IO & counts.IO, got.IOX & counts.IO})
}

// add takes an execution, and gives the digest of its steps.
func (r *rounds) add(steps []transport.Step, answers uint64, failed bool) uint64 {
	d := newDigest()
	for _, s := range steps {
		d.step(s)
	}
	key := d.Sum64()
	a := r.of[key]
	switch {
	case r.of == nil:
		r.of = map[uint64]*asked{}
	case len(r.of) == mostVectors && a == nil:
		return key
	}
	if a == nil {
		a = &asked{answers: answers}
		r.of[key] = a
	}
	a.executions++
	if failed {
		a.failed++
	}
	a.wavers = a.wavers || a.answers != answers
	return key
}

// name counts an execution by its vector's name.
func (r *rounds) name(vector string, failed bool) {
	if r.failed == nil {
		r.failed = map[string]bool{}
	}
	if len(r.failed) < mostVectors {
		r.failed[vector] = r.failed[vector] || failed
	}
}

// vectors gives how many failed at least once, of all.
func (r *rounds) vectors() (failed, all int) {
	for _, f := range r.failed {
		if f {
			failed++
		}
	}
	return failed, len(r.failed)
}

// count gives how many sequences of steps that failed were asked more than once and always answered alike, and how many were
// answered now so and now otherwise.
func (r *rounds) count() (steady, wavering int) {
	for _, a := range r.of {
		switch {
		case a.wavers:
			wavering++
		case a.failed > 1:
			steady++
		}
	}
	return steady, wavering
}
