// Package waveform draws what a vector did to the chip over time: as a VCD file for a viewer of waveforms, and as an
// SVG picture of the steps around the first divergence, for a page.
//
// # Words
//
//   - An excerpt is steps of one vector that follow one another, with what was answered: all of them, or a few.
//   - A moment is a point in time at which lines change.
//   - Time is nominal: the order within a step is what package transport promises of every transport, but how long each
//     part of it took was not measured. Each part has a slot of 10 ns instead, and a step with no or one pulse of clk
//     takes 100 ns, so that step n of most vectors begins at (n-1) * 100 ns.
//
// # The walk of an excerpt
//
//	driver.Result --Whole, Around--> Excerpt --play--> moments --VCD, SVG--> a file
//	                                    \--Pack--> JSON --Unpack--> Excerpt --play--> moments --SVG--> elsewhere
//
// The level of a line is known only when it was sampled. A sample is therefore shown from the look to the end of its
// step, and is unknown before the look.
package waveform

import (
	"fmt"
	"slices"

	"utfbench/driver"
	"utfbench/transport"
)

// An Excerpt is steps of one vector that follow one another.
type Excerpt struct {
	Vector string // its name
	Where  string // file, line and document that it comes from
	Run    int    // iteration, from 1
	First  int    // index in the vector of the first step here
	Of     int    // steps in the vector
	At     int    // index here of the first divergence; -1 when there is none
	Trace  driver.Trace

	prior *transport.Step // the one before First; nil when there is none
	told  *words          // came with it when it was unpacked; nil where Trace has its tile
}

// How many steps Around takes before and after the divergence.
const (
	Before = 1
	After  = 3
)

// Whole returns an excerpt of a whole vector. It shares the Result's Trace, and its lifetime.
func Whole(r *driver.Result) *Excerpt {
	t := *r.Trace
	e := &Excerpt{Vector: r.Vector.Name, Where: fmt.Sprintf("%s:%d, from %s", r.File, r.Vector.Line, r.Vector.Source),
		Run: r.Iteration, Of: len(t.Steps), At: -1, Trace: t}
	if r.First != nil {
		e.At = r.First.Index
	}
	return e
}

// Around copies the steps around the first divergence, or, if nothing differs, around the last step that was answered.
// The Result has to have a Trace.
func Around(r *driver.Result) *Excerpt {
	e, t := Whole(r), r.Trace
	middle := e.At
	if middle < 0 {
		middle = max(0, len(t.Got)-1)
	}
	from, to := max(0, middle-Before), min(middle+After+1, len(t.Steps))
	e.First = from
	if from > 0 {
		prior := t.Steps[from-1]
		e.prior = &prior
	}
	if e.At >= 0 {
		e.At -= from
	}
	e.Trace = driver.Trace{Tile: t.Tile, Steps: slices.Clone(t.Steps[from:to]), Want: slices.Clone(t.Want[from:to]),
		Got: slices.Clone(t.Got[min(from, len(t.Got)):min(to, len(t.Got))])}
	for _, c := range t.Checks {
		if c.Step >= from && c.Step < to {
			c.Step -= from
			e.Trace.Checks = append(e.Trace.Checks, c)
		}
	}
	return e
}
