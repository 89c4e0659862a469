// Package measurement reads what was measured of a chip's times, so that it can be kept, listed and drawn.
//
// # Words
//
//   - A measurement is a shmoo or a timing, as the JSON document that bench shmoo --json or bench timing --json writes.
//     Whoever keeps one keeps the document as it is; what is shown comes from the values that are read of it.
//   - Its kind is shmoo or timing, which its fields say.
package measurement

import (
	"bytes"
	"encoding/json"
	"time"

	"utfbench/cause/shmoo"
	"utfbench/cause/timing"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/internal/tags"
)

// Kinds of measurements.
const (
	Shmoo  = "shmoo"
	Timing = "timing"
)

// About is the line of a measurement in a list.
type About struct {
	Kind      string    `json:"kind"`
	Made      time.Time `json:"made,omitzero"` // zero in older files
	Transport string    `json:"transport"`
	Board     string    `json:"board"`
	Device    string    `json:"device,omitempty"`
	Tile      string    `json:"tile,omitempty"`
	Revision  string    `json:"revision"`
	Tags      tags.Set  `json:"tags,omitempty"`
	Bench     string    `json:"bench"`
	Words     string    `json:"words"` // what it shows, in a line
}

// A Measurement is one that was read: one of Shmoo and Timing is not nil.
type Measurement struct {
	About
	Shmoo  *shmoo.Grid
	Timing *timing.Report
}

// mostAbout limits About as JSON, in bytes; a bench writes some hundred.
const mostAbout = 16 << 10

// Read parses a foreign document of either kind. The error says why it is none.
func Read(text []byte) (*Measurement, error) {
	m, err := read(text)
	if err != nil {
		return nil, err
	}
	if !printable.Whole(text) || printable.Lines(string(text)) != string(text) {
		return nil, failure.Usagef("it has texts in it that are not printable")
	}
	if y := m.Made.Year(); !m.Made.IsZero() && (y < 1970 || y > 9998) {
		return nil, failure.Usagef("it was made in the year %d", y)
	}
	about, err := json.Marshal(m.About)
	if err != nil {
		return nil, err
	}
	if len(about) > mostAbout {
		return nil, failure.Usagef("it describes its target in %d bytes: at most %d are allowed",
			len(about), mostAbout)
	}
	return m, nil
}

// read tells the kinds apart by the fields that one has and the other has not.
func read(text []byte) (*Measurement, error) {
	var has struct {
		Cells json.RawMessage `json:"cells"`
		Tick  json.RawMessage `json:"tick_ns"`
	}
	_ = json.Unmarshal(text, &has) // what is no JSON has neither
	switch {
	case has.Cells != nil:
		g, err := shmoo.ReadJSON(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		return &Measurement{About: aboutShmoo(g), Shmoo: g}, nil
	case has.Tick != nil:
		r, err := timing.ReadJSON(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		if r.Period == 0 || r.Own == 0 {
			return nil, failure.Usagef("it says no period at which the chip passes")
		}
		return &Measurement{About: aboutTiming(r), Timing: r}, nil
	}
	return nil, failure.Usagef("it is neither what bench shmoo --json writes nor what bench timing --json writes")
}

func aboutShmoo(g *shmoo.Grid) About {
	a := &g.About
	return About{Kind: Shmoo, Made: a.Made.UTC(), Transport: a.Transport, Board: a.Board, Device: a.Device,
		Tile: a.Tile, Revision: a.Revision, Tags: a.Tags, Bench: a.Bench, Words: g.Summary()}
}

func aboutTiming(r *timing.Report) About {
	words := ""
	for i, s := range r.Summary()[:3] {
		if i > 0 {
			words += ", "
		}
		words += s.What + " " + s.Value
	}
	return About{Kind: Timing, Made: r.Made.UTC(), Transport: r.Transport, Board: r.Board, Device: r.Device,
		Tile: r.Tile, Revision: r.Revision, Bench: r.Bench, Words: words}
}
