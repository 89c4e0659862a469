package sweep

import (
	"io"
	"slices"

	"utfbench/internal/document"
	"utfbench/internal/tags"
	"utfbench/runs/identity"
)

// A sweepDocument is what came of a sweep, for programs. docs/formats.md describes it.
type sweepDocument struct {
	identity.About
	Tags     tags.Set  `json:"tags,omitempty"`
	Space    string    `json:"space"`
	Depth    int       `json:"depth,omitempty"`
	Values   int       `json:"values,omitempty"`
	Seed     uint64    `json:"seed,omitempty"`
	First    int       `json:"first"`
	Count    int       `json:"count"`
	Of       int       `json:"of"`
	Done     int       `json:"done"`
	Verdict  string    `json:"verdict"`
	Cases    int       `json:"cases"`
	Steps    int       `json:"steps"`
	Failed   int       `json:"failed"`
	Signed   int       `json:"signed"`
	Unsteady int       `json:"unsteady"`
	Seconds  float64   `json:"seconds"`
	Fresh    int       `json:"steps_now"` // of Steps, in these seconds
	Failing  []int     `json:"failed_blocks"`
	Root     *Hash     `json:"root"`             // null when blocks are missing
	Boards   []byBoard `json:"boards,omitempty"` // of a lab, by name
}

// byBoard is a board's part in a sweep.
type byBoard struct {
	Board  string `json:"board"`
	Blocks int    `json:"blocks"` // that it answered
	Wrong  []int  `json:"wrong"`  // those that it got wrong
	// blocks that it answered in another way than another board did
	Differs []int `json:"differs"`
}

// JSON writes what came of a sweep, about one of its chips. Before its end Done is less than Count.
func (s *Session) JSON(w io.Writer, about identity.About, c *Certificate) error {
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
	d.Boards = s.queue.shares()
	return document.Write(w, d)
}
