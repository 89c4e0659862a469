package report

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"

	"utfbench/driver"
	"utfbench/golden"
)

// A Writer writes a recording of a run as it progresses. It is a report.Reporter.
type Writer struct {
	to     io.Writer
	suites []*golden.Suite
	run    Run

	executions []byte // encoded executions of the next block
	inBlock    int    // number of executions in the next block
	total      int    // number of executions in the blocks so far
	sum        hash.Hash
	packed     bytes.Buffer
	block      []byte
	flate      *flate.Writer
	err        error // the first write error; after it, nothing is written
}

var _ Reporter = (*Writer)(nil)

// NewWriter returns a Writer to w. The Writer calls w.Write for each block, and then w.Flush if that exists. suites are
// the suites whose text the recording includes.
func NewWriter(w io.Writer, suites ...*golden.Suite) *Writer {
	f, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	return &Writer{to: w, suites: suites, flate: f, sum: sha256.New()}
}

func (w *Writer) Start(run Run) error {
	w.run = run
	w.block = append(append(w.block[:0], magic...), version)
	w.json(kindStart, NewStart(run))
	for _, s := range w.suites {
		w.block = appendBlock(w.block, kindText, []byte(s.File+"\x00"+s.Text))
	}
	w.write()
	return w.err
}

func (w *Writer) Result(res *driver.Result) error {
	p := Execution{Vector: res.Vector.Name, Iteration: res.Iteration, Verdict: res.Verdict, Reason: res.Reason}
	if t := res.Trace; t != nil {
		p.Steps, p.Got = t.Steps, t.Got
	}
	w.executions = p.append(w.executions)
	w.inBlock++
	if len(w.executions) >= blockSize {
		w.flush()
	}
	return w.err
}

func (w *Writer) End(o Outcome) error {
	w.flush()
	w.json(kindEnd, seal{Executions: w.total, SHA256: hex.EncodeToString(w.sum.Sum(nil)),
		End: shortened(NewEnd(&w.run, o))})
	w.write()
	return w.err
}

// mostFlaky limits the flaky vectors in an end block, and thereby its size. The executions include all of them.
const mostFlaky = 1000

// sealSize limits the size of a seal without its End, in bytes.
const sealSize = 1 << 10

func shortened(e End) End {
	if text, err := json.Marshal(e); err == nil && int64(len(text)) > maxPayload[kindEnd]-sealSize {
		e.FlakyVectors = e.FlakyVectors[:min(len(e.FlakyVectors), mostFlaky)]
	}
	return e
}

// flush writes the pending executions as a block.
func (w *Writer) flush() {
	if len(w.executions) == 0 {
		return
	}
	w.packed.Reset()
	w.packed.Write(binary.LittleEndian.AppendUint32(nil, uint32(w.inBlock)))
	w.flate.Reset(&w.packed)
	_, _ = w.flate.Write(w.executions) // a bytes.Buffer accepts all writes
	_ = w.flate.Close()
	w.executions, w.inBlock, w.total = w.executions[:0], 0, w.total+w.inBlock
	w.block = appendBlock(w.block, kindExecutions, w.packed.Bytes())
	w.write()
}

func (w *Writer) json(kind byte, v any) {
	text, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.block = appendBlock(w.block, kind, text)
}

func (w *Writer) write() {
	w.sum.Write(w.block)
	if w.err == nil {
		_, w.err = w.to.Write(w.block)
	}
	if f, ok := w.to.(interface{ Flush() error }); ok && w.err == nil {
		w.err = f.Flush() // a block in a buffer is lost if the bench dies
	}
	w.block = w.block[:0]
}
