package compare

import (
	"io"

	"utfbench/internal/document"
	"utfbench/runs/report"
)

// A tableDocument is the JSON form of a table; see docs/formats.md.
type tableDocument struct {
	document.Head
	Tile       string       `json:"tile"`
	Vectors    int          `json:"vectors"`
	Digest     string       `json:"vectors_sha256"`
	Verdict    string       `json:"verdict"`
	Conclusion string       `json:"conclusion"`
	Seconds    float64      `json:"seconds"`
	Targets    []Part       `json:"targets"`
	Failed     []failedPart `json:"failed"`
	Stopped    bool         `json:"interrupted,omitempty"`
}

// A Part is a target in a document; docs/schemas/matrix.schema.json describes its fields.
type Part struct {
	Target    string `json:"target"`
	Verdict   string `json:"verdict"`
	Transport string `json:"transport,omitempty"`
	*report.Identity
	Flags   []string       `json:"flags,omitempty"`
	Notes   []string       `json:"notes,omitempty"`
	Counts  map[string]int `json:"counts"`
	Steps   int            `json:"steps"`
	Seconds float64        `json:"seconds"`
	Rate    float64        `json:"steps_per_second,omitempty"`
	First   *answerPart    `json:"first,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Weak    string         `json:"weak,omitempty"`
	Idle    []string       `json:"idle_faults,omitempty"`
	Number  int            `json:"run,omitempty"`
}

type failedPart struct {
	Vector  string        `json:"vector"`
	Alike   bool          `json:"alike"`
	Answers []*answerPart `json:"answers"`
}

type answerPart struct {
	Vector  string   `json:"vector,omitempty"`
	Verdict string   `json:"verdict"`
	Step    int      `json:"step,omitempty"`
	Lines   []string `json:"lines,omitempty"`
	Words   string   `json:"words,omitempty"`
}

// JSON writes the table as one document.
func (t *Table) JSON(w io.Writer) error {
	d := tableDocument{Head: document.NewHead(t.About.Bench), Tile: t.About.Tile, Vectors: t.About.Vectors,
		Digest: t.About.Digest, Verdict: t.Verdict().String(), Conclusion: t.Conclusion(),
		Seconds: t.Elapsed.Seconds(), Failed: []failedPart{}, Stopped: t.Interrupted()}
	for _, c := range t.Columns {
		d.Targets = append(d.Targets, c.Part())
	}
	for _, r := range t.Failed() {
		f := failedPart{Vector: r.Vector, Alike: r.Alike()}
		for _, a := range r.Answers {
			f.Answers = append(f.Answers, a.part(""))
		}
		d.Failed = append(d.Failed, f)
	}
	return document.Write(w, d)
}

// Part returns the target's part of a document.
func (c *Column) Part() Part {
	p := Part{Target: c.Target, Verdict: c.Verdict().String(), Transport: c.Run.Transport, Flags: c.Run.Target,
		Notes: c.Run.Notes, Counts: c.Counts().ByName(), Steps: c.Steps, Seconds: c.Took.Seconds(),
		Rate: c.Rate(), Reason: c.Reason, Weak: c.Weak, Idle: c.Idle, Number: c.Number}
	if c.Run.Transport != "" {
		p.Identity = &c.Run.Identity
	}
	if c.First != nil {
		p.First = c.First.part(c.First.Vector)
	}
	return p
}

// part returns null for a target that was not tested.
func (a *Answer) part(vector string) *answerPart {
	if a == nil {
		return nil
	}
	return &answerPart{Vector: vector, Verdict: a.Verdict.String(), Step: a.Step, Lines: a.Lines, Words: a.Words}
}
