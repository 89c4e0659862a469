package timing

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// A Report holds the measured timing of a chip. Its fields are the JSON document's.
type Report struct {
	files.DocumentHead
	Transport     string    `json:"transport"`
	Board         string    `json:"board"`
	Tile          string    `json:"tile,omitempty"`
	Revision      string    `json:"revision"`          // revision of the reference; "" if the tile has only one
	Device        string    `json:"device,omitempty"`  // identifies the device; "" if it cannot be identified
	HasNoPads     bool      `json:"padless,omitempty"` // the chip is a model or simulation, so no pad limits its clock
	Time          time.Time `json:"made,omitzero"`
	Vectors       int       `json:"vectors"` // number of vectors
	Count         int       `json:"count"`   // number of runs of each vector at each setting
	TriedSettings int       `json:"-"`       // number of tried settings
	Tick          float64   `json:"tick_ns"`
	// shortest period at which all vectors pass, if the lines are sampled before the inputs change
	MinPeriod time.Duration `json:"least_period_ns"`
	// shortest period that set-up and transport allow; a chip that passes at it may be faster
	ShortestPeriod time.Duration `json:"shortest_period_ns,omitempty"`
	// time from a change of the inputs to the edge at these clocks: the set-up, plus a tenth
	Lead time.Duration `json:"lead_ns,omitempty"`
	// shortest period at which all vectors pass, if each line is sampled on arrival
	ChipPeriod      time.Duration `json:"chip_least_period_ns"`
	ChipLimitFound  bool          `json:"chip_limit_found"` // ChipPeriod is the chip's limit, not the transport's
	Setup           time.Duration `json:"setup_ns"`
	Hold            time.Duration `json:"hold_ns"`              // time for which inputs must be stable after the edge
	HoldIsFloor     bool          `json:"hold_floor,omitempty"` // the transport cannot measure a shorter hold
	Lines           []Line        `json:"-"`                    // each output, in the order of the lines
	InputEdges      []InputEdges  `json:"exercised,omitempty"`  // an element for each input
	LimitingVectors []string      `json:"limited_by"`           // vectors that fail one tick below ChipPeriod
}

// A Line is an output with a clock-to-output delay above MinDelay and up to MaxDelay.
type Line struct {
	Name      string        `json:"line"`
	MaxDelay  time.Duration `json:"-"`
	MinDelay  time.Duration `json:"above_ns"`
	Edges     int           `json:"edges"`                     // edges that changed it; 0 if it was not measured
	MinPeriod time.Duration `json:"least_period_ns,omitempty"` // shortest period at which it is right
}

