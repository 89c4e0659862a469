package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"slices"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// A Block is the result of running one block of cases.
type Block struct {
	Number int `json:"block"`
	Cases  int `json:"cases"`
	Steps  int `json:"steps"`
	// hash of the chip's samples, or the model's for signed cases; see BlockRunner.hash
	Samples Hash       `json:"samples"`
	Failed  int        `json:"failed,omitempty"` // cases that differ from the model
	First   *WrongCase `json:"first,omitempty"`  // the first failed case

	// cases confirmed only by their signature; their samples are the model's
	Signed int `json:"signed,omitempty"`
	// number of stretches with a wrong signature, but right samples when repeated
	UnsteadyStretches int `json:"unsteady,omitempty"`
}

// A WrongCase is a case that differs from the model, with all of the chip's samples.
type WrongCase struct {
	Case int    `json:"case"`
	Got  string `json:"got"` // uo, its unknown bits, uio, its unknown bits, for each step in hex
}

// A Hash is a SHA-256 sum. Its text is 64 lower-case hex digits.
type Hash [sha256.Size]byte

// MarshalText implements encoding.TextMarshaler.
func (h Hash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hash) UnmarshalText(text []byte) error {
	if len(text) != 2*len(h) {
		return failure.Usagef("a hash has %d hex digits, not %d", 2*len(h), len(text))
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// A BlockRunner runs blocks on one chip. It reuses its buffers.
type BlockRunner struct {
	space tile.Space
	model tile.Reference
	chip  transport.Transport // nil stands for the model

	steps     []transport.Step
	ends      []int // end of each case, in steps
	want, got []transport.Sample
	sum       hash.Hash
	known     []byte // levels to hash
	unknown   []byte
	right     []bool // by case of the block
	signed    []bool // by case of the block; empty if nothing is signed

	unsigned        []transport.Step // steps of a batch that are not signed
	unsignedSamples []transport.Sample
}

// NewBlockRunner returns a runner that compares a chip with a tile's reference. If chip is nil, the runner uses the
// reference in its place, so its blocks are a good chip's.
func NewBlockRunner(space tile.Space, t tile.Tile, chip transport.Transport) *BlockRunner {
	const room = driver.BatchSteps + MaxSteps
	return &BlockRunner{space: space, model: t.New(), chip: chip, sum: sha256.New(),
		steps: make([]transport.Step, 0, room), want: make([]transport.Sample, room), got: make([]transport.Sample,
			room),
		known: make([]byte, 2*room)}
}

// Run runs a block. Errors come from the transport, the reference or ctx; the block is then incomplete.
func (w *BlockRunner) Run(ctx context.Context, number int) (Block, error) {
	b := Block{Number: number, Cases: w.space.Cases(number)}
	wrong, err := w.sign(ctx, number)
	if err != nil {
		return b, err
	}
	w.sum.Reset()
	w.unknown = w.unknown[:0]
	w.right = append(w.right[:0], make([]bool, b.Cases)...)
	for i := 0; i < b.Cases; i += len(w.ends) {
		w.plan(number, i, b.Cases)
		if err := w.apply(ctx, i); err != nil {
			return b, err
		}
		alike := w.hash(b.Steps)
		w.judge(&b, i, alike)
		b.Steps += len(w.steps)
	}
	w.sum.Write(w.unknown)
	w.sum.Sum(b.Samples[:0])
	b.UnsteadyStretches = w.unsteady(wrong)
	return b, nil
}

// plan fills the batch with cases of a block, starting with case i.
func (w *BlockRunner) plan(block, i, cases int) {
	w.steps, w.ends = w.steps[:0], w.ends[:0]
	for ; i < cases && len(w.steps) < driver.BatchSteps; i++ {
		w.steps = w.space.Append(w.steps, block, i)
		w.ends = append(w.ends, len(w.steps))
	}
}

// apply applies the batch, whose first case has number first. Signed cases get the expected samples.
func (w *BlockRunner) apply(ctx context.Context, first int) error {
	n := len(w.steps)
	w.want, w.got = w.want[:n], w.got[:n]
	if err := w.model.Run(w.steps, w.want); err != nil {
		return err
	}
	if w.chip == nil {
		copy(w.got, w.want)
		return ctx.Err()
	}
	if len(w.signed) == 0 {
		return w.applySteps(ctx, w.steps, w.got)
	}
	w.gatherUnsigned(first)
	copy(w.got, w.want)
	w.unsignedSamples = slices.Grow(w.unsignedSamples[:0], len(w.unsigned))[:len(w.unsigned)]
	if err := w.applySteps(ctx, w.unsigned, w.unsignedSamples); err != nil {
		return err
	}
	from, at := 0, 0
	for i, end := range w.ends {
		if !w.signed[first+i] {
			at += copy(w.got[from:end], w.unsignedSamples[at:])
		}
		from = end
	}
	return nil
}

// gatherUnsigned collects the steps of cases that are not signed.
func (w *BlockRunner) gatherUnsigned(first int) {
	w.unsigned = w.unsigned[:0]
	from := 0
	for i, end := range w.ends {
		if !w.signed[first+i] {
			w.unsigned = append(w.unsigned, w.steps[from:end]...)
		}
		from = end
	}
}

func (w *BlockRunner) applySteps(ctx context.Context, steps []transport.Step, samples []transport.Sample) error {
	_, err := transport.Apply(ctx, w.chip, steps, samples)
	return err
}

// judge marks the right cases of the batch and counts the others. first is the number of the first case; alike means
// that no sample differs.
func (w *BlockRunner) judge(b *Block, first int, alike bool) {
	from := 0
	for i, end := range w.ends {
		signed := len(w.signed) > 0 && w.signed[first+i]
		if signed {
			b.Signed++
		}
		if alike || signed || w.matches(from, end) {
			w.right[first+i] = true
		} else {
			if b.Failed++; b.First == nil {
				b.First = &WrongCase{first + i, encodeSamples(w.got[from:end])}
			}
		}
		from = end
	}
}

func (w *BlockRunner) matches(from, end int) bool {
	return transport.Differ(w.got[from:end], w.want[from:end]) == 0
}

// hash adds the batch to the block's sum: uo and uio of each sample, in order. For each sample with unknown bits it
// appends to w.unknown, which Run adds last, the number of the step (4 bytes, big-endian) and the unknown bits of uo
// and uio. It reports whether all samples are as expected.
func (w *BlockRunner) hash(step int) (alike bool) {
	alike = true
	known, want := w.known[:2*len(w.got)], w.want[:len(w.got)]
	for i, s := range w.got {
		known[2*i], known[2*i+1] = s.Out, s.IO
		alike = alike && s == want[i]
		if s.Unknown() != 0 {
			w.unknown = binary.BigEndian.AppendUint32(w.unknown, uint32(step+i))
			w.unknown = append(w.unknown, s.OutX, s.IOX)
		}
	}
	w.sum.Write(known)
	return alike
}

func encodeSamples(samples []transport.Sample) string {
	b := make([]byte, 0, 4*len(samples))
	for _, s := range samples {
		b = append(b, s.Out, s.OutX, s.IO, s.IOX)
	}
	return hex.EncodeToString(b)
}

func decodeSamples(text string) ([]transport.Sample, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b)%4 != 0 {
		return nil, failure.Usagef("%q is no row of samples", text)
	}
	samples := make([]transport.Sample, len(b)/4)
	for i := range samples {
		samples[i] = transport.Sample{Out: b[4*i], OutX: b[4*i+1], IO: b[4*i+2], IOX: b[4*i+3]}
	}
	return samples, nil
}
