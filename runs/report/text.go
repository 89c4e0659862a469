package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// MaxDetailedKinds limits the kinds of failure of which Text shows an example unless it is verbose.
const MaxDetailedKinds = 3

// Text is a Reporter that writes text.
type Text struct {
	Out     io.Writer
	Colour  bool
	Verbose bool // show a line for every vector, and every failure with more of its steps

	run    Run
	suites Suites
	shown  map[FailureKind]bool
	hidden int
	wrong  bool // a wrong clock of the capture was shown
}

// A FailureKind is a class of failures that first diverge in the same operation and on the same lines.
type FailureKind struct {
	out, io       uint8
	does, outcome string
}

// FailureKindOf returns the kind of a FAIL or an ERROR.
func FailureKindOf(r *driver.Result) FailureKind {
	m := r.Divergence()
	if m == nil {
		return FailureKind{outcome: r.Reason}
	}
	return FailureKind{out: m.OutDiff, io: m.IODiff, does: tile.Operation(r.Tile, m.Step)}
}

func (t *Text) show(r *driver.Result) bool {
	kind := FailureKindOf(r)
	if !t.Verbose && (t.shown[kind] || len(t.shown) >= MaxDetailedKinds) {
		return false
	}
	if t.shown == nil {
		t.shown = map[FailureKind]bool{}
	}
	t.shown[kind] = true
	return true
}

func (t *Text) paint(v driver.Verdict, s string) string {
	if !t.Colour {
		return s
	}
	return "\x1b[" + v.Row().Colour + "m" + s + "\x1b[0m"
}

func (t *Text) Start(r Run) error {
	t.run = r
	asked := printable.Count(r.Vectors, "vector") + r.times()
	if c := r.capture(); c != nil {
		asked = c.String()
	}
	of := ""
	if r.ReferenceName == "" && !tile.HasModel(r.Revision) && r.Tile != "" && !strings.Contains(r.Transport, r.Tile) {
		of = " of " + printable.Text(r.Tile)
	}
	_, err := fmt.Fprintf(t.Out, "%s, board %s, compared with %s%s: %s\n", r.Transport, r.Board, r.Reference(), of,
		asked)
	if len(r.Tags) > 0 && err == nil {
		_, err = fmt.Fprintf(t.Out, "  tags: %s\n", r.Tags)
	}
	for _, note := range r.Notes {
		if err == nil {
			_, err = fmt.Fprintf(t.Out, "  %s\n", note)
		}
	}
	return err
}

// times describes the number of iterations if there are several.
func (r *Run) times() string {
	if r.Iterations > 1 {
		return fmt.Sprintf(", %d times", r.Iterations)
	}
	return ""
}

func (t *Text) Result(r *driver.Result) error {
	if c := t.run.capture(); c != nil && r.FirstMismatch != nil {
		return t.wrongClock(c, r)
	}
	t.suites.Add(r)
	bad := r.Verdict.Row().Detailed
	switch {
	case bad && !t.show(r):
		t.hidden++
		return nil
	case !bad && !t.Verbose:
		return nil
	}
	w := bufio.NewWriter(t.Out)
	fmt.Fprintf(w, "%s %s%s\n", t.paint(r.Verdict, fmt.Sprintf("%-7s", r.Verdict)), r.Vector.Name, iteration(r))
	switch {
	case bad:
		t.failure(w, r)
	case r.Reason != "":
		fmt.Fprintf(w, "        %s\n", r.Reason)
	}
	return w.Flush()
}

func (t *Text) wrongClock(c *driver.Capture, r *driver.Result) error {
	if t.wrong {
		return nil
	}
	t.wrong = true
	_, err := fmt.Fprintln(t.Out, strings.Join(explainCapture(c, r), "\n        "))
	return err
}

func iteration(r *driver.Result) string {
	if r.Iteration > 1 {
		return fmt.Sprintf(" (iteration %d)", r.Iteration)
	}
	return ""
}

func (t *Text) failure(w io.Writer, r *driver.Result) {
	v := r.Vector
	fmt.Fprintf(w, "        %s:%d, from %s\n", r.File, v.Line, v.Source)
	m := r.Divergence()
	if m == nil {
		fmt.Fprintf(w, "        %s\n", r.Reason)
		return
	}
	lines := ExplainDivergence(r)
	for i, line := range lines {
		if marks := lines[marksLine]; t.Colour && (i == marksLine-1 || i == marksLine-2) {
			line = t.differing(line, marks, r.Verdict)
		}
		fmt.Fprintf(w, "        %s\n", line)
	}
	if m.FileLine != v.Line {
		fmt.Fprintf(w, "        the vector checks this at %s:%d\n", r.File, m.FileLine)
	}
	if t.Verbose && t.run.Vectors == 1 && r.FirstMismatch != nil && r.Trace != nil {
		walk(w, r)
	}
}

// walkedBefore and walkedAfter are the numbers of steps shown around the divergence of a vector that runs alone.
const walkedBefore, walkedAfter = 20, 5

// walk shows the steps around the divergence of a FAIL, with their samples, and marks where these differ.
func walk(w io.Writer, r *driver.Result) {
	t, at := r.Trace, r.FirstMismatch.Index
	table := printable.NewTable("         ", "step", "want uo", "got uo", "want uio", "got uio", "does")
	for i := max(0, at-walkedBefore); i <= min(at+walkedAfter, len(t.Got)-1); i++ {
		want, got, mark := &t.Want[i], &t.Got[i], "         "
		if t.Differ(i) != 0 {
			mark = "        >"
		}
		table.Row(mark, i+1, tile.Binary(want.Out, want.OutX), tile.Binary(got.Out, got.OutX),
			tile.Binary(want.IO, want.IOX), tile.Binary(got.IO, got.IOX), tile.Describe(r.Tile, t.Steps[i]))
	}
	_ = table.Write(w, "\n")
	if more := len(t.Got) - 1 - at - walkedAfter; more > 0 {
		fmt.Fprintf(w, "        ... and %d more\n", more)
	}
}

