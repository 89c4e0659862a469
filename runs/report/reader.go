package report

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"iter"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// A Recording is an open recording. Everything except its executions is in memory.
type Recording struct {
	Path       string
	Start      Start
	SuiteFiles []SuiteFile // texts of the suites that are not built in
	End        *End        // nil if the bench died
	CutReason  string      // why the recording is incomplete; "" if it is complete

	Pruned bool // Prune has removed its executions

	file  io.ReaderAt
	close func() error
	brief bool   // see OpenBrief
	spans []span // positions of the blocks of executions
	total int    // number of executions, according to the end
	text  int64  // size of SuiteTexts in bytes
}

// A SuiteFile is the file of a suite: a name for readers, and the contents.
type SuiteFile struct{ Name, Text string }

type span struct {
	at int64
	n  int
}

// Open opens a recording. It keeps only the positions of the executions. It stops at a truncated or damaged part, which
// CutReason describes. It returns an error if the file does not begin like a recording or the recording is pruned.
func Open(path string) (*Recording, error) { return open(path, false) }

// OpenBrief opens a recording to read its start, end and number of executions. It checks none and keeps no text.
func OpenBrief(path string) (*Recording, error) { return open(path, true) }

func open(path string, brief bool) (*Recording, error) {
	f, size, err := files.Recording.OpenFile(path)
	if err != nil {
		return nil, err
	}
	r := &Recording{Path: path, file: f, close: f.Close, brief: brief}
	err = r.read(size)
	if err == nil && r.Pruned && !brief {
		err = errors.New(r.CutReason)
	}
	if err != nil {
		r.Close()
		return nil, failure.Usagef("%s: %w", path, err)
	}
	return r, nil
}

// Close closes the file.
func (r *Recording) Close() error { return r.close() }

// Executions yields the executions in the order in which they ran. An Execution is valid until the next one is yielded.
func (r *Recording) Executions() iter.Seq2[*Execution, error] {
	return func(yield func(*Execution, error) bool) {
		var b blockReader
		var e Execution
		seen := names{}
		for _, s := range r.spans {
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
				yield(nil, failure.Usagef("%s: the block at byte %d: %w", r.Path, s.at-blockHead-countSize, err))
				return
			}
		}
	}
}

// FirstExecutions returns the first n executions with a verdict, or fewer.
func (r *Recording) FirstExecutions(v driver.Verdict, n int) (all []Execution, err error) {
	for p, err := range r.Executions() {
		if err != nil || len(all) == n {
			return all, err
		}
		if p.Verdict == v {
			all = append(all, *p)
			*p = Execution{} // the next execution gets its own slices
		}
	}
	return all, nil
}

// names collects the names of vectors, up to the maximum of a run.
type names map[string]struct{}

func (n names) add(vector string) error {
	if _, known := n[vector]; known {
		return nil
	}
	if len(n) == golden.MaxVectors {
		return failure.Usagef("it has more than %d vectors", golden.MaxVectors)
	}
	n[vector] = struct{}{}
	return nil
}

// A blockReader decompresses blocks and reuses its buffers.
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
		err = failure.Usagef("it holds more than %d bytes of executions", maxExecutions)
	}
	return b.plain.Bytes(), err
}

func (r *Recording) addText(payload []byte) error {
	file, text, is := bytes.Cut(payload, []byte{0})
	if !is || len(text) == 0 {
		return errors.New("a suite in it is no file name and text")
	}
	r.SuiteFiles = append(r.SuiteFiles, SuiteFile{printable.Text(string(file)), string(text)})
	return nil
}