// WriteText formats the report as text.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, board %s, compared with %s: %s, %s at each setting, ticks of %.4g ns",
		r.Transport, r.Board, tile.DescribeReference(r.Revision), printable.Count(r.Vectors, "vector"),
		printable.Count(r.Count, "time"), r.Tick)
	if r.HasNoPads {
		b.WriteString("; no chip was tested")
	}
	b.WriteString("\n\n")
	t := printable.NewTable()
	for _, row := range r.Summary() {
		t.Row(row...)
	}
	_ = t.Write(&b)
	r.writeLines(&b)
	if len(r.LimitingVectors) > 0 {
		more := " fails"
		if n := len(r.LimitingVectors) - 1; n > 0 {
			more = fmt.Sprintf(" and %d more fail", n)
		}
		fmt.Fprintf(&b, "\nWith a sample time per line and a period %.4g ns shorter, %s%s.\n", r.Tick,
			r.LimitingVectors[0], more)
	}
	b.WriteString("\nTimes are measured at the bench's end and include pads, cable and the shuttle's mux.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary returns the rows of a table: values for the whole chip, with their names and meanings.
func (r *Report) Summary() (rows [][]any) {
	period, shorter, own := r.interval(r.MinPeriod), "", "period "+r.interval(r.ChipPeriod)
	if r.MinPeriod <= r.ShortestPeriod {
		period, shorter = r.MinPeriod.String(), "; shorter ones cannot be measured here"
	}
	if !r.ChipLimitFound {
		own = fmt.Sprintf("period %s or less: shorter ones cannot be set here (set-up, transport)", r.ChipPeriod)
	}
	unknown, more := r.unmeasured(), ""
	if len(unknown) > 0 {
		more = fmt.Sprintf(" (%s, unmeasured, may need a longer one)", transport.AbbreviateLines(unknown))
	}
	rows = [][]any{{"highest clock", clock(r.MinPeriod),
		fmt.Sprintf("period %s with --lead %s%s, if outputs are sampled just before the inputs change (the default)"+
			"%s%s", period, r.Lead, more, shorter, r.rating())},
		{"with a sample time per line", clock(r.ChipPeriod), own}}
	if r.exercised() {
		setup := []any{"set-up of the inputs", r.interval(r.Setup), ""}
		if float64(r.Setup) <= math.Ceil(r.Tick) {
			setup = []any{setup[0], r.Setup, atFloor}
		}
		rows = append(rows, setup, []any{"hold of the inputs", r.Hold, r.orLess()})
	}
	if len(unknown) > 0 {
		rows = append(rows, []any{"not measured", "", fmt.Sprintf("%s: fewer than %d clock edges of these vectors "+
			"depend on them", transport.AbbreviateLines(unknown), enough)})
	}
	return rows
}

// interval formats a limit as an interval: the chip passes at the upper end, and fails one tick below.
func (r *Report) interval(passes time.Duration) string {
	return fmt.Sprintf("%s to %s", passes-time.Duration(math.Round(r.Tick)), passes)
}

// atFloor qualifies a time that is the transport's shortest, below which the chip was not tested.
const atFloor = "or less: shorter ones cannot be measured here"

// orLess qualifies the hold, since no hold shorter than the arrival of the last output is measured.
func (r *Report) orLess() string {
	switch {
	case r.HoldIsFloor:
		return atFloor
	case float64(r.Hold-r.latest()) < 2*r.Tick:
		return "or less: inputs do not change before the last output is sampled"
	}
	return "or less"
}

// rating returns a warning if the clock exceeds the rating of the chip's pads.
func (r *Report) rating() string {
	if r.HasNoPads || !(transport.Timing{Period: r.MinPeriod}).ExceedsPads() {
		return ""
	}
	return "; output pads are rated up to 33MHz, so a FAIL above that is not the tile's"
}

// unmeasured returns the names of the inputs that were not exercised often enough.
func (r *Report) unmeasured() (names []string) {
	for _, e := range r.InputEdges {
		if !e.Measured() {
			names = append(names, e.Name)
		}
	}
	return names
}

// exercised reports whether the set-up and hold of at least one input were measured.
func (r *Report) exercised() bool { return slices.ContainsFunc(r.InputEdges, InputEdges.Measured) }

// latest returns the first time at which all lines show the effect of the edge.
func (r *Report) latest() (at time.Duration) {
	for _, l := range r.Lines {
		at = max(at, l.MaxDelay)
	}
	return at
}

// widest is the length of the longest bar, in characters.
const widest = 32

func (r *Report) writeLines(b *strings.Builder) {
	longest := max(1, r.latest(), time.Duration(8*math.Ceil(r.Tick))) // delay of the longest bar, at least 8 ticks
	fmt.Fprintln(b, "\nclock to output")
	t := printable.NewTable()
	var still []string
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.Edges == 0 {
			still = append(still, l.Name)
			continue
		}
		bar := strings.Repeat("#", int(math.Ceil(float64(widest)*float64(l.MaxDelay)/float64(longest))))
		t.Row("  "+l.Name, fmt.Sprintf("%s to %s", l.MinDelay, l.MaxDelay), bar)
	}
	_ = t.Write(b)
	if still != nil {
		fmt.Fprintf(b, "  no edge of these vectors changes %s\n", transport.AbbreviateLines(still))
	}
}

func clock(period time.Duration) string { return transport.FormatFrequency(1e9/float64(period), 4) }

// A reportDocument is a report with the values that are computed from it.
type reportDocument struct {
	Report
	Clock float64        `json:"highest_clock_hz"`
	Lines []lineDocument `json:"lines"`
}

type lineDocument struct {
	Name string         `json:"line"`
	Time *time.Duration `json:"clock_to_output_ns"` // null if the line was not measured
	Line
}

// WriteJSON writes the report as one object.
func (r *Report) WriteJSON(w io.Writer) error {
	d := reportDocument{Report: *r, Lines: []lineDocument{}}
	d.DocumentHead = files.NewDocumentHead(r.Bench)
	d.LimitingVectors = append([]string{}, r.LimitingVectors...)
	d.Clock = 1e9 / float64(r.MinPeriod)
	for _, l := range r.Lines {
		j := lineDocument{Name: l.Name, Line: l}
		if l.Edges > 0 {
			j.Time = &l.MaxDelay
		}
		d.Lines = append(d.Lines, j)
	}
	return files.WriteDocument(w, d)
}
