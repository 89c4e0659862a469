package diagnose

import (
	"fmt"
	"hash"
	"hash/fnv"

	"utfbench/transport"
)

// repeats holds the results of vectors that ran more than once, by speed and steps. A chip with a mistake in its logic
// responds alike to the same steps after a reset; one behind an intermittent line does not.
type repeats struct {
	bySteps map[uint64]*vectorAnswers // by a digest of speed and steps
	byName  map[string]bool           // by the name of a vector: whether it failed at least once
}

// vectorAnswers are the results of one vector.
type vectorAnswers struct {
	executions, failed int
	answers            uint64 // a digest of the first
	wavers             bool   // later ones were others
}

// mostVectors is how many vectors are followed; the others are not counted here.
const mostVectors = 1 << 18

// A digest is made of steps or samples. It is the same whenever the bench is started, so that a diagnosis is.
type digest struct{ hash.Hash64 }

func newDigest() digest { return digest{fnv.New64a()} }

func (d digest) step(s transport.Step) {
	reset := byte(0)
	if s.Reset {
		reset = 1
	}
	_, _ = d.Write([]byte{s.In, s.IO & s.Drive, s.Drive, reset, s.Clocks}) // it takes all
}

// sample adds the bits that count.
func (d digest) sample(got, counts transport.Sample) {
	_, _ = d.Write([]byte{got.Out & counts.Out, got.OutX & counts.Out, got.IO & counts.IO, got.IOX & counts.IO})
}

// add counts an execution by its speed and its steps, and gives a digest of these.
func (r *repeats) add(speed *transport.Timing, steps []transport.Step, answers uint64, failed bool) uint64 {
	d := newDigest()
	if speed != nil {
		_, _ = fmt.Fprint(d, *speed) // it takes all
	}
	for _, s := range steps {
		d.step(s)
	}
	key := d.Sum64()
	a := r.bySteps[key]
	switch {
	case r.bySteps == nil:
		r.bySteps = map[uint64]*vectorAnswers{}
	case len(r.bySteps) == mostVectors && a == nil:
		return key
	}
	if a == nil {
		a = &vectorAnswers{answers: answers}
		r.bySteps[key] = a
	}
	a.executions++
	if failed {
		a.failed++
	}
	a.wavers = a.wavers || a.answers != answers
	return key
}

// name counts an execution by its vector's name.
func (r *repeats) name(vector string, failed bool) {
	if r.byName == nil {
		r.byName = map[string]bool{}
	}
	if len(r.byName) < mostVectors {
		r.byName[vector] = r.byName[vector] || failed
	}
}

// vectors gives how many vectors failed at least once, and how many there are.
func (r *repeats) vectors() (failed, all int) {
	for _, f := range r.byName {
		if f {
			failed++
		}
	}
	return failed, len(r.byName)
}

// count gives how many sequences of steps failed more than once and always had the same answers, and how many had
// different answers.
func (r *repeats) count() (steady, wavering int) {
	for _, a := range r.bySteps {
		switch {
		case a.wavers:
			wavering++
		case a.failed > 1:
			steady++
		}
	}
	return steady, wavering
}
