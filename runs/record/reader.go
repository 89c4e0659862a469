package record

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// A Recording is an open recording. Everything but its executions is in memory.
type Recording struct {
	Path  string
	Start report.Start
	Texts []Text      // of the suites that were asked; none for the built-in ones
	End   *report.End // nil when the bench died
	Cut   string      // why it ends early; empty if it is complete

	file   io.ReaderAt
	close  func() error
	blocks []span // of executions
	text   int    // bytes of Texts
}

// A Text is the file of a suite: its name, for people, and what is in it.
type Text struct{ File, Text string }

type span struct {
	at int64
	n  int
}

// Open reads all of a recording but keeps only where its executions are. What was cut off, or is damaged, is left out,
// and Cut says so; the error is for a file that holds no start of a recording.
func Open(path string) (*Recording, error) {
	f, size, err := files.Recording.OpenFile(path)
	if err != nil {
		return nil, err
	}
	r, err := read(f, size)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.Path, r.close = path, f.Close
	return r, nil
}

// Close closes the file.
func (r *Recording) Close() error { return r.close() }

// errNone is for a file that never was a recording.
var errNone = errors.New("not a recording of bench run --record")

func read(file io.ReaderAt, size int64) (*Recording, error) {
	head := make([]byte, len(magic))
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch version := len(magic) - 1; {
	case n == 0 || string(head[:min(n, version)]) != magic[:min(n, version)]:
		return nil, errNone
	case n == len(magic) && head[version] != magic[version]:
		return nil, fmt.Errorf("a recording of version %d, and this bench reads version %d: take the "+
			"bench that wrote it", head[version], magic[version])
	case n < len(magic):
		return nil, fmt.Errorf("the recording is cut off after %d bytes, before anything was recorded", n)
	}
	r := &Recording{file: file}
	return r, r.scan(size)
}

// scan goes from block to block until one is not whole.
func (r *Recording) scan(size int64) error {
	at := int64(len(magic))
	for at < size && r.End == nil {
		kind, payload, err := r.block(at, size)
		if err == nil {
			err = r.take(kind, payload, at)
		}
		if err != nil && r.Start.Event == "" {
			return fmt.Errorf("the recording cannot be read: %w", err)
		}
		if err != nil {
			r.Cut = err.Error()
			return nil
		}
		at += int64(blockHead + len(payload) + blockTail)
	}
	switch {
	case r.Start.Event == "":
		return fmt.Errorf("the recording is cut off after %d bytes, before anything was recorded", size)
	case r.End == nil:
		r.Cut = fmt.Sprintf("it ends at byte %d without an end", size)
	case at < size:
		r.Cut = fmt.Sprintf("it ends at byte %d, and %d more follow", at, size-at)
	}
	return nil
}

// block reads the block that starts at a byte.
func (r *Recording) block(at, size int64) (kind byte, payload []byte, err error) {
	var head [blockHead]byte
	if size-at < blockHead+blockTail {
		return 0, nil, fmt.Errorf("it is cut off in the block at byte %d", at)
	}
	if _, err := r.file.ReadAt(head[:], at); err != nil {
		return 0, nil, err
	}
	n := int64(binary.LittleEndian.Uint32(head[1:]))
	if most, known := maxPayload[head[0]]; known && n > most {
		return 0, nil, fmt.Errorf("the block at byte %d claims %d bytes, and at most %d are allowed of its kind", at, n,
			most)
	} else if !known {
		return 0, nil, fmt.Errorf("the block at byte %d is of kind %q, which this bench does not know", at, head[0])
	}
	if n > size-at-blockHead-blockTail {
		return 0, nil, fmt.Errorf("it is cut off in the block at byte %d", at)
	}
	b := make([]byte, blockHead+n+blockTail)
	if _, err := r.file.ReadAt(b, at); err != nil {
		return 0, nil, err
	}
	body, sum := b[:blockHead+n], b[blockHead+n:]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(sum) {
		return 0, nil, fmt.Errorf("the block at byte %d is damaged", at)
	}
	return head[0], body[blockHead:], nil
}

