package report

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// errNone reports a file that is not a recording.
var errNone = failure.Usagef("not a recording of bench run --record")

// read reads the head, and the blocks up to the end or up to the first damaged block.
func (r *Recording) read(size int64) error {
	head := make([]byte, len(magic)+1)
	n, err := r.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch text := min(n, len(magic)); {
	case n == 0 || string(head[:text]) != magic[:text]:
		return errNone
	case n == len(head) && head[text] != version:
		return failure.Usagef("a recording of version %d, but this bench reads version %d: use the bench that "+
			"wrote it", head[text], version)
	case n < len(head):
		return failure.Usagef("the recording is cut off after %d bytes, before anything was recorded", n)
	}
	s := scan{Recording: r, size: size, sum: sha256.New()}
	s.sum.Write(head)
	return s.blocks(int64(len(head)))
}

// A scan is the state of reading the blocks of a recording.
type scan struct {
	*Recording
	size int64     // size of the file in bytes
	sum  hash.Hash // hash of all bytes before the current block
	held int       // number of executions in the blocks so far
}

// blocks reads blocks up to the end block, or to the first that is incomplete or damaged.
func (s *scan) blocks(at int64) error {
	for blocks := 0; at < s.size && s.End == nil; blocks++ {
		kind, n, err := s.head(at)
		if err == nil && blocks > 2*maxBlocks {
			err = failure.Usagef("more than %d blocks", 2*maxBlocks)
		}
		if err == nil {
			err = s.block(kind, n, at)
		}
		if err != nil && s.Start.Event == "" {
			return failure.Usagef("the recording cannot be read: %w", err)
		}
		if err != nil {
			s.CutReason = err.Error()
			return nil
		}
		at += blockHead + n + blockTail
	}
	switch {
	case s.Start.Event == "":
		return failure.Usagef("the recording is cut off after %d bytes, before anything was recorded", s.size)
	case s.End == nil:
		s.CutReason = fmt.Sprintf("it ends at byte %d without an end", s.size)
	case at < s.size && s.CutReason == "":
		s.CutReason = fmt.Sprintf("it ends at byte %d, and %d more follow", at, s.size-at)
	}
	return nil
}

// head reads the kind of the block at an offset and the length of its payload. Only the first block may be the start.
func (s *scan) head(at int64) (kind byte, n int64, err error) {
	var head [blockHead]byte
	if s.size-at < blockHead+blockTail {
		return 0, 0, failure.Usagef("it is cut off in the block at byte %d", at)
	}
	if _, err := s.file.ReadAt(head[:], at); err != nil {
		return 0, 0, err
	}
	kind, n = head[0], int64(binary.LittleEndian.Uint32(head[1:]))
	most, known := maxPayload[kind]
	switch first := s.Start.Event == ""; {
	case !known:
		return 0, 0, failure.Usagef("the block at byte %d is of kind %q, which this bench does not know", at, kind)
	case n > most:
		return 0, 0, failure.Usagef("the block at byte %d claims %d bytes, and at most %d are allowed of its "+
			"kind", at, n, most)
	case n > s.size-at-blockHead-blockTail:
		return 0, 0, failure.Usagef("it is cut off in the block at byte %d", at)
	case first != (kind == kindStart):
		return 0, 0, failure.Usagef("the block at byte %d is of kind %q, which is not allowed there", at, kind)
	}
	return kind, n, nil
}

// block checks and processes a block, without keeping executions. A brief scan ignores texts and checks no execution.
func (s *scan) block(kind byte, n, at int64) error {
	switch {
	case kind == kindExecutions:
		return s.executions(n, at)
	case kind == kindText && s.brief:
		return nil
	case kind == kindText:
		if s.text += n; s.text > golden.MaxText {
			return fmt.Errorf("its suites have more than %d bytes", golden.MaxText)
		}
	}
	sum := crc32.New(castagnoli)
	b := make([]byte, blockHead+n+blockTail)
	if _, err := s.file.ReadAt(b, at); err != nil {
		return err
	}
	body := b[:blockHead+n]
	sum.Write(body)
	if sum.Sum32() != binary.LittleEndian.Uint32(b[len(body):]) {
		return damaged(at)
	}
	if kind == kindEnd {
		return s.end(body[blockHead:])
	}
	s.sum.Write(b)
	if kind == kindText {
		return s.addText(body[blockHead:])
	}
	return s.start(body[blockHead:])
}

// executions records the position of a block of executions, and checks the block.
func (s *scan) executions(n, at int64) error {
	var count [countSize]byte
	if n < countSize {
		return damaged(at)
	}
	if _, err := s.file.ReadAt(count[:], at+blockHead); err != nil {
		return err
	}
	if err := s.check(n, at); err != nil {
		return err
	}
	if len(s.spans) == maxBlocks {
		return fmt.Errorf("more than %d blocks", maxBlocks)
	}
	s.spans = append(s.spans, span{at + blockHead + countSize, int(n) - countSize})
	s.held += int(binary.LittleEndian.Uint32(count[:]))
	return nil
}

// check verifies the checksum of a block, unless the recording is brief.
func (s *scan) check(n, at int64) error {
	if s.brief {
		return nil
	}
	sum, tail := crc32.New(castagnoli), make([]byte, blockTail)
	to := io.MultiWriter(sum, s.sum)
	if _, err := io.Copy(to, io.NewSectionReader(s.file, at, blockHead+n)); err != nil {
		return err
	}
	if _, err := s.file.ReadAt(tail, at+blockHead+n); err != nil {
		return err
	}
	s.sum.Write(tail)
	if sum.Sum32() != binary.LittleEndian.Uint32(tail) {
		return damaged(at)
	}
	return nil
}

func damaged(at int64) error { return failure.Usagef("the block at byte %d is damaged", at) }

func (s *scan) start(payload []byte) error {
	if err := printable.Decode(payload, &s.Start); err != nil {
		return err
	}
	if s.Start.Event != "start" || s.Start.Schema != SchemaVersion {
		return failure.Usagef("its start has schema %d, but this bench reads %d", s.Start.Schema, SchemaVersion)
	}
	return nil
}

// end compares the number and the digest of the preceding blocks with the values in the end block.
func (s *scan) end(payload []byte) error {
	var of seal
	if err := printable.Decode(payload, &of); err != nil {
		return err
	}
	s.End, s.Pruned, s.total = &of.End, of.Pruned, of.Executions
	switch {
	case of.Pruned:
		s.CutReason = fmt.Sprintf("it was pruned: its %d executions are gone, and only its verdict remains",
			of.Executions)
	case of.Executions != s.held:
		s.CutReason = fmt.Sprintf("it has %d of %d executions", s.held, of.Executions)
	case !s.brief && of.SHA256 != hex.EncodeToString(s.sum.Sum(nil)):
		s.CutReason = "its blocks are not those that were written, or not in their order (SHA-256)"
	}
	return nil
}
