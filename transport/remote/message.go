package remote

import (
	"encoding/binary"
	"errors"
	"fmt"

	"utfbench/transport"
)

// Sizes, in bytes.
const (
	requestHead = 1 + 8
	answerHead  = 1 + 8 + 2*8 + 2
	stepSize    = 5
	sampleSize  = 4
	indexSize   = 4
	mostMessage = 4 << 20 // limit of either end
)

// A request is one message to the far end.
type request struct {
	kind   byte
	number uint64
	body   []byte
}

func (r request) append(to []byte) []byte {
	to = append(to, r.kind)
	to = binary.LittleEndian.AppendUint64(to, r.number)
	return append(to, r.body...)
}

func readRequest(b []byte) (request, error) {
	if len(b) < requestHead || len(b) > mostMessage {
		return request{}, fmt.Errorf("a request of %d bytes, and one has %d to %d", len(b), requestHead, mostMessage)
	}
	return request{b[0], binary.LittleEndian.Uint64(b[1:]), b[requestHead:]}, nil
}

// An answer is one message from the far end.
type answer struct {
	request
	sent, received uint64 // by the far transport, in total
	err            error
}

func (a answer) bytes() []byte {
	said := trouble(a.err)
	to := make([]byte, 0, answerHead+len(said)+len(a.body))
	to = append(to, a.kind)
	to = binary.LittleEndian.AppendUint64(to, a.number)
	to = binary.LittleEndian.AppendUint64(to, a.sent)
	to = binary.LittleEndian.AppendUint64(to, a.received)
	to = binary.LittleEndian.AppendUint16(to, uint16(len(said)))
	return append(append(to, said...), a.body...)
}

func readAnswer(b []byte, to request) (a answer, err error) {
	r := reader{rest: b}
	a.kind, a.number, a.sent, a.received = r.byte(), r.uint64(), r.uint64(), r.uint64()
	said := r.bytes(int(r.uint16()))
	a.body = r.rest
	switch {
	case r.short:
		return a, fmt.Errorf("an incomplete answer of %d bytes", len(b))
	case a.kind != to.kind && a.kind != kindRefused || a.number != to.number:
		return a, fmt.Errorf("an answer %q to request %d, want %q to %d", a.kind, a.number, to.kind, to.number)
	}
	if a.err, err = untrouble(said); err == nil && a.kind == kindRefused {
		err = fmt.Errorf("the far end refused a request: %w", a.err)
	}
	return a, err
}

// errCut is the error of every malformed message.
var errCut = errors.New("a message of the wrong length")

// A reader decodes a message. Past its end it returns zeros and sets short.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.short, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// fixed decodes the next n bytes, at most 8, as a number.
func (r *reader) fixed(n int) uint64 {
	var b [8]byte
	copy(b[:], r.bytes(n))
	return binary.LittleEndian.Uint64(b[:])
}

func (r *reader) byte() byte     { return byte(r.fixed(1)) }
func (r *reader) uint16() uint16 { return uint16(r.fixed(2)) }
func (r *reader) uint32() uint32 { return uint32(r.fixed(4)) }
func (r *reader) uint64() uint64 { return r.fixed(8) }

// end returns an error unless the message was exactly used up.
func (r *reader) end() error {
	if r.short || len(r.rest) > 0 {
		return errCut
	}
	return nil
}

// array returns n elements of the given size; n may exceed the message.
func (r *reader) array(n uint32, size int) []byte {
	if uint64(n)*uint64(size) > uint64(len(r.rest)) {
		return r.bytes(-1)
	}
	return r.bytes(int(n) * size)
}

func appendSteps(to []byte, steps []transport.Step) []byte {
	for i := range steps {
		s := &steps[i]
		to = append(to, s.In, s.IO, s.Drive, s.Flags(), s.Clocks)
	}
	return to
}

// readSteps appends the steps of b.
func readSteps(to []transport.Step, b []byte) []transport.Step {
	for ; len(b) >= stepSize; b = b[stepSize:] {
		s := transport.Step{In: b[0], IO: b[1], Drive: b[2], Clocks: b[4]}
		s.SetFlags(b[3])
		to = append(to, s)
	}
	return to
}

func appendSamples(to []byte, samples []transport.Sample) []byte {
	for i := range samples {
		s := &samples[i]
		to = append(to, s.Out, s.OutX, s.IO, s.IOX)
	}
	return to
}

// readSamples fills samples from b, which has the same number.
func readSamples(samples []transport.Sample, b []byte) {
	for i := range samples {
		s := b[sampleSize*i:][:sampleSize]
		samples[i] = transport.Sample{Out: s[0] &^ s[1], OutX: s[1], IO: s[2], IOX: s[3]}
	}
}