// differing colours the characters that have a mark below them.
func (t *Text) differing(line, marks string, v driver.Verdict) string {
	var s strings.Builder
	for i := range len(line) { // ASCII up to the last mark
		if i < len(marks) && marks[i] == '^' {
			s.WriteString(t.paint(v, line[i:i+1]))
		} else {
			s.WriteByte(line[i])
		}
	}
	return s.String()
}

// marksLine is the index of the marks in the lines of ExplainDivergence, below the actual and expected samples.
const marksLine = 4

// ExplainDivergence returns lines that show in bits and words where the chip diverges in a FAIL, or where reference and
// vector disagree. They also count the later differences.
func ExplainDivergence(r *driver.Result) []string {
	m, got, want := r.Divergence(), "got", "want"
	if r.FirstMismatch == nil {
		got = map[string]string{"the Verilog": "Verilog", "the netlist": "netlist"}[r.ReferenceName()]
		got, want = cmp.Or(got, "expected"), "vector"
	}
	lines := append([]string{fmt.Sprintf("step %d of %d: %s", m.Index+1, r.Steps, tile.Describe(r.Tile, m.Step))},
		DrawSamples(r.Tile, m.Step, m.OutDiff, m.IODiff, SampleRow{got, m.Got}, SampleRow{want, m.Want})...)
	lines = append(lines, DescribeDivergence(r))
	if r.SameLines+r.OtherLines > 0 {
		lines = append(lines, fmt.Sprintf("first divergence; %s, %d of them only on these lines",
			printable.Plural(r.SameLines+r.OtherLines, "later step differs", "later steps differ"), r.SameLines))
	}
	if t := r.Trace; t != nil && len(t.Steps) == r.Steps && !slices.Equal(t.Steps, r.Vector.Steps) {
		lines = append(lines, "after it the bench releases uio, so that later levels may be unknown")
	}
	return lines
}

// A SampleRow is a sample with a name.
type SampleRow struct {
	Name   string
	Sample transport.Sample
}

// DrawSamples draws samples of a step, one per line, and marks the bits of uo and uio that differ.
func DrawSamples(t tile.Tile, step transport.Step, outDiff, ioDiff uint8, rows ...SampleRow) (lines []string) {
	lines = []string{"      uo 76543210  uio 76543210"}
	for _, row := range rows {
		s := row.Sample
		lines = append(lines, fmt.Sprintf("%-9s%s      %s  %s", row.Name, tile.Binary(s.Out, s.OutX),
			tile.Binary(s.IO, s.IOX), tile.HighOutputs(t, step.In, s.Out)))
	}
	return append(lines, strings.TrimRight(fmt.Sprintf("         %s      %s", diffMarks(outDiff), diffMarks(ioDiff)),
		" "))
}

// DescribeDivergence describes the wrong lines at the first divergence, in one line, or else the result's reason.
func DescribeDivergence(r *driver.Result) string {
	m := r.FirstMismatch
	if m == nil {
		return r.Reason
	}
	var parts []string
	is := func(bit int, got, unknown, want uint8) {
		parts = append(parts, fmt.Sprintf("%s is %s, not %d", tile.OutputName(r.Tile, m.Step.In, bit),
			level(got, unknown, bit%8), want>>(bit%8)&1))
	}
	both := m.IODiff & m.Got.Contention()
	unknown := transport.Outputs(m.OutDiff&m.Got.OutX) | transport.Outputs(m.IODiff&^both&m.Got.IOX)<<8
	if bits.OnesCount16(uint16(unknown)) <= 2 {
		unknown = 0
	} else {
		parts = append(parts, unknown.String()+" are unknown")
	}
	for i := range 8 {
		if (m.OutDiff&^uint8(unknown))>>i&1 != 0 {
			is(i, m.Got.Out, m.Got.OutX, m.Want.Out)
		}
	}
	if both != 0 {
		parts = append(parts, "bench and chip both drive "+
			strings.Join((transport.Outputs(both)<<8).Names(), ", ")+", where the chip must release it")
	}
	switch {
	case m.IODiff == both:
	case m.Got.IOX|m.Want.IOX != 0, // neither hex digits nor line names can show these bits
		!slices.Equal(tile.BusNames(r.Tile), transport.Lines[transport.UIO:transport.UIO+8]):
		for i := range 8 {
			if (m.IODiff&^both&^uint8(unknown>>8))>>i&1 != 0 {
				is(8+i, m.Got.IO, m.Got.IOX, m.Want.IO)
			}
		}
	default:
		parts = append(parts, fmt.Sprintf("uio is %s, not %s (%s)",
			tile.Hex(m.Got.IO, m.Got.IOX), tile.Hex(m.Want.IO, m.Want.IOX),
			strings.Join((transport.Outputs(m.IODiff)<<8).Names(), ", ")))
	}
	if m.Deduced {
		parts = append(parts, "no state at power-up explains this after the steps before")
	}
	if m.X != 0 { // a simulator treats an unknown condition as false
		parts = append(parts, "the simulator's X on "+m.X.String()+" may be the cause: --simulator verilator has no X")
	}
	return strings.Join(parts, "; ")
}

func level(b, unknown uint8, i int) string {
	if unknown>>i&1 != 0 {
		return "unknown"
	}
	return string('0' + rune(b>>i&1))
}

// diffMarks returns a line with a mark below each bit that differs.
func diffMarks(diff uint8) string {
	return strings.NewReplacer("0", " ", "1", "^").Replace(fmt.Sprintf("%08b", diff))
}
