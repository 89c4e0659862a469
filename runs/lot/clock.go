package lot

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"utfbench/cause/timing"
	"utfbench/internal/tags"
	"utfbench/transport"
)

// Clock is the highest clock at which a board passes, in hertz; Clock.uo3 is the highest at which the line uo3 is
// right. Package timing calls it the limit, to which pads and cable contribute.
const Clock = "fmax"

// Measures lists the measures of a board; not every board has each.
var Measures = measures()

func measures() []string {
	all := []string{Rate, tags.Celsius, Clock}
	for _, line := range transport.Outputs(1<<16 - 1).Names() {
		all = append(all, Clock+"."+line)
	}
	return all
}

// IsClock reports whether a measure is a highest clock.
func IsClock(measure string) bool { return measure == Clock || strings.HasPrefix(measure, Clock+".") }

// A Timing is a board's speed, or the reason why it is unknown.
type Timing struct {
	Report  *timing.Report // with the clocks; nil if it was not measured
	Why     string         // the reason
	Trouble bool           // the bench failed, rather than such a board having no speed
	Took    time.Duration  // time used on the board
}

func (t *Timing) clock(measure string) (hz float64, known bool) {
	if t == nil || t.Report == nil {
		return 0, false
	}
	if measure == Clock {
		return hertz(t.Report.Period), true
	}
	for _, l := range t.Report.Lines {
		if measure == Clock+"."+l.Name && l.Edges > 0 {
			return hertz(l.Period), true
		}
	}
	return 0, false
}

func hertz(period time.Duration) float64 { return float64(time.Second) / float64(period) }

// timed reports whether limits of clocks apply to a board: not if its kind has no clock.
func (b *Board) timed() bool { return b.Timing != nil && (b.Timing.Report != nil || b.Timing.Trouble) }

// clocks writes the table, with the slowest lines of each board.
func (l *Lot) clocks(w io.Writer) {
	boards := l.Boards
	if l.Golden != nil {
		boards = append([]*Board{l.Golden}, boards...)
	}
	boards = slices.DeleteFunc(slices.Clone(boards), func(b *Board) bool { return b.Timing == nil })
	if len(boards) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "highest clock\tall lines\ttick\tline by line")
	for _, b := range boards {
		r := b.Timing.Report
		if r == nil {
			fmt.Fprintf(t, "%s\t-\t-\tnot measured: %s\n", b.Name, b.Timing.Why)
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%.4g ns\t%s\n", b.Name, atMost(r, r.Period), r.Tick, strings.Join(slowest(r), ", "))
	}
	t.Flush()
}

// atMost formats the clock of a period, with "or more" at the shortest period.
func atMost(r *timing.Report, period time.Duration) string {
	text := transport.Frequency(hertz(period), 4)
	if period <= r.Shortest {
		text += " or more"
	}
	return text
}

// slowest names the lines with their clocks, the slowest first, and the fastest only as "the others".
func slowest(r *timing.Report) (all []string) {
	names := map[time.Duration][]string{}
	var none []string
	for _, l := range r.Lines {
		if l.Edges == 0 {
			none = append(none, l.Name)
			continue
		}
		names[l.Period] = append(names[l.Period], l.Name)
	}
	periods := slices.Sorted(maps.Keys(names))
	slices.Reverse(periods)
	for i, period := range periods {
		who := few(names[period])
		switch {
		case len(periods) == 1:
			who = "all"
		case i == len(periods)-1:
			who = "the others"
		}
		all = append(all, who+" "+atMost(r, period))
	}
	if none != nil {
		all = append(all, "not measured: "+few(none))
	}
	return all
}

// few joins at most four names, and counts the others.
func few(names []string) string {
	const most = 4
	if len(names) <= most {
		return strings.Join(names, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], " "), len(names)-most)
}
