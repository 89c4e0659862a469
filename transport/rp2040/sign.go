package rp2040

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"time"

	"utfbench/transport"
)

// # Series
//
// The board can generate the steps of many cases itself. The frame of a series is
//
//	counter, 4 | cases, 2 | maximum cases at a time, 2 | fields, 1 | bytes of definitions, 1
//	| for each field: offset in the codes, byte without the field, shift, mask
//	| definitions of shapes | codes of one case
//
// where the codes contain no long runs. The answer is the CRC-32 of uo and uio of all steps.
const signHead = 10

// signSteps returns the steps per frame: the board answers about every 50 ms, without viper at least every 330 ms.
func (t *Transport) signSteps() int {
	if !t.board.viper {
		return 500
	}
	const limit, frame, bare = 20_000, 50 * time.Millisecond, 2 * time.Microsecond
	return min(limit, int(frame/(bare+2*t.pulse+t.settle)))
}

func (t *Transport) Sign(ctx context.Context, series []transport.Series) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(ctx); err != nil {
		return 0, err
	}
	for i := range series {
		if err := series[i].Check(); err != nil {
			return 0, err
		}
	}
	if len(series) == 0 {
		return 0, nil
	}
	n, err := t.sign(ctx, series)
	t.packed.last = transport.Sample{} // as the board does after a series
	return n, t.bury(err)
}

// A signing is a frame of cases awaiting its answer.
type signing struct {
	seq  uint16
	at   int
	want []byte
}

// sign signs the series piece by piece. Several pieces may be in flight.
func (t *Transport) sign(ctx context.Context, series []transport.Series) (good int, err error) {
	var flying []signing
	settle := func(limit int) error {
		for len(flying) > limit {
			f, err := t.answer(ctx, kindSign, flying[0].seq)
			if err == nil && len(f.payload) != crc32.Size {
				err = fmt.Errorf("the board sent a signature of %d bytes, want %d", len(f.payload), crc32.Size)
			}
			if err != nil {
				return err
			}
			good = flying[0].at
			series[good].SameSignature = series[good].SameSignature && bytes.Equal(f.payload, flying[0].want)
			flying = flying[1:]
		}
		return nil
	}
	for i := range series {
		r := &series[i]
		r.SameSignature = true
		o := t.codes.outline(r)
		o.room = t.board.steps / len(r.Steps)
		limit := max(1, t.signSteps()/len(r.Steps))
		for at := 0; at < r.Count && r.SameSignature; at += limit {
			if err := settle(min(2, t.board.inFlight) - 1); err != nil {
				return good, err
			}
			piece := *r
			piece.First, piece.Count = r.First+uint32(at), min(limit, r.Count-at)
			piece.Want = r.Want[at*len(r.Steps):][:piece.Count*len(r.Steps)]
			seq, err := t.post(kindSign, o.payload(&piece))
			if err != nil {
				return good, err
			}
			flying = append(flying, signing{seq, i, signature(piece.Want)})
		}
	}
	if err := settle(0); err != nil {
		return good, err
	}
	return len(series), nil
}

// An outline is the case of a series, encoded for the board.
type outline struct {
	fields  []byte // 4 bytes for each field
	defined []byte // definitions of shapes that are new to the board
	codes   []byte // codes of the case
	room    int    // maximum number of cases at a time
}

// outline encodes the case of a series. The board must receive the outline's definitions. A series has at most 31
// steps, so its codes take at most 62 bytes, and its shapes fit into the slots.
func (e *encoder) outline(r *transport.Series) *outline {
	o := &outline{}
	data := make([]int, len(r.Steps)) // offset of each step's byte
	for n, i := 0, 0; i < len(r.Steps); i += n {
		n = runLength(r.Steps[i:], longRun)
		sh := shapeOf(&r.Steps[i])
		o.defined, _ = e.define(o.defined, sh) // kept separate, since the codes are executed for each case
		o.codes = e.run(o.codes, sh, n)
		for j := i; j < i+n && sh.drive != 0; j++ {
			data[j] = len(o.codes)
			o.codes = append(o.codes, r.Steps[j].IO&sh.drive)
		}
	}
	for _, f := range r.Fields {
		o.fields = append(o.fields, byte(data[f.Step]), o.codes[data[f.Step]], f.Shift, f.Mask)
	}
	return o
}

func (o *outline) payload(r *transport.Series) []byte {
	p := binary.LittleEndian.AppendUint32(nil, r.First)
	p = binary.LittleEndian.AppendUint16(p, uint16(r.Count))
	p = binary.LittleEndian.AppendUint16(p, uint16(o.room))
	p = append(p, byte(len(o.fields)/4), byte(len(o.defined)))
	return append(append(append(p, o.fields...), o.defined...), o.codes...)
}

func signature(samples []transport.Sample) []byte {
	levels := make([]byte, 0, 2*len(samples))
	for _, s := range samples {
		levels = append(levels, s.Out, s.IO)
	}
	return binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(levels))
}
