package rp2040

import (
	"context"
	"encoding/binary"
	"fmt"

	"utfbench/transport"
)

var _ transport.Guarder = (*Transport)(nil)

// # Guards
//
// The step loop computes a hash of the sampled lines whose levels the host knows. Definitions of nonexistent shapes
// control it:
//
//	F9 31 | hash, 3           a guard: if the hash matches, reset it and continue; else stop
//	FA 31 | known, 3          the known lines among the low bits of what _steps compares, and no others
//	FB 31 | known, 1 | 0 | 0  the known lines among the high bits as well
//	FC 31 | 0 | 0 | 0         reset the hash
//
// The answer to a frame in which a guard stops is a kindStop. So are the answers to frames behind it, with no step
// applied, until the host writes 0 to wordStopped. The board ignores shapes defined in them.
const (
	codeGuard = define + 1 + iota
	codeKnown
	codeKnownHigh
	codeBegin

	hashBits   = 30
	hashFactor = 40503
)

// A hash is the board's hash. Multiplication carries differences only upwards, so each step folds the high bits down;
// otherwise two wrong samples of the highest line could cancel out.
type hash uint32

func (h *hash) add(seen uint32) { *h = (*h ^ *h>>15 ^ hash(seen)) * hashFactor & (1<<hashBits - 1) }

// check returns the part that a guard compares.
func (h hash) check() uint32 { return uint32(h^h>>12) & 0xFFFFFF }

// A markGenerator generates the marks of a batch: guards and changes of the known lines.
type markGenerator struct {
	uo, uio [256]uint32 // bits that _steps compares, by byte
	marks   []mark
}

func newMarkGenerator(w wiring) *markGenerator {
	return &markGenerator{uo: w.seen(transport.UO), uio: w.seen(transport.UIO)}
}

// of returns the marks of a batch, valid until the next call.
func (g *markGenerator) of(guard transport.Guard, steps int) []mark {
	g.marks = g.marks[:0]
	var h hash
	known, at := uint32(0), guard.Indices
	for i, want := range guard.Want[:steps] {
		if len(at) == 0 {
			break
		}
		var codes []byte
		if i == 0 {
			codes = []byte{codeBegin, shapeSlots, 0, 0, 0}
		}
		if i == at[0] {
			codes = appendCode(codes, codeGuard, h.check())
			h, at = 0, at[1:]
		}
		if is := g.uo[^want.OutX] | g.uio[^want.IOX]; is != known || i == 0 {
			known = is
			codes = appendCode(codes, codeKnown, known&0xFFFFFF)
			codes = appendCode(codes, codeKnownHigh, known>>24)
		}
		if codes != nil {
			g.marks = append(g.marks, mark{i, codes})
		}
		h.add((g.uo[want.Out] | g.uio[want.IO]) & known)
	}
	return g.marks
}

func appendCode(to []byte, op byte, value uint32) []byte {
	return append(to, op, shapeSlots, byte(value), byte(value>>8), byte(value>>16))
}

// ApplyGuarded implements transport.Guarder.
func (t *Transport) ApplyGuarded(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	g transport.Guard) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.apply(ctx, steps, samples, t.guards.of(g, len(steps)))
}

// stopped decodes a guard's stop as the answer to steps.
func (t *Transport) stopped(f frame, steps []transport.Step, samples []transport.Sample) (int, error) {
	n := len(steps) + 1
	if len(f.payload) >= 2 {
		n = int(binary.LittleEndian.Uint16(f.payload))
	}
	if n > len(steps) {
		return 0, fmt.Errorf("the board says that a guard stopped it after %d of %d steps", n, len(steps))
	}
	return n, t.packed.unpack(f.payload[2:], steps[:n], samples[:n])
}

// resume restarts a board after a guard's stop, with further frames still in flight.
func (t *Transport) resume(ctx context.Context, flying []flight) error {
	for _, f := range flying {
		if _, err := t.answer(ctx, kindStop, f.seq); err != nil {
			return err
		}
	}
	t.codes = encoder{}
	_, err := t.exchange(ctx, kindWords, words(wordStopped, 0))
	return err
}
