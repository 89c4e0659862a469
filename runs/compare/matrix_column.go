package compare

import (
	"fmt"
	"slices"
	"time"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// A Column is the result of one target. It is a report.Reporter.
type Column struct {
	Target  string     // as named by the user
	Run     report.Run // zero if it was not tested
	Steps   int        // applied and judged
	Took    time.Duration
	Applied time.Duration // time in which the transport applied steps
	Err     error         // of a target that could not be opened or tested; Reason has its text
	Reason  string        // why it could not be tested or broke off; else ""
	Stopped bool          // by the user
	Weak    string        // why a run in which everything passed is not PASS; else ""
	Idle    []string      // injected faults that never acted
	First   *Failure      // nil if no vector is FAIL or ERROR
	Number  int           // the run's number in the history, or 0

	failed  bool               // the run ended with FAIL: its ERRORs are the simulator's
	answers map[string]*Answer // by vector
	order   []string           // vectors in order
}

var _ report.Reporter = (*Column)(nil)

func newColumn(target string) *Column {
	return &Column{Target: printable.Text(target), answers: map[string]*Answer{}}
}

// An Answer is the result of a vector on a target.
type Answer struct {
	Verdict driver.Verdict // FLAKY if a recording has both PASS and FAIL
	Step    int            // the first wrong step, from 1, or 0
	Lines   []string       // wrong lines at that step, by the tile's names
	Words   string         // the same in words, or the reason for a missing verdict

	outDiff, ioDiff uint8
	counts          driver.Counts // of its iterations
}

// A Failure is a target's first FAIL, or else its first ERROR.
type Failure struct {
	Vector string
	*Answer
}

// Judged reports whether the vector was judged on the target.
func (a *Answer) Judged() bool {
	return a != nil && (a.Verdict == driver.Pass || a.Verdict >= driver.Flaky && a.Verdict != driver.Wiring)
}

// alike reports whether two results agree, as far as both were judged.
func (a *Answer) alike(b *Answer) bool {
	return !a.Judged() || !b.Judged() ||
		a.Verdict == b.Verdict && a.Step == b.Step && a.outDiff == b.outDiff && a.ioDiff == b.ioDiff
}

// Start implements report.Reporter.
func (c *Column) Start(r report.Run) error {
	c.Run = r
	return nil
}

// Result implements report.Reporter.
func (c *Column) Result(r *driver.Result) error {
	name := r.Vector.Name
	now, before := answer(r), c.answers[name]
	if before == nil {
		c.order = append(c.order, name)
	}
	if before != nil {
		before.merge(now)
	} else {
		c.answers[name] = now
	}
	c.Applied += r.Took
	bad := r.Verdict == driver.Fail || r.Verdict == driver.Error
	if bad && (c.First == nil || c.First.Step == 0 && now.Step > 0) {
		c.First = &Failure{Vector: name, Answer: now}
	}
	return nil
}

// End implements report.Reporter.
func (c *Column) End(o report.Outcome) error {
	c.Idle, c.failed = o.Idle, o.Verdict() == driver.Fail
	c.Steps, c.Stopped, c.Reason = o.Tally.Steps, o.Interrupted, printable.Lines(o.Trouble)
	if o.Verdict() == driver.Weak {
		c.Weak = o.Tally.Weakness()
	}
	return nil
}

// Cut returns why the run ended early or could not begin, or "".
func (c *Column) Cut() string {
	if c.Reason == "" && c.Stopped {
		return "the run was interrupted"
	}
	return c.Reason
}

// Rate returns the steps per second of the transport, or 0.
func (c *Column) Rate() float64 {
	if c.Steps == 0 || c.Applied <= 0 {
		return 0
	}
	return float64(c.Steps) / c.Applied.Seconds()
}

func answer(r *driver.Result) *Answer {
	a := &Answer{Verdict: r.Verdict, Words: printable.Text(r.Reason)}
	a.counts[r.Verdict]++
	if m := r.First; m != nil {
		a.Step, a.Words, a.Lines = m.Index+1, report.Words(r), wrongLines(r)
		a.outDiff, a.ioDiff = m.OutDiff, m.IODiff
	}
	return a
}

// merge adds a further iteration of the vector. The first failure is kept.
func (a *Answer) merge(now *Answer) {
	counts := a.counts
	counts[now.Verdict]++
	if a.Step == 0 && now.Verdict > a.Verdict {
		*a = *now
	}
	a.counts, a.Verdict = counts, counts.Verdict()
}

// wrongLines returns the lines that differ at the first divergence, by the tile's names.
func wrongLines(r *driver.Result) (lines []string) {
	wrong := uint16(r.First.IODiff)<<8 | uint16(r.First.OutDiff)
	for i, name := range slices.Concat(tile.OutNames(r.Tile, r.First.Step.In), tile.BusNames(r.Tile)) {
		line := transport.Lines[transport.UO+i]
		if wrong>>i&1 == 0 {
			continue
		}
		if name != line {
			line += " " + printable.Text(name)
		}
		lines = append(lines, line)
	}
	return lines
}

// mostLines is the maximum number of lines named in a row.
const mostLines = 3

// At describes where a vector first goes wrong, such as "step 812 (uo5 S5)", or returns "".
func (a *Answer) At() string {
	if a.Step == 0 {
		return ""
	}
	return fmt.Sprintf("step %d (%s)", a.Step, printable.Few(a.Lines, mostLines))
}

// Counts returns the number of vectors by verdict.
func (c *Column) Counts() *driver.Counts {
	n := new(driver.Counts)
	for _, a := range c.answers {
		n[a.Verdict]++
	}
	return n
}

// Verdict returns the target's gravest verdict, or ERROR if it could not be tested or broke off.
func (c *Column) Verdict() driver.Verdict {
	var all []driver.Verdict
	if c.Reason != "" {
		all = append(all, driver.Error)
	}
	if c.Stopped {
		all = append(all, driver.Aborted)
	}
	for v, n := range c.Counts() {
		if n > 0 && !(c.failed && driver.Verdict(v) == driver.Error) {
			all = append(all, driver.Verdict(v))
		}
	}
	if c.Weak != "" {
		all = append(all, driver.Weak)
	}
	return driver.Gravest(all...)
}
