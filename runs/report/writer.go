package report

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"io"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/transport"
)

// A Writer writes a recording of a run as it progresses. It is a report.Reporter.
type Writer struct {
	to     io.Writer
	suites []*golden.Suite
	run    Run

	executions []byte // of the next block
	packed     bytes.Buffer
	block      []byte
	flate      *flate.Writer
	err        error // the first write error, after which nothing is written
}

var _ Reporter = (*Writer)(nil)

// NewWriter writes to w, with one Write per block, followed by Flush if w has it. The recording includes the text of
// the suites, which are not built in.
func NewWriter(w io.Writer, suites ...*golden.Suite) *Writer {
	f, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	return &Writer{to: w, suites: suites, flate: f}
}

// Start implements report.Reporter.
func (w *Writer) Start(run Run) error {
	w.run = run
	w.block = append(append(w.block[:0], magic...), w.version())
	w.json(kindStart, NewStart(run))
	for _, s := range w.suites {
		w.json(kindText, [2]string{s.File, s.Text})
	}
	w.write()
	return w.err
}

// version returns the oldest version of the format that has all steps.
func (w *Writer) version() byte {
	for _, s := range w.suites {
		for i := range s.Vectors {
			if transport.NoLinger(s.Vectors[i].Steps) != nil {
				return lingering
			}
		}
	}
	return plain
}

// Result implements report.Reporter.
func (w *Writer) Result(res *driver.Result) error {
	p := Execution{Vector: res.Vector.Name, Iteration: res.Iteration, Verdict: res.Verdict, Reason: res.Reason}
	if t := res.Trace; t != nil {
		p.Steps, p.Got = t.Steps, t.Got
	}
	w.executions = p.append(w.executions)
	if len(w.executions) >= blockSize {
		w.flush()
	}
	return w.err
}

// End implements report.Reporter.
func (w *Writer) End(o Outcome) error {
	w.flush()
	w.json(kindEnd, shortened(NewEnd(&w.run, o)))
	w.write()
	return w.err
}

// mostFlaky is the number of flaky vectors in an end block that would be too large with all of them; the executions
// have all.
const mostFlaky = 1000

func shortened(e End) End {
	if text, err := json.Marshal(e); err == nil && int64(len(text)) > maxPayload[kindEnd] {
		e.Flaky = e.Flaky[:min(len(e.Flaky), mostFlaky)]
	}
	return e
}

// flush writes the pending executions as a block.
func (w *Writer) flush() {
	if len(w.executions) == 0 {
		return
	}
	w.packed.Reset()
	w.flate.Reset(&w.packed)
	_, _ = w.flate.Write(w.executions) // a bytes.Buffer accepts everything
	_ = w.flate.Close()
	w.executions = w.executions[:0]
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
	if w.err == nil {
		_, w.err = w.to.Write(w.block)
	}
	if f, ok := w.to.(interface{ Flush() error }); ok && w.err == nil {
		w.err = f.Flush() // a buffered block would be lost with the bench
	}
	w.block = w.block[:0]
}
