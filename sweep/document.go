package sweep

import (
	"io"
	"slices"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/runs/report"
)

// A sweepDocument is the JSON result of a sweep; docs/formats.md describes it.
type sweepDocument struct {
	report.About
	Tags     document.Tags `json:"tags,omitempty"`
	Space    string        `json:"space"`
	Depth    int           `json:"depth,omitempty"`
	Values   int           `json:"values,omitempty"`
	Seed     uint64        `json:"seed,omitempty"`
	First    int           `json:"first"`
	Count    int           `json:"count"`
	Of       int           `json:"of"`
	Done     int           `json:"done"`
	Verdict  string        `json:"verdict"`
	Cases    int           `json:"cases"`
	Steps    int           `json:"steps"`
	Failed   int           `json:"failed"`
	Signed   int           `json:"signed"`
	Unsteady int           `json:"unsteady"`
	Seconds  float64       `json:"seconds"`
	Fresh    int           `json:"steps_now"` // steps of this run, which took Seconds
	Failing  []int         `json:"failed_blocks"`
	Root     *Hash         `json:"root"` // null if blocks are missing
	Idle     []string      `json:"idle_faults,omitempty"`
	Boards   []byBoard     `json:"boards,omitempty"` // of a lab, sorted by name
}

// byBoard is a board's part in a sweep.
type byBoard struct {
	Board  string `json:"board"`
	Blocks int    `json:"blocks"` // blocks it ran
	Wrong  []int  `json:"wrong"`  // blocks that differ from the model
	// blocks on which its result differs from another board's
	Differs []int `json:"differs"`
}

// JSON writes the result of a sweep. Done is less than Count until the sweep is complete.
func (s *Session) JSON(w io.Writer, about report.About, c *Certificate) error {
	h := &s.Head
	cases, steps := c.Size()
	d := sweepDocument{About: about, Tags: h.Made[0].Tags, Space: h.Space, Depth: h.Depth, Values: h.Values,
		Seed: h.Seed, First: h.First, Count: h.Count,
		Of: h.Of, Done: len(c.Blocks), Verdict: c.Verdict().String(), Cases: cases, Steps: steps, Failed: c.Failed(),
		Signed: c.Signed(), Unsteady: c.Unsteady(), Seconds: s.took.Seconds(), Fresh: steps - s.steps, Failing: []int{}}
	for i := range c.Blocks {
		if c.Blocks[i].Failed > 0 {
			d.Failing = append(d.Failing, c.Blocks[i].Number)
		}
	}
	slices.Sort(d.Failing)
	if d.Done == d.Count {
		root := c.Root()
		d.Root = &root
	}
	d.Idle, d.Boards = s.Idle, s.queue.shares()
	return document.Write(w, d)
}

// A verifiedDocument is the JSON form of Verify's result.
type verifiedDocument struct {
	document.Head
	Space   string  `json:"space"`
	First   int     `json:"first"`
	Blocks  int     `json:"blocks"`
	Cases   int     `json:"cases"`
	Steps   int     `json:"steps"`
	Signed  int     `json:"signed"`
	Root    Hash    `json:"root"`
	Verdict string  `json:"verdict"`
	Doubts  []Doubt `json:"doubts"`
}

// DoubtsJSON writes the doubts as JSON and returns the verdict.
func (c *Certificate) DoubtsJSON(w io.Writer, head document.Head, doubts []Doubt) (driver.Verdict, error) {
	cases, steps := c.Size()
	verdict := c.doubted(doubts)
	return verdict, document.Write(w, verifiedDocument{Head: head, Space: c.Head.Space, First: c.Head.First,
		Blocks: len(c.Blocks), Cases: cases, Steps: steps, Signed: c.Signed(), Root: c.Root(),
		Verdict: verdict.String(), Doubts: append([]Doubt{}, doubts...)})
}
