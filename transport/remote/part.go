package remote

import (
	"encoding/binary"
	"fmt"

	"utfbench/transport"
)

// A part holds those steps of a batch that are sent in one message.
type part struct {
	flags byte
	steps []transport.Step
	at    []int              // indices of guards or triggers within the batch, or within the part after read
	want  []transport.Sample // expected samples of all steps, for guards
}

// append encodes a part that starts at index from of its batch.
func (p *part) append(to []byte, from int) []byte {
	to = append(to, p.flags)
	to = binary.LittleEndian.AppendUint32(to, uint32(len(p.steps)))
	to = binary.LittleEndian.AppendUint32(to, uint32(len(p.at)))
	to = appendSteps(to, p.steps)
	for _, i := range p.at {
		to = binary.LittleEndian.AppendUint32(to, uint32(i-from))
	}
	return appendSamples(to, p.want)
}

// partHead is the size of a part's fixed fields.
const partHead = 1 + 4 + 4

// fits returns the number of steps that always fit into room bytes, at least one.
func (p *part) fits(room int) int {
	each := stepSize
	if p.flags&flagGuards != 0 {
		each += indexSize + sampleSize
	}
	if p.flags&flagTriggers != 0 {
		each += indexSize
	}
	return max(1, (room-partHead)/each)
}

// read decodes the part from a message. It reuses the slices.
func (p *part) read(body []byte) error {
	r := reader{rest: body}
	p.flags = r.byte()
	steps, indices := r.uint32(), r.uint32()
	p.steps = readSteps(p.steps[:0], r.array(steps, stepSize))
	p.at = p.at[:0]
	last := -1
	for at := r.array(indices, indexSize); len(at) > 0; at = at[indexSize:] {
		i := binary.LittleEndian.Uint32(at)
		if i >= steps || int(i) <= last {
			return fmt.Errorf("index %d after %d, of %d steps: %w", i, last, steps, errCut)
		}
		last = int(i)
		p.at = append(p.at, last)
	}
	p.want = p.want[:0]
	if p.flags&flagGuards != 0 {
		want := r.array(steps, sampleSize)
		p.want = grown(p.want, len(want)/sampleSize)
		readSamples(p.want, want)
	}
	if p.flags&flagGuards != 0 && p.flags&flagTriggers != 0 || p.flags >= flagTriggers<<1 {
		return fmt.Errorf("a part with the flags %d: %w", p.flags, errCut)
	}
	return r.end()
}

// grown returns a slice of n elements, reusing s if possible, with arbitrary contents.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
