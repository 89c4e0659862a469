// Package report presents the results of a run as text, as an event stream in JSON, and as JUnit XML, and records all
// its steps and samples for analysis without the board. docs/formats.md describes the files.
//
// # Words
//
//   - A recording is a file of one run: its start, the vectors' text unless they are
//     built in, its executions, its end.
//   - An execution is one vector in one iteration: its steps and samples, and the
//     verdict.
//   - A block is the unit of the file. Each has a checksum, so that a truncated or
//     damaged file can be read up to its last complete block.
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

// A Run is the data known before the first vector.
type Run struct {
	Identity
	Version    string // of the bench
	Transport  string
	Target     []string // the flags of bench that name the chip
	Notes      []string // for the reader, before the first result
	Seed       uint64
	Vectors    int    // selected
	Count      int    // iterations of each
	Firmware   string // of a microcontroller between bench and chip; may be empty
	Host       string // the bench's machine: name, operating system and architecture
	Started    time.Time
	Tags       files.Tags         // circumstances; may be nil
	Speed      *transport.Timing  // the timing of a run at speed; nil if step by step
	Invocation *driver.Invocation // data to repeat it; nil if unknown
	Wires      *WiringFindings    // faults of the wires; nil if none were found, or without a check
}

// WiringFindings are the findings of a wiring check before the first vector that do not prevent the run.
type WiringFindings struct {
	Reason string   `json:"why"`
	Lines  []string `json:"lines,omitempty"` // lines at fault, by wire, pin or chip
	// Settled is Design or Line if another design of the same chip located the fault, Other if the chip seems to be of
	// another design, or else empty.
	Settled string `json:"settled,omitempty"`
}

// Results of testing a faulty line with another design of the same chip.
const (
	DesignAtFault = "design" // the line is good, and the design is not
	LineAtFault   = "line"   // the wire, the bench's pin or the chip's pad is at fault, and the design is not
	OtherDesign   = "other"  // the chip responds as another design, or is too broken to tell
)

// An Outcome is the data known after the last vector.
type Outcome struct {
	Tally       *driver.Tally
	Elapsed     time.Duration
	Interrupted bool     // by the user
	Hint        string   // what to examine next; may be empty
	IdleFaults  []string // injected faults that never acted
	BenchError  string   // error of the transport or a reporter, if any; an interrupt is none
}

// Verdict returns the run's verdict: PASS only for a completed run.
func (o Outcome) Verdict() driver.Verdict {
	v := o.Tally.Verdict()
	if v == driver.Pass && o.BenchError != "" {
		return driver.Aborted
	}
	return v
}

// fail sets BenchError to a reporter's error, unless it is set.
func (o *Outcome) fail(err error) {
	if err != nil && o.BenchError == "" {
		o.BenchError = err.Error()
	}
}

// onlyStopped reports whether the run is an ERROR only because its time was over.
func (o Outcome) onlyStopped() bool {
	return o.Tally.StoppedBy != "" && o.Tally.Verdicts[driver.Error] == 0
}

// cut returns why the run ended early, or "".
func (o Outcome) cut() string {
	if o.BenchError == "" && o.Interrupted {
		return "the run was interrupted"
	}
	return cmp.Or(o.BenchError, o.Tally.StoppedBy)
}

// Err returns the outcome as an error that is already printed, or nil for PASS. An early end takes precedence over the
// verdict.
func (o Outcome) Err() error {
	switch {
	case o.Interrupted:
		return failure.AlreadyPrinted(failure.Interrupted)
	case o.BenchError != "":
		return failure.AlreadyPrinted(failure.Bench)
	}
	return o.Verdict().Err()
}

// A Reporter observes a run. The Trace of a result is valid until Result returns.
type Reporter interface {
	Start(Run) error
	Result(*driver.Result) error
	End(Outcome) error
}

// ResultFunc is a Reporter that receives only the results.
type ResultFunc func(*driver.Result) error

// Start implements Reporter.
func (ResultFunc) Start(Run) error { return nil }

// Result implements Reporter.
func (e ResultFunc) Result(r *driver.Result) error { return e(r) }

// End implements Reporter.
func (ResultFunc) End(Outcome) error { return nil }

// Reporters combines reporters. Each is called even if another failed; the first error is returned. An error of End
// becomes the BenchError for the later reporters.
type Reporters []Reporter

func (a Reporters) each(tell func(Reporter) error) (first error) {
	for _, r := range a {
		if err := tell(r); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Start implements Reporter.
func (a Reporters) Start(r Run) error { return a.each(func(to Reporter) error { return to.Start(r) }) }

// Result implements Reporter.
func (a Reporters) Result(res *driver.Result) error {
	return a.each(func(to Reporter) error { return to.Result(res) })
}

// End implements Reporter.
func (a Reporters) End(o Outcome) error {
	return a.each(func(to Reporter) error {
		err := to.End(o)
		o.fail(err)
		return err
	})
}
