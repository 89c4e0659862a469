package cells

import (
	"encoding/csv"
	"io"
	"strconv"

	"utfbench/internal/document"
	"utfbench/netlist"
	"utfbench/netlist/stuckat"
	"utfbench/tile"
)

// A Report is the coverage of a chip's cells by vectors; docs/formats.md describes its fields. Faults are at cell pins,
// of one model; classes group equivalent ones.
type Report struct {
	document.Head
	Tile      string  `json:"tile"`
	Revision  string  `json:"revision,omitempty"`
	Module    string  `json:"module"`
	Model     Model   `json:"model"`
	Cells     int     `json:"cells"`
	FlipFlops int     `json:"flip_flops"`
	All       Counts  `json:"all"`        // faults that there are
	Untest    Counts  `json:"untestable"` // of these, proved that no vector finds them
	Open      Counts  `json:"open"`       // neither found nor proved untestable
	Suites    []Suite `json:"suites"`
	Total     Suite   `json:"total"` // all suites together
	Faults    []Fault `json:"not_found"`
	Die       *Die    `json:"die,omitempty"` // if there was a layout

	perCell perCell
	open    []stuckat.Class
}

// Counts are how many classes, and how many faults in them.
type Counts struct {
	Classes int `json:"classes"`
	Faults  int `json:"faults"`
}

func (c *Counts) add(class stuckat.Class) {
	c.Classes++
	c.Faults += len(class)
}

// A Suite is what vectors find.
type Suite struct {
	Name    string `json:"name"`
	Vectors int    `json:"vectors"`
	Steps   int    `json:"steps"`
	Found   Counts `json:"found"`
}

// A Fault is one that was not found. Class numbers the classes from 1.
type Fault struct {
	Class      int    `json:"class"`
	Cell       string `json:"cell"`
	Type       string `json:"type"`
	Pin        string `json:"pin"`
	What       string `json:"fault"` // stuck at 0, slow to rise
	Untestable bool   `json:"untestable"`
	Contends   bool   `json:"contends,omitempty"` // a chip with it drives lines of uio that the bench drives
}

// String names the fault.
func (f *Fault) String() string { return f.Cell + "/" + f.Pin + " " + f.What }

func newReport(t tile.Tile, n *netlist.Netlist, vectors []stuckat.Vector, classes []stuckat.Class,
	findings []stuckat.Finding, never []bool) *Report {
	r := &Report{Head: document.NewHead(""), Tile: t.Name(), Revision: t.Revision(), Module: n.Top, Cells: n.Cells,
		FlipFlops: len(n.Flops), Total: Suite{Name: "all"}, Suites: []Suite{}, Faults: []Fault{},
		perCell: perCell{}}
	at := map[string]int{}
	for i, name := range stuckat.Suites(vectors) {
		at[name] = i
		r.Suites = append(r.Suites, Suite{Name: name})
	}
	for _, v := range vectors {
		for _, s := range []*Suite{&r.Suites[at[v.Suite]], &r.Total} {
			s.Vectors++
			s.Steps += len(v.Steps)
		}
	}
	for i, class := range classes {
		r.count(class, &findings[i], never[i])
		r.perCell.add(class, &findings[i], never[i])
		if !findings[i].Anywhere() {
			r.list(i, class, &findings[i], never[i])
		}
	}
	return r
}

func (r *Report) count(class stuckat.Class, f *stuckat.Finding, never bool) {
	r.All.add(class)
	for k := range r.Suites {
		if f.In(k) {
			r.Suites[k].Found.add(class)
		}
	}
	switch {
	case f.Anywhere():
		r.Total.Found.add(class)
	case never:
		r.Untest.add(class)
	default:
		r.Open.add(class)
		r.open = append(r.open, class)
	}
}

func (r *Report) list(i int, class stuckat.Class, finding *stuckat.Finding, never bool) {
	for _, f := range class {
		r.Faults = append(r.Faults, Fault{Class: i + 1, Cell: f.Cell, Type: f.Type, Pin: f.Pin, What: f.What(),
			Untestable: never, Contends: finding.Contends})
	}
}

// JSON writes the report for programs.
func (r *Report) JSON(w io.Writer) error {
	return document.Write(w, r)
}

// CSV writes a row for each fault that was not found.
func (r *Report) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"class", "cell", "type", "pin", "fault", "untestable", "contends"}}
	for _, f := range r.Faults {
		rows = append(rows, []string{strconv.Itoa(f.Class), f.Cell, f.Type, f.Pin, f.What,
			strconv.FormatBool(f.Untestable), strconv.FormatBool(f.Contends)})
	}
	return c.WriteAll(rows)
}

// Left returns the open classes of a report that was measured, not read.
func (r *Report) Left() []stuckat.Class { return r.open }