// take uses a block that is whole.
func (r *Recording) take(kind byte, payload []byte, at int64) error {
	if first := r.Start.Event == ""; first != (kind == kindStart) {
		return fmt.Errorf("the block at byte %d is of kind %q, which has no place there", at, kind)
	}
	switch kind {
	case kindStart:
		if err := printable.Decode(payload, &r.Start); err != nil {
			return err
		}
		if r.Start.Event != "start" || r.Start.Schema != report.SchemaVersion {
			return fmt.Errorf("its start is of schema %d, and this bench reads %d", r.Start.Schema,
				report.SchemaVersion)
		}
		return nil
	case kindText:
		var text [2]string
		if err := json.Unmarshal(payload, &text); err != nil {
			return err
		}
		r.text += len(text[0]) + len(text[1])
		switch {
		case text[1] == "":
			return errors.New("a suite without text")
		case r.text > golden.MostText:
			return fmt.Errorf("its suites have more than %d bytes", golden.MostText)
		}
		r.Texts = append(r.Texts, Text{printable.Text(text[0]), text[1]})
	case kindExecutions:
		if len(r.blocks) == maxBlocks {
			return fmt.Errorf("more than %d blocks", maxBlocks)
		}
		r.blocks = append(r.blocks, span{at + blockHead, len(payload)})
	case kindEnd:
		r.End = new(report.End)
		return printable.Decode(payload, r.End)
	}
	return nil
}

// Executions gives the executions in the order in which they ran. An Execution is valid until the next one.
func (r *Recording) Executions() iter.Seq2[*Execution, error] {
	return func(yield func(*Execution, error) bool) {
		var b blockReader
		var e Execution
		seen := names{}
		for _, s := range r.blocks {
			rest, err := b.unpack(r.file, s)
			for err == nil && len(rest) > 0 {
				if rest, err = e.read(rest); err == nil {
					e.Vector, e.Reason = printable.Text(e.Vector), printable.Text(e.Reason)
					err = seen.add(e.Vector)
				}
				if err == nil && !yield(&e, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, fmt.Errorf("%s: the block at byte %d: %w", r.Path, s.at-blockHead, err))
				return
			}
		}
	}
}

// First gives the first execution with a verdict; nil when there is none.
func (r *Recording) First(v driver.Verdict) (*Execution, error) {
	for p, err := range r.Executions() {
		if err != nil {
			return nil, err
		}
		if p.Verdict == v {
			return p, nil
		}
	}
	return nil, nil
}

// names are those of the vectors of a recording: no more than can be asked together, so that who collects them has
// room.
type names map[string]struct{}

func (n names) add(vector string) error {
	if _, known := n[vector]; known {
		return nil
	}
	if len(n) == golden.MostVectors {
		return fmt.Errorf("it has more than %d vectors", golden.MostVectors)
	}
	n[vector] = struct{}{}
	return nil
}

// A blockReader keeps its memory from one block to the next.
type blockReader struct {
	packed []byte
	plain  bytes.Buffer
	flate  io.ReadCloser
}

func (b *blockReader) unpack(file io.ReaderAt, s span) ([]byte, error) {
	if cap(b.packed) < s.n {
		b.packed = make([]byte, s.n)
	}
	b.packed = b.packed[:s.n]
	if _, err := file.ReadAt(b.packed, s.at); err != nil {
		return nil, err
	}
	packed := bytes.NewReader(b.packed)
	if b.flate == nil {
		b.flate = flate.NewReader(packed)
	} else if err := b.flate.(flate.Resetter).Reset(packed, nil); err != nil {
		return nil, err
	}
	b.plain.Reset()
	n, err := b.plain.ReadFrom(io.LimitReader(b.flate, maxExecutions+1))
	if err == nil && n > maxExecutions {
		err = fmt.Errorf("it holds more than %d bytes of executions", maxExecutions)
	}
	return b.plain.Bytes(), err
}
