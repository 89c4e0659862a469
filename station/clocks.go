package station

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"utfbench/boards"
	"utfbench/transport"

	"utfbench/transport/rp2040"
)

// clocked counts the designs whose stated clock a board reaches.
type clocked struct {
	grid                  transport.Grid
	bursts, slow, missing int
	beyond                map[int]bool // the clocks that are out of reach, in hertz
}

// add counts a design by its clock, in hertz.
func (r *clocked) add(hertz int) {
	took, err := r.grid.Round(transport.AtFrequency(float64(hertz)))
	switch {
	case err == nil && math.Abs(r.grid.Frequency(took)/float64(hertz)-1) <= transport.Near:
		r.bursts++
	case float64(hertz) < 1/r.grid.MostPeriod.Seconds():
		r.slow++
	default:
		r.missing++
		r.beyond[hertz] = true
	}
}

// WriteClocks writes how many of the designs' clocks each demo board reaches.
func WriteClocks(w io.Writer, designs []boards.Design) error {
	stated := slices.DeleteFunc(slices.Clone(designs), func(d boards.Design) bool { return d.Clock == 0 })
	fmt.Fprintf(w, "%d of %d designs state a clock. By the datasheets, within %g %%:\n\n", len(stated), len(designs),
		100*transport.Near)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "board\tsystem clock\thighest\tif the bus turns\tin bursts\tslower, step by step\tout of reach")
	for _, b := range boards.All() {
		if b.Mux == nil {
			continue
		}
		r := clocked{beyond: map[int]bool{}}
		pins, _, err := b.GPIO()
		if err == nil {
			r.grid, err = rp2040.Times(pins)
		}
		if err != nil {
			return err
		}
		for i := range stated {
			r.add(stated[i].Clock)
		}
		r.write(table, b.Name, len(stated))
	}
	return table.Flush()
}

// write writes the row of a board.
func (r *clocked) write(w io.Writer, board string, stated int) {
	hertz := func(f float64) string { return transport.Frequency(f, 4) }
	of := func(n int) string { return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(1, stated))) }
	fast := r.grid.Fastest()
	fmt.Fprintf(w, "%s\t%s to %s\t%s\t%s\t%s\t%s\t%s", board, hertz(float64(slices.Min(r.grid.Clocks))),
		hertz(float64(fast.Clock)), hertz(fast.Frequency(transport.Timing{Period: fast.Shortest()})),
		hertz(fast.Frequency(transport.Timing{Period: fast.LeastPeriod})), of(r.bursts), of(r.slow), of(r.missing))
	var beyond []string
	for _, f := range slices.Sorted(maps.Keys(r.beyond)) {
		beyond = append(beyond, hertz(float64(f)))
	}
	if len(beyond) > 0 {
		fmt.Fprintf(w, ": %s", strings.Join(beyond, ", "))
	}
	fmt.Fprintln(w)
}
