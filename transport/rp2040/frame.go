package rp2040

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"utfbench/internal/printable"
	"utfbench/transport"
)

// A frame is a message of the link. Both directions use the same little-endian format:
//
//	magic A7 | kind | sequence, 2 | payload length, 2 | low half of the CRC-32 of those six, 2
//	| payload | CRC-32 of everything before it, 4
//
// The header has its own check sum, so a damaged length is detected at once instead of by a timeout. Each side numbers
// its frames from 0, but an answer carries the number of its request.
type frame struct {
	kind    byte
	seq     uint16
	payload []byte
}

const (
	magic      = 0xA7
	headerSize = 8
	crcSize    = 4
	maxPayload = 4096 // absolute maximum; the board's hello may set a lower one
)

// Kinds of frames. The board answers with the same kind, or with kindError and a text.
const (
	kindHello = 'H' // the board's first frame, with its capabilities
	kindPins  = 'P' // pairs of pin and mode
	kindWords = 'W' // an index, 2, then words, 4 each, for the program's table
	kindSteps = 'S' // step codes; the answer is packed samples
	kindSign  = 'G' // a series; the answer is its signature, see sign.go
	kindCode  = 'X' // code, in parts; the last begins with 1, the others with 0. The answer is the reason if rejected
	kindBegin = 'A' // start of bursts: see burst.go for this and the following four
	kindOps   = 'O'
	kindLoad  = 'L'
	kindBurst = 'B'
	kindTaken = 'R'
	kindPing  = 'I' // empty: the host is alive
	kindQuit  = 'Q' // park and return to the REPL
	kindError = 'E' // the board gives up; the payload is the reason
)

func (f frame) append(to []byte) []byte {
	at := len(to)
	to = append(to, magic, f.kind)
	to = binary.LittleEndian.AppendUint16(to, f.seq)
	to = binary.LittleEndian.AppendUint16(to, uint16(len(f.payload)))
	to = binary.LittleEndian.AppendUint16(to, uint16(crc32.ChecksumIEEE(to[at:])))
	to = append(to, f.payload...)
	return binary.LittleEndian.AppendUint32(to, crc32.ChecksumIEEE(to[at:]))
}

// A decoder splits a stream of bytes into frames. A byte outside a frame is an error, after which it returns no frames.
type decoder struct {
	buf []byte
	err error
}

func (d *decoder) feed(b []byte) { d.buf = append(d.buf, b...) }

// next returns the next frame, if any. Its payload is valid until the next feed.
func (d *decoder) next() (f frame, ok bool, err error) {
	if d.err != nil {
		return frame{}, false, d.err
	}
	f, size, err := parseFrame(d.buf)
	if err != nil {
		d.err = err
		return frame{}, false, err
	}
	d.buf = d.buf[size:]
	return f, size > 0, nil
}

// lostBytes describes the cause of a damaged frame and the cure.
const lostBytes = "bytes were lost or changed on the way; a board drops its output if this machine reads none for " +
	"0.5 s, so run again with less beside it"

// errEnded reports that the raw REPL has printed the mark after the end of the program.
var errEnded = errors.New("the bench's program on the board has ended by itself")

// parseFrame decodes a frame at the start of b; its size is 0 if b does not hold all of it.
func parseFrame(b []byte) (frame, int, error) {
	if len(b) > 0 && b[0] == endOfText[0] {
		return frame{}, 0, errEnded
	}
	if len(b) > 0 && b[0] != magic {
		return frame{}, 0, fmt.Errorf("noise on the line, %q where a frame has to begin: is another program using "+
			"the port, or does the board print something by itself?", b[:min(len(b), 40)])
	}
	if len(b) < headerSize {
		return frame{}, 0, nil
	}
	if got, want := binary.LittleEndian.Uint16(b[6:]), uint16(crc32.ChecksumIEEE(b[:6])); got != want {
		return frame{}, 0, fmt.Errorf("damaged header % X: %s", b[:headerSize], lostBytes)
	}
	n := int(binary.LittleEndian.Uint16(b[4:]))
	if n > maxPayload {
		return frame{}, 0, fmt.Errorf("a frame of %d bytes: the maximum is %d", n, maxPayload)
	}
	end := headerSize + n
	if len(b) < end+crcSize {
		return frame{}, 0, nil
	}
	if got, want := binary.LittleEndian.Uint32(b[end:]), crc32.ChecksumIEEE(b[:end]); got != want {
		return frame{}, 0, fmt.Errorf("damaged frame: check sum %08X, want %08X: %s", got, want, lostBytes)
	}
	return frame{b[1], binary.LittleEndian.Uint16(b[2:]), b[headerSize:end:end]}, end + crcSize, nil
}

// A hello is the board's description of itself.
type hello struct {
	payload  int // maximum number of bytes in a frame
	steps    int // maximum number of steps in a frame
	inFlight int // maximum number of unanswered frames
	viper    bool
	loop     time.Duration // duration of a wait loop, as measured by the board
	machine  string        // as in "Raspberry Pi Pico with RP2040"
}

const helloFixed = 12

// parseHello decodes the fields payload, steps, frames in flight and flags, of 2 bytes each, picoseconds per loop, of 4
// bytes, and the machine's name.
func parseHello(f frame) (h hello, err error) {
	if f.kind != kindHello || len(f.payload) < helloFixed {
		return h, fmt.Errorf("the board's first frame is of kind %q with %d bytes, not a hello", f.kind, len(f.payload))
	}
	field := func(i int) int { return int(binary.LittleEndian.Uint16(f.payload[2*i:])) }
	h = hello{field(0), field(1), field(2), field(3)&1 != 0,
		time.Duration(binary.LittleEndian.Uint32(f.payload[8:]) / 1000), printable.Text(string(f.payload[helloFixed:]))}
	if h.payload < anyStep || h.payload > maxPayload || h.steps < transport.MaxSeriesSteps ||
		h.inFlight < 1 || h.inFlight > 64 {
		return h, fmt.Errorf("the board sent an invalid hello: %+v", h)
	}
	return h, nil
}
