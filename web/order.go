package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/runs/plan"
	"utfbench/station"
)

// An Order specifies a chip and vectors. Its fields are the flags of bench run that are useful in a page. The zero
// value selects all vectors on the mock.
type Order struct {
	Transport  string   `json:"transport"` // mock[:REVISION] or rp2040; "" for mock
	Faults     []string `json:"fault"`     // faults to inject into the mock
	Seed       *uint64  `json:"seed"`      // seed of random faults; nil for a random one
	Revision   string   `json:"revision"`
	Design     string   `json:"design"` // design on a demo board, by name or number
	PackDesign string   `json:"packed"` // a design of the loaded pack; "" is the UTF chip
	Insist     bool     `json:"insist"`
	Suites     []string `json:"suite"`
	Match      string   `json:"run"`      // regular expression for the names of vectors
	Count      int      `json:"count"`    // number of iterations; 0 means 1
	Patience   string   `json:"patience"` // timeout for a board's response; "" for the default

	Files []Vectors `json:"files"` // vectors that replace the built-in ones

	Shuttle string `json:"shuttle"` // shuttle in the page's link; a note says if the chip's differs
}

// Vectors is a file of vectors that the user selected.
type Vectors struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ReadOrder parses an order in JSON. An unknown field, perhaps a misspelt one, is an error.
func ReadOrder(text []byte) (*Order, error) {
	var o Order
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		return nil, failure.Usagef("the order of the page cannot be read: %w", err)
	}
	if o.Count < 0 || o.Count > mostCount {
		return nil, failure.Usagef("count %d: allowed are 1 to %d", o.Count, mostCount)
	}
	if d, err := time.ParseDuration(cmp.Or(o.Patience, "1s")); err != nil || d <= 0 {
		return nil, failure.Usagef("patience %q: allowed is a time such as 1m", o.Patience)
	}
	o.Transport, o.Count = cmp.Or(o.Transport, station.Mock().Name), max(o.Count, 1)
	return &o, nil
}

// mostCount limits the memory of a page: a recording of all vectors takes half a megabyte.
const mostCount = 100

// portName is the name of a browser's port in a run. It does not reveal the machine's name for the port.
const portName = "web-serial"

func (o *Order) target() station.Target {
	t := station.NewTarget(o.Transport)
	if o.board() {
		t.Transport = station.RP2040().Name + ":" + portName
	}
	t.Faults, t.Revision, t.Design, t.Insist = o.Faults, o.Revision, o.Design, o.Insist
	t.Kinds = []station.Kind{station.Mock(), station.RP2040()}
	if o.Patience != "" {
		t.Patience, _ = time.ParseDuration(o.Patience) // ReadOrder has checked it
	}
	if o.Seed != nil {
		t.Seed = *o.Seed
	}
	return t
}

func (o *Order) board() bool {
	kind, _, _ := strings.Cut(o.Transport, ":")
	return kind == station.RP2040().Name
}

// plan selects the vectors of the order for a target that Check has approved.
func (o *Order) plan(t *station.Target) (plan.Plan, error) {
	s := plan.Selection{Tile: t.Tile, Suites: o.Suites, Match: o.Match, Seed: t.Seed, ReadFile: o.read}
	for _, f := range o.Files {
		s.Files = append(s.Files, f.Name)
	}
	p, err := s.Plan(o.Count)
	if err == nil && p.Vectors == 0 {
		err = failure.Usagef("no vector is selected: choose another suite, or another pattern of names")
	}
	return p, err
}

func (o *Order) read(name string) ([]byte, error) {
	i := slices.IndexFunc(o.Files, func(f Vectors) bool { return f.Name == name })
	return []byte(o.Files[i].Text), nil
}

// elsewhere returns a note if the chip is from a shuttle other than the order's, else "".
func (o *Order) elsewhere(c *station.Chip) string {
	shuttle, _, _ := strings.Cut(c.Info.ROM, ",")
	if o.Shuttle == "" || !o.board() || slices.Contains([]string{"", o.Shuttle}, shuttle) {
		return ""
	}
	return fmt.Sprintf("the link names the shuttle %s, and the chip's ROM says %s", o.Shuttle, shuttle)
}
