package rp2040

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"utfbench/transport"
)

// # Runs
//
// The board can make the step codes of many cases itself. The frame has
//
//	counter, 4 | cases, 2 | cases that it makes at a time, 2 | fields, 1 | bytes of definitions, 1
//	| for each field: offset in the codes, byte without the field, shift, mask | definitions of shapes | codes of one case
//
// and the board fills in the fields, applies the codes as if they had come in a frame, and packs the samples as for one, but as
// if the sample before had been 0. The answer is the CRC-32 of all that it packed, and how many bytes that was, 4 each.
const (
	made     = 2048 // bytes of codes that the board has room to make
	signHead = 10
)

// signSteps is how many steps a board applies for one frame: some 50 ms, so that it is heard of. Without viper they are fewer.
var signSteps = map[bool]int{true: 16384, false: 512}

// Sign implements transport.Signer.
func (t *Transport) Sign(ctx context.Context, runs []transport.Run) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(ctx); err != nil {
		return 0, err
	}
	for i := range runs {
		if err := runs[i].Check(); err != nil {
			return 0, err
		}
	}
	n, err := t.sign(ctx, runs)
	t.packed.last = transport.Sample{}
	return n, t.bury(err)
}

// A signing is a frame of cases whose answer is due.
type signing struct {
	seq  uint16
	run  int
	want []byte
}

// sign has the board make the runs piece by piece, and does not wait for an answer before it asks for the next piece.
func (t *Transport) sign(ctx context.Context, runs []transport.Run) (good int, err error) {
	var flying []signing
	settle := func(most int) error {
		for len(flying) > most {
			f, err := t.answer(ctx, kindSign, flying[0].seq)
			if err != nil {
				return err
			}
			good = flying[0].run
			runs[good].Same = runs[good].Same && bytes.Equal(f.payload, flying[0].want)
			flying = flying[1:]
		}
		return nil
	}
	for i := range runs {
		r := &runs[i]
		r.Same = true
		o, err := t.codes.outline(r, &t.board)
		if err != nil {
			return good, err
		}
		most := min(max(1, signSteps[t.board.viper]/len(r.Steps)), 0xFFFF)
		for at := 0; at < r.Count && r.Same; at += most {
			if err := settle(min(2, t.board.inFlight) - 1); err != nil {
				return good, err
			}
			piece := *r
			piece.First, piece.Count, piece.Want = r.First+uint32(at), min(most, r.Count-at), r.Want[at*len(r.Steps):]
			seq, err := t.post(kindSign, o.payload(&piece))
			if err != nil {
				return good, err
			}
			flying = append(flying, signing{seq, i, o.signature(&piece)})
		}
	}
	if err := settle(0); err != nil {
		return good, err
	}
	return len(runs), nil
}

// An outline is a run's case as the board takes it.
type outline struct {
	fields  []byte // 4 for each
	defined []byte // definitions of the shapes that the board did not know
	codes   []byte // of a case
	per     int    // cases at a time
}

// outline encodes a case. What it defines has to reach the board.
func (e *encoder) outline(r *transport.Run, board *hello) (*outline, error) {
	o := &outline{}
	for i := range r.Steps {
		o.defined, _ = e.define(o.defined, shapeOf(&r.Steps[i]))
	}
	var n int
	if o.codes, n = e.encode(nil, r.Steps, 0x100, board.steps); n < len(r.Steps) || len(o.defined) > 0xFF {
		return nil, fmt.Errorf("a case of %d steps is too long for the board", len(r.Steps))
	}
	for _, f := range r.Fields {
		at := e.dataAt(o.codes, f.Step)
		o.fields = append(o.fields, byte(at), o.codes[at], f.Shift, f.Mask)
	}
	o.per = min(made/len(o.codes), board.steps/len(r.Steps))
	return o, nil
}

// dataAt is where the byte for uio of a step is among the codes.
func (e *encoder) dataAt(codes []byte, step int) int {
	for at := 0; ; {
		op := codes[at]
		at++
		if op >= define {
			at += maxCode - 1
			continue
		}
		n := int(op&7) + 1
		if n == longRun+1 {
			n, at = n+int(codes[at]), at+1
		}
		if step < n {
			return at + step
		}
		step -= n
		if e.shapes[op>>3].drive != 0 {
			at += n
		}
	}
}

func (o *outline) payload(r *transport.Run) []byte {
	p := binary.LittleEndian.AppendUint32(nil, r.First)
	p = binary.LittleEndian.AppendUint16(p, uint16(r.Count))
	p = binary.LittleEndian.AppendUint16(p, uint16(o.per))
	p = append(p, byte(len(o.fields)/4), byte(len(o.defined)))
	return append(append(append(p, o.fields...), o.defined...), o.codes...)
}

// signature is the answer that the wanted samples would give.
func (o *outline) signature(r *transport.Run) []byte {
	want := r.Want
	var steps []transport.Step
	var packed []byte
	var crc uint32
	size := 0
	for i := 0; i < r.Count; i += o.per {
		steps = steps[:0]
		for j := i; j < min(i+o.per, r.Count); j++ {
			steps = r.Append(steps, j)
		}
		packed = pack(packed[:0], steps, want)
		want = want[len(steps):]
		crc = crc32.Update(crc, crc32.IEEETable, packed)
		size += len(packed)
	}
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, crc), uint32(size))
}
