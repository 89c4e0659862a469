package report

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// errNone reports a file that never was a recording.
var errNone = failure.Usagef("not a recording of bench run --record")

func (r *Recording) read(size int64) error {
	head := make([]byte, len(magic)+1)
	n, err := r.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch text := min(n, len(magic)); {
	case n == 0 || string(head[:text]) != magic[:text]:
		return errNone
	case n == len(head) && (head[text] < plain || head[text] > lingering):
		return failure.Usagef("a recording of version %d, but this bench reads versions %d to %d: use the "+
			"bench that wrote it", head[text], plain, lingering)
	case n < len(head):
		return failure.Usagef("the recording is cut off after %d bytes, before anything was recorded", n)
	}
	return r.scan(size)
}

// scan reads block after block until one is incomplete.
func (r *Recording) scan(size int64) error {
	at := int64(len(magic) + 1)
	for blocks := 0; at < size && r.End == nil; blocks++ {
		kind, n, err := r.head(at, size)
		if err == nil && blocks > 2*maxBlocks {
			err = failure.Usagef("more than %d blocks", 2*maxBlocks)
		}
		if err == nil {
			err = r.block(kind, n, at)
		}
		if err != nil && r.Start.Event == "" {
			return failure.Usagef("the recording cannot be read: %w", err)
		}
		if err != nil {
			r.Cut = err.Error()
			return nil
		}
		at += blockHead + n + blockTail
	}
	switch {
	case r.Start.Event == "":
		return failure.Usagef("the recording is cut off after %d bytes, before anything was recorded", size)
	case r.End == nil:
		r.Cut = fmt.Sprintf("it ends at byte %d without an end", size)
	case at < size:
		r.Cut = fmt.Sprintf("it ends at byte %d, and %d more follow", at, size-at)
	}
	return nil
}

// head reads the kind and payload length of the block at an offset.
func (r *Recording) head(at, size int64) (kind byte, n int64, err error) {
	var head [blockHead]byte
	if size-at < blockHead+blockTail {
		return 0, 0, failure.Usagef("it is cut off in the block at byte %d", at)
	}
	if _, err := r.file.ReadAt(head[:], at); err != nil {
		return 0, 0, err
	}
	n = int64(binary.LittleEndian.Uint32(head[1:]))
	if most, known := maxPayload[head[0]]; known && n > most {
		return 0, 0, failure.Usagef("the block at byte %d claims %d bytes, and at most %d are allowed of its "+
			"kind", at, n, most)
	} else if !known {
		return 0, 0, failure.Usagef("the block at byte %d is of kind %q, which this bench does not know", at, head[0])
	}
	if n > size-at-blockHead-blockTail {
		return 0, 0, failure.Usagef("it is cut off in the block at byte %d", at)
	}
	return head[0], n, nil
}

// block reads and processes a block. Executions and texts are not read into memory.
func (r *Recording) block(kind byte, n, at int64) error {
	if kind == kindExecutions || kind == kindText {
		return r.pass(kind, n, at)
	}
	if err := r.placed(kind, at); err != nil {
		return err
	}
	b := make([]byte, blockHead+n+blockTail)
	if _, err := r.file.ReadAt(b, at); err != nil {
		return err
	}
	body, sum := b[:blockHead+n], b[blockHead+n:]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(sum) {
		return damaged(at)
	}
	return r.take(kind, body[blockHead:])
}

// pass checks a block without reading it into memory. It records the place of executions, and reads a suite's text.
func (r *Recording) pass(kind byte, n, at int64) error {
	if err := r.placed(kind, at); err != nil {
		return err
	}
	sum := crc32.New(castagnoli)
	block := io.TeeReader(io.NewSectionReader(r.file, at, blockHead+n), sum)
	var wrong error
	if kind == kindText && !r.brief {
		wrong = r.takeText(block, int(n))
	}
	if _, err := io.Copy(io.Discard, block); err != nil {
		return err
	}
	var tail [blockTail]byte
	if _, err := r.file.ReadAt(tail[:], at+blockHead+n); err != nil {
		return err
	}
	if sum.Sum32() != binary.LittleEndian.Uint32(tail[:]) {
		return damaged(at)
	}
	if kind == kindExecutions {
		if len(r.blocks) == maxBlocks {
			return fmt.Errorf("more than %d blocks", maxBlocks)
		}
		r.blocks = append(r.blocks, span{at + blockHead, int(n)})
	}
	return wrong
}

// takeText reads the text in a block with this payload size.
func (r *Recording) takeText(block io.Reader, n int) error {
	if _, err := io.CopyN(io.Discard, block, blockHead); err != nil {
		return err
	}
	t, err := readText(block, n, golden.MostText-r.text)
	if err == nil && t.Text == "" {
		err = errors.New("a suite without text")
	}
	if err == nil {
		err = r.hold(len(t.File) + len(t.Text))
	}
	if err != nil {
		return err
	}
	t.File = printable.Text(t.File)
	r.Texts = append(r.Texts, t)
	return nil
}

func damaged(at int64) error { return failure.Usagef("the block at byte %d is damaged", at) }

// placed returns an error if a block is in the wrong place: the first one, and no other, is the start.
func (r *Recording) placed(kind byte, at int64) error {
	if first := r.Start.Event == ""; first != (kind == kindStart) {
		return failure.Usagef("the block at byte %d is of kind %q, which is not allowed there", at, kind)
	}
	return nil
}

func (r *Recording) take(kind byte, payload []byte) error {
	switch kind {
	case kindStart:
		if err := printable.Decode(payload, &r.Start); err != nil {
			return err
		}
		if r.Start.Event != "start" || r.Start.Schema != SchemaVersion {
			return failure.Usagef("its start has schema %d, but this bench reads %d", r.Start.Schema, SchemaVersion)
		}
		return nil
	case kindEnd:
		r.End = new(End)
		return printable.Decode(payload, r.End)
	}
	return nil
}
