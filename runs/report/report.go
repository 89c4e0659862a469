// Package report presents the results of a run as text, as an event stream in JSON, and as JUnit XML. It records all
// steps and samples of a run, so that they can be analysed without the board. docs/formats.md describes the files.
//
// # Words
//
//   - A recording is a file with one run: its start, the text of its vectors unless they are built in, its executions,
//     and its end.
//   - An execution is one vector in one iteration: its steps, its samples and its verdict.
//   - A block is the unit of the file. Each block has a checksum, so that a truncated or damaged file can be read up to
//     the damage.
//
// A [Writer] records a run as it progresses, Open reads a [Recording], and a [Replay] responds from one.
package report

import (
	"cmp"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/transport"
)

// A Run holds the data that is known before the first vector.
type Run struct {
	Identity
	Version    string // version of the bench
	Transport  string
	Target     []string // flags of bench that select the chip
	Notes      []string // notes for the reader, shown before the first result
	Seed       uint64
	Vectors    int    // number of selected vectors
	Iterations int    // number of iterations
	Firmware   string // firmware of the microcontroller between bench and chip; may be ""
	Host       string // the machine of the bench: its name, operating system and architecture
	Started    time.Time
	Tags       files.Tags         // circumstances; may be nil
	Speed      *transport.Timing  // the timing of a run at speed; nil if step by step
	Invocation *driver.Invocation // the data for repeating the run; nil if unknown
	Wires      *WiringFindings    // faults of the wires; nil if none were found or the wires were not checked
}

// WiringFindings holds faults found by the wiring check that do not prevent the run.
type WiringFindings struct {
	Reason string   `json:"why"`
	Lines  []string `json:"lines,omitempty"` // faulty lines; the fault may be in the wire, the pin or the chip
	// Settled is DesignAtFault or LineAtFault if a check of another design of the same chip has located the fault,
	// OtherDesign if the chip seems to have another design, and "" otherwise.
	Settled string `json:"settled,omitempty"`
}

// The results of checking a faulty line with another design of the same chip.
const (
	DesignAtFault = "design" // the design is at fault, and the line is good
	LineAtFault   = "line"   // the wire, the bench's pin or the chip's pad is at fault, and the design is good
	OtherDesign   = "other"  // the chip responds like another design, or cannot be recognised
)

// An Outcome holds the data that is known after the last vector.
type Outcome struct {
	Tally       *driver.Tally
	Elapsed     time.Duration
	Interrupted bool     // the user stopped the run
	Hint        string   // what to examine next, or ""
	IdleFaults  []string // injected faults that never acted
	BenchError  string   // error of the transport or a reporter, or ""; an interrupt is not an error
}

// Verdict returns the verdict of the run. It is PASS only if the run was completed.
func (o Outcome) Verdict() driver.Verdict {
	v := o.Tally.Verdict()
	if v == driver.Pass && o.BenchError != "" {
		return driver.Aborted
	}
	return v
}

// fail sets BenchError to a reporter's error unless it is already set.
func (o *Outcome) fail(err error) {
	if err != nil && o.BenchError == "" {
		o.BenchError = err.Error()
	}
}

// onlyStopped reports whether the run is an ERROR only because of its timeout.
func (o Outcome) onlyStopped() bool {
	return o.Tally.StoppedBy != "" && o.Tally.Verdicts[driver.Error] == 0
}

// cut returns the reason why the run ended early, or "".
func (o Outcome) cut() string {
	if o.BenchError == "" && o.Interrupted {
		return "the run was interrupted"
	}
	return cmp.Or(o.BenchError, o.Tally.StoppedBy)
}

// Err returns the outcome as an error that is already printed, or nil for PASS. An early end outranks the verdict.
func (o Outcome) Err() error {
	switch {
	case o.Interrupted:
		return failure.AlreadyPrinted(failure.Interrupted)
	case o.BenchError != "":
		return failure.AlreadyPrinted(failure.Bench)
	}
	return o.Verdict().Err()
}

// A Reporter observes a run. The Trace of a result is valid until Result returns. All calls follow even after an error,
// which the run returns.
type Reporter interface {
	Start(Run) error
	Result(*driver.Result) error
	End(Outcome) error
}

// A ResultFunc is a Reporter that receives only results.
type ResultFunc func(*driver.Result) error

func (ResultFunc) Start(Run) error { return nil }

func (e ResultFunc) Result(r *driver.Result) error { return e(r) }

func (ResultFunc) End(Outcome) error { return nil }

// Reporters combines reporters. All are called even if one fails, and the first error is returned. If a reporter's End
// fails, the error becomes the BenchError for the reporters after it.
type Reporters []Reporter

func (a Reporters) each(tell func(Reporter) error) (first error) {
	for _, r := range a {
		if err := tell(r); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func (a Reporters) Start(r Run) error { return a.each(func(to Reporter) error { return to.Start(r) }) }

func (a Reporters) Result(res *driver.Result) error {
	return a.each(func(to Reporter) error { return to.Result(res) })
}

func (a Reporters) End(o Outcome) error {
	return a.each(func(to Reporter) error {
		err := to.End(o)
		o.fail(err)
		return err
	})
}
