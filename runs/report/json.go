package report

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile"
	"utfbench/transport"
)

// JSON is a Reporter that writes a stream, one object per line: "start", a "vector" for each execution, then "end".
type JSON struct {
	enc     *json.Encoder
	flush   func() error
	flushed time.Time
	run     Run
}

// flushEvery is the interval of flushes. A bench that dies loses at most the events of one interval.
const flushEvery = 100 * time.Millisecond

// NewJSON returns a reporter that writes to w. It calls w's Flush method, if any, periodically, since a bench that dies
// loses buffered events.
func NewJSON(w io.Writer) *JSON {
	j := &JSON{enc: json.NewEncoder(w), flush: func() error { return nil }}
	if f, ok := w.(interface{ Flush() error }); ok {
		j.flush = f.Flush
	}
	j.enc.SetEscapeHTML(false)
	return j
}

func (j *JSON) write(event any) error {
	if err := j.enc.Encode(event); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(j.flushed) >= flushEvery {
		j.flushed = now
		return j.flush()
	}
	return nil
}

// SchemaVersion is the version in the start event. It increases when a field is removed or changes its meaning.
const SchemaVersion = 1

// Start is the first event of a stream.
type Start struct {
	Event     string `json:"event"`
	Schema    int    `json:"schema"`
	Bench     string `json:"bench"`
	Transport string `json:"transport"`
	Identity
	Target   []string          `json:"target,omitempty"`
	Notes    []string          `json:"notes,omitempty"`
	Seed     uint64            `json:"seed"`
	Count    int               `json:"count"`
	Vectors  int               `json:"vectors"`
	Firmware string            `json:"firmware,omitempty"`
	Host     string            `json:"host,omitempty"`
	Time     time.Time         `json:"time"`
	Tags     files.Tags        `json:"tags,omitempty"`
	Speed    *transport.Timing `json:"speed,omitempty"` // nil if step by step
	// nil if the run cannot be repeated
	Invocation *driver.Invocation `json:"asked,omitempty"`
	Wires      *WiringFindings    `json:"wires,omitempty"`
}

// Vector is the event for one vector in one iteration.
type Vector struct {
	Event     string        `json:"event"`
	Name      string        `json:"name"`
	Iteration int           `json:"iteration"`
	Verdict   string        `json:"verdict"`
	Steps     int           `json:"steps"`
	File      string        `json:"file"`
	Line      int           `json:"line"`
	Source    sourceObject  `json:"source"`
	Unicode   string        `json:"unicode,omitempty"`
	Reason    string        `json:"reason,omitempty"`
	Mismatch  *mismatchPart `json:"mismatch,omitempty"`
}

type sourceObject struct {
	Document string `json:"document"`
	Section  string `json:"section"`
	Row      string `json:"row"`
}

type mismatchPart struct {
	Step            int        `json:"step"` // from 1
	Does            string     `json:"does"`
	Pins            Pins       `json:"pins"`
	Got             SampleBits `json:"got"`
	Want            SampleBits `json:"want"`
	Differs         SampleBits `json:"differs"`
	InVector        bool       `json:"in_vector"`
	Line            int        `json:"line"`
	Words           string     `json:"words"`
	LaterSameLines  int        `json:"later_same_lines"`
	LaterOtherLines int        `json:"later_other_lines"`
}

// Pins are the levels of a step.
type Pins struct {
	UI     string `json:"ui"`
	UIO    string `json:"uio"`
	OE     string `json:"oe"`
	RstN   int    `json:"rst_n"`
	Clocks uint8  `json:"clocks"`
	Linger bool   `json:"linger,omitempty"`
}

// SampleBits holds a sample as bits.
type SampleBits struct {
	UO  string `json:"uo"`  // bit 7 first; x is unknown
	UIO string `json:"uio"` //
}

// End is the last event of a stream.
type End struct {
	Event      string         `json:"event"`
	Verdict    string         `json:"verdict"`
	ExitCode   int            `json:"exit"` // exit code of bench run
	Counts     map[string]int `json:"counts"`
	Steps      int            `json:"steps"`
	Seconds    float64        `json:"seconds"`
	Hint       string         `json:"hint,omitempty"`
	BenchError string         `json:"trouble,omitempty"`
	Reason     string         `json:"why,omitempty"` // why nothing was judged
	Evidence   *Evidence      `json:"evidence,omitempty"`

	Capture *driver.StreamTally `json:"capture,omitempty"` // nil for a run of vectors

	FlakyVectors []FlakyVector `json:"flaky,omitempty"`
}

