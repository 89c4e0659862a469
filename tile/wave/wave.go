// Package wave converts waveforms to vectors: the activity at the pins of a simulated tile becomes steps with expected
// samples.
//
// vcd.go reads the changes at the tile's ports, cut.go cuts them into steps, calibrate.go chooses the rule under which
// the tile's gates fit, and suite.go writes a file of vectors.
//
// The two rules concern inputs that change exactly when clk rises, as nearly all do. Whether the chip takes the old or
// the new levels depends on the test, and is not visible in the waveform.
package wave

import (
	"fmt"
	"strconv"
	"strings"

	"utfbench/golden"
	"utfbench/transport"
)

// A Rule determines which levels the chip takes of inputs that change with a rising clk.
type Rule int

// The rules: the chip takes the levels before or after the change.
const (
	AfterEdge  Rule = iota // the change comes after the edge, as in a test that waits for edges and then writes
	BeforeEdge             // the change comes before the edge
)

func (r Rule) String() string { return []string{"after", "before"}[r] }

// A Piece is a step of a waveform with the simulation's outputs after it. IO and Drive of the step are the test's
// levels on uio, including lines that the tile may drive.
type Piece struct {
	transport.Step
	Out, IO  golden.Bits
	Undriven uint8 // lines of uio that the simulated tile does not drive
}

// A Wave holds the steps of a waveform, cut by each rule.
type Wave struct {
	Scope    string     // of the tile's ports
	Clocks   int        // rising edges
	Pieces   [2][]Piece // by Rule
	Oddities Oddities

	times [2][]uint64 // by piece: the time in the waveform of its last edge or change of inputs
	unit  string      // of the times
}

// at returns the time of a piece, for messages, in whole nanoseconds if possible.
func (w *Wave) at(r Rule, piece int) string {
	time := w.times[r][piece]
	unit := strings.TrimLeft(w.unit, "0123456789 ")
	factor, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(w.unit, unit)), 10, 32)
	if err != nil || unit == "" {
		return fmt.Sprintf("#%d", time)
	}
	time *= factor
	for _, larger := range []struct{ from, to string }{{"fs", "ps"}, {"ps", "ns"}} {
		if unit == larger.from && time%1000 == 0 {
			time, unit = time/1000, larger.to
		}
	}
	return fmt.Sprintf("%d %s", time, unit)
}

// Oddities counts unusual events in a waveform.
type Oddities struct {
	UnknownChanges   int // changes to an unknown level of an input
	HighChanges      int // changes of inputs while clk is high
	LowChanges       int // changes of inputs while clk is low, except at its falling edge
	IrregularPeriods int // periods of clk that differ from the usual one
	EdgeChanges      int // changes of inputs together with a rising clk, for which the rule matters
	LateEdges        int // 1 if the waveform ends before the outputs have followed the last edge, which is left out
	MergedClocks     int // clocks merged into a step, since neither inputs nor outputs changed
}

// Notes describes the oddities, in sentences.
func (w *Wave) Notes() (all []string) {
	o, clocked := w.Oddities, min(1, w.Clocks) // without a clock, no change comes between edges
	for _, n := range []struct {
		n    int
		text string
	}{
		{o.UnknownChanges, "changes of inputs to an unknown level: %d; there ui is taken for 0, and uio is released"},
		{clocked * o.LowChanges, "changes of inputs after the falling edge: %d; each is a step without a clock"},
		{o.HighChanges, "changes of inputs while clk was high: %d; on the chip they come after it has fallen"},
		{o.IrregularPeriods, "periods of clk that differ from the usual one: %d; edges take no time here"},
		{o.MergedClocks, "clocks merged into a later step, since nothing changed, and not compared: %d"},
	} {
		if n.n > 0 {
			all = append(all, fmt.Sprintf(n.text, n.n))
		}
	}
	if o.LateEdges > 0 {
		all = append(all, "the waveform ends sooner after its last edge or change of inputs than the outputs usually "+
			"take: it is left out")
	}
	return all
}

// fstMagic is the beginning of an FST: a header block of type 0 and 329 bytes (GTKWave's manual, "FST file format").
var fstMagic = []byte{0, 0, 0, 0, 0, 0, 0, 1, 73}
