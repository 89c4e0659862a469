package cells

import (
	"math/bits"
	"slices"

	"utfbench/tile"
	"utfbench/tile/gates/grade"
	"utfbench/transport"
)

// A Run holds a chip's samples, vector by vector.
type Run struct {
	Tile tile.Tile

	vectors []grade.Vector
	got     [][]transport.Sample
	first   []int          // step of the first wrong level, by vector; -1 if there is none
	at      map[string]int // maps a vector's name to its index
}

const none = -1

// Add adds an execution. For each vector it keeps the first that failed, or else the first. Errors are the reference's.
func (r *Run) Add(name string, steps []transport.Step, got []transport.Sample) error {
	if r.at == nil {
		r.at = map[string]int{}
	}
	i, met := r.at[name]
	if met && r.first[i] != none {
		return nil
	}
	v, err := vector(r.Tile, name, slices.Clone(steps[:len(got)]))
	if err != nil {
		return err
	}
	first := none
	for k := range got {
		if wrong := wrongLines(&v, got, k) &^ got[k].Unknown(); wrong != 0 && first == none {
			first = k
		}
	}
	switch {
	case !met:
		r.at[name] = len(r.vectors)
		r.vectors, r.got, r.first = append(r.vectors, v), append(r.got, slices.Clone(got)), append(r.first, first)
	case first != none:
		r.got[i], r.first[i] = slices.Clone(got), first
	}
	return nil
}

// wrongLines returns the undriven lines that the reference knows and on which the sample differs or is unknown.
func wrongLines(v *grade.Vector, got []transport.Sample, step int) transport.Outputs {
	return got[step].Differ(v.Want[step]) &^ driven(v, step)
}

// driven returns the lines that the bench drives, whose levels say nothing about the chip.
func driven(v *grade.Vector, step int) transport.Outputs {
	return transport.Outputs(v.Steps[step].Drive) << 8
}

func (r *Run) joined() *Run {
	var all grade.Vector
	var got []transport.Sample
	for i, v := range r.vectors {
		all.Steps, all.Want = append(all.Steps, v.Steps...), append(all.Want, v.Want...)
		got = append(got, r.got[i]...)
	}
	return &Run{Tile: r.Tile, vectors: []grade.Vector{all}, got: [][]transport.Sample{got}}
}

// CountFailed returns the number of vectors with a wrong level.
func (r *Run) CountFailed() (n int) {
	for _, f := range r.first {
		if f != none {
			n++
		}
	}
	return n
}

func (r *Run) wrongBits(vectors []int) (n int) {
	for _, v := range vectors {
		for k := range r.got[v] {
			n += bits.OnesCount16(uint16(wrongLines(&r.vectors[v], r.got[v], k)))
		}
	}
	return n
}

// sampled is the maximum number of failing vectors in a sample, and also of passing vectors.
const sampled = 128

// sample returns failing and passing vectors, spread over the run.
func (r *Run) sample() (some []int) {
	var which [2][]int
	for v, step := range r.first {
		k := 0
		if step != none {
			k = 1
		}
		which[k] = append(which[k], v)
	}
	var second []int
	for _, k := range []int{1, 0} {
		all := which[k]
		n := min(sampled, len(all))
		for i := range n {
			if v := all[spread(i, n)*len(all)/n]; i < sampled/2 {
				some = append(some, v)
			} else {
				second = append(second, v)
			}
		}
	}
	return append(some, second...)
}

// spread permutes the numbers below n, every 8th number first, so that any prefix covers the whole range.
func spread(i, n int) int {
	const stride = 8
	for offset := range stride {
		count := (n - offset + stride - 1) / stride
		if i < count {
			return offset + i*stride
		}
		i -= count
	}
	return i
}