// WiresAtFault reports whether the verdict of the run is WIRING.
func (e *End) WiresAtFault() bool { return e.Verdict == driver.Wiring.String() }

// interrupted reports whether the user stopped the run, whatever its verdict is.
func (e *End) interrupted() bool {
	stopped := failure.AlreadyPrinted(failure.Interrupted)
	return e.Verdict == driver.Aborted.String() || e.ExitCode == failure.ExitCode(stopped)
}

// A FlakyVector is a vector that both passed and failed, with the 95 % interval of its failure rate.
type FlakyVector struct {
	Name       string  `json:"name"`
	Executions int     `json:"runs"`
	Failed     int     `json:"failed"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
}

// FlakyVectors returns the flaky vectors of a run, in decreasing order of Low.
func FlakyVectors(t *driver.Tally) (all []FlakyVector) {
	for _, r := range t.Repeats {
		if r.Verdict() == driver.Flaky {
			failed, of := r.Counts[driver.Fail], r.JudgedExecutions()
			low, high := tile.Wilson(failed, of)
			all = append(all, FlakyVector{r.Vector.Name, of, failed, low, high})
		}
	}
	slices.SortStableFunc(all, func(a, b FlakyVector) int { return cmp.Compare(b.Low, a.Low) })
	return all
}

// NewStart returns a run's start event.
func NewStart(r Run) Start {
	return Start{Event: "start", Schema: SchemaVersion, Bench: r.Version, Transport: r.Transport, Identity: r.Identity,
		Target: r.Target, Notes: r.Notes, Seed: r.Seed, Vectors: r.Vectors, Count: r.Iterations, Firmware: r.Firmware,
		Host: r.Host, Time: r.Started.UTC(), Tags: r.Tags, Speed: r.Speed, Invocation: r.Invocation, Wires: r.Wires}
}

func (j *JSON) Start(r Run) error {
	j.run = r
	return j.write(NewStart(r))
}

func (j *JSON) Result(r *driver.Result) error {
	v := r.Vector
	e := Vector{Event: "vector", Name: v.Name, Iteration: r.Iteration, Verdict: r.Verdict.String(), Steps: r.Steps,
		File: r.File, Line: v.Line, Source: NewSourceObject(v), Unicode: v.Class, Reason: r.Reason}
	if m := r.FirstMismatch; m != nil {
		e.Mismatch = &mismatchPart{
			Step: m.Index + 1, Does: tile.Describe(r.Tile, m.Step), Pins: NewPins(m.Step), Got: NewSampleBits(m.Got),
			Want: NewSampleBits(m.Want), Differs: SampleBits{tile.Binary(m.OutDiff, 0), tile.Binary(m.IODiff, 0)},
			InVector: m.Check, Line: m.FileLine, Words: DescribeDivergence(r),
			LaterSameLines: r.SameLines, LaterOtherLines: r.OtherLines,
		}
	}
	return j.write(e)
}

// NewSourceObject returns the source of a vector for JSON.
func NewSourceObject(v *golden.Vector) sourceObject {
	return sourceObject{v.Source.Document, v.Source.Section, v.Source.Row}
}

// NewPins returns a step's pins.
func NewPins(s transport.Step) Pins {
	p := Pins{UI: tile.Hex(s.In, 0), UIO: tile.Hex(s.IO, 0), OE: tile.Hex(s.Drive, 0), RstN: 1, Clocks: s.Clocks,
		Linger: s.Linger}
	if s.Reset {
		p.RstN = 0
	}
	return p
}

// NewSampleBits returns the bits of a sample.
func NewSampleBits(s transport.Sample) SampleBits {
	return SampleBits{tile.Binary(s.Out, s.OutX), tile.Binary(s.IO, s.IOX)}
}

// NewEnd returns the end event of an outcome.
func NewEnd(r *Run, o Outcome) End {
	return End{Event: "end", Verdict: o.Verdict().String(), ExitCode: failure.ExitCode(o.Err()),
		Counts: o.Tally.Verdicts.ByName(), Steps: o.Tally.Steps, Seconds: o.Elapsed.Seconds(), Hint: o.Hint,
		BenchError: o.BenchError, Reason: nothing(o), Evidence: NewEvidence(r, o), Capture: o.Tally.Stream,
		FlakyVectors: FlakyVectors(o.Tally)}
}

func (j *JSON) End(o Outcome) error { return j.write(NewEnd(&j.run, o)) }
