package driver

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"utfbench/tile"
	"utfbench/transport"
)

// A Rate is a failure rate: wrong steps among all steps.
type Rate struct {
	Wrong int `json:"wrong"`
	Steps int `json:"steps"`
}

// Value returns the observed rate; 0 without steps.
func (r Rate) Value() float64 { return float64(r.Wrong) / float64(max(1, r.Steps)) }

// Interval returns the 95 % interval.
func (r Rate) Interval() (low, high float64) { return Wilson(r.Wrong, r.Steps) }

// Repetitions returns how often to repeat the steps so that an error of this rate appears with 99 % probability, at the
// low end of the interval; at most 1000.
func (r Rate) Repetitions() int {
	if r.Wrong == r.Steps { // always wrong, or never run
		return 1
	}
	low, _ := r.Interval()
	return int(min(1000, math.Ceil(math.Log(0.01)/math.Log1p(-low))))
}

func (r Rate) add(o Rate) Rate { return Rate{r.Wrong + o.Wrong, r.Steps + o.Steps} }
func (r Rate) sub(o Rate) Rate { return Rate{r.Wrong - o.Wrong, r.Steps - o.Steps} }

// A LineRate counts how often one line was the first wrong one, with the circumstances.
type LineRate struct {
	Name string `json:"line"`
	Rate
	Circumstances []Circumstance `json:"circumstances,omitempty"` // a drift, then the most significant first
}

// A Circumstance is a property of steps that correlates with a line's failures.
type Circumstance struct {
	Name    string `json:"name"`
	With    Rate   `json:"with"`
	Without Rate   `json:"without"`
}

// A Correlation correlates intermittent failures with the circumstances of their steps: a line has to rise, its
// neighbours moved, the bus was just turned around. A circumstance goes with the failures of a line if the line is
// significantly more often wrong under it: the 99.9 % interval of the rate with it lies above the interval without it.
// A drift compares the halves of the iterations alike. Only the steps up to the first divergence of an execution count,
// since later ones may be its consequence. The zero value is ready.
type Correlation struct {
	tile  tile.Tile // of the last result
	lines [16]struct {
		steps, wrong [states]int
		stateless    Rate // at steps without a known level before them, such as the first
		iterations   []Rate
	} // uo, then uio
	executions []int                            // by iteration
	pins       [8]struct{ steps, wrong [3]int } // of ui: steady, rose, fell
}

// A state describes a line at a step: its edge, how many neighbours moved, and whether the bus was just turned around.
const (
	edges      = 4 // stays low, rises, falls, stays high: bit 1 is the level before, bit 0 the level now
	neighbours = 3 // none, one, both
	turns      = 2
	states     = edges * neighbours * turns
)

var edgeNames = [edges]string{"has to stay low", "has to rise", "has to fall", "has to stay high"}

// Add counts the steps of an execution; without a trace it does nothing.
func (c *Correlation) Add(r *Result) {
	t := r.Trace
	if t == nil {
		return
	}
	c.tile = t.Tile
	iteration := max(1, r.Iteration) - 1
	for len(c.executions) <= iteration {
		c.executions = append(c.executions, 0)
		for i := range c.lines {
			c.lines[i].iterations = append(c.lines[i].iterations, Rate{})
		}
	}
	c.executions[iteration]++
	last := lineState{unknown: ^transport.Outputs(0)}
	for i := range t.Got {
		s, want := t.Steps[i], t.Want[i]
		now := lineState{level: want.Levels(), unknown: want.Unknown(), wrong: t.Differ(i), ui: s.In,
			bus: t.Tile.Drives(s)}
		c.count(last, now, iteration)
		if i > 0 {
			c.countPins(last.ui, now)
		}
		if now.wrong != 0 {
			return
		}
		last = now
	}
}

// A lineState holds the levels of the lines at the end of a step.
type lineState struct {
	level, unknown, wrong transport.Outputs
	ui                    uint8
	bus                   uint8 // uio lines that the chip drives
}

func (c *Correlation) count(last, now lineState, iteration int) {
	moved := last.level ^ now.level
	turn := 0
	if last.bus != now.bus {
		turn = 1
	}
	for i := range c.lines {
		wrong := int(now.wrong >> i & 1)
		l := &c.lines[i]
		if now.unknown>>i&1 != 0 {
			continue
		}
		l.iterations[iteration] = l.iterations[iteration].add(Rate{wrong, 1})
		if last.unknown>>i&1 != 0 {
			l.stateless = l.stateless.add(Rate{wrong, 1})
			continue
		}
		edge := int(last.level>>i&1)<<1 | int(now.level>>i&1)
		near := 0
		if i&7 > 0 {
			near += int(moved >> (i - 1) & 1)
		}
		if i&7 < 7 {
			near += int(moved >> (i + 1) & 1)
		}
		state := (edge*neighbours+near)*turns + turn
		l.steps[state]++
		l.wrong[state] += wrong
	}
}

func (c *Correlation) countPins(last uint8, now lineState) {
	for i := range c.pins {
		was, is := last>>i&1, now.ui>>i&1
		state := 0
		switch {
		case was < is:
			state = 1
		case was > is:
			state = 2
		}
		c.pins[i].steps[state]++
		if now.wrong != 0 {
			c.pins[i].wrong[state]++
		}
	}
}

// Lines returns the lines that diverged first, most frequent first.
func (c *Correlation) Lines() (all []LineRate) {
	for i := range c.lines {
		all = append(all, c.line(i))
	}
	all = slices.DeleteFunc(all, func(l LineRate) bool { return l.Wrong == 0 })
	slices.SortStableFunc(all, func(a, b LineRate) int { return cmp.Compare(b.Wrong, a.Wrong) })
	return all
}

func (c *Correlation) line(i int) LineRate {
	at := transport.UO + i
	bus := transport.Buses[at/8]
	l := LineRate{Name: transport.Lines[at], Rate: c.rate(i, func(int) bool { return true })}
	for e, text := range edgeNames {
		l.consider(text, c.rate(i, func(state int) bool { return state/turns/neighbours == e }))
	}
	l.consider("a neighbour on "+bus+" moves", c.rate(i, func(state int) bool { return state/turns%neighbours > 0 }))
	l.consider("no neighbour on "+bus+" moves", c.rate(i, func(state int) bool { return state/turns%neighbours == 0 }))
	l.consider("first step after a turn-around", c.rate(i, func(state int) bool { return state%turns == 1 }))
	l.consider("not after a turn-around", c.rate(i, func(state int) bool { return state%turns == 0 }))
	slices.SortStableFunc(l.Circumstances, func(a, b Circumstance) int { return cmp.Compare(b.lift(), a.lift()) })
	l.Circumstances = append(c.drift(i), l.Circumstances...)
	l.Rate = l.add(c.lines[i].stateless)
	return l
}

// drift returns the half of the iterations in which a line failed more often, if one does. The middle one and
// interrupted ones do not count.
func (c *Correlation) drift(line int) []Circumstance {
	var whole []Rate
	for i, r := range c.lines[line].iterations {
		if c.executions[i] == c.executions[0] {
			whole = append(whole, r)
		}
	}
	var early, late Rate
	for i := range len(whole) / 2 {
		early, late = early.add(whole[i]), late.add(whole[len(whole)-1-i])
	}
	switch {
	case late.exceeds(early):
		return []Circumstance{{"drift, in the second half of the iterations", late, early}}
	case early.exceeds(late):
		return []Circumstance{{"drift, in the first half of the iterations", early, late}}
	}
	return nil
}

// rate sums over the selected states.
func (c *Correlation) rate(line int, meant func(state int) bool) (r Rate) {
	l := &c.lines[line]
	for s := range states {
		if meant(s) {
			r = r.add(Rate{l.wrong[s], l.steps[s]})
		}
	}
	return r
}

// Pins returns the circumstances of input pins that correlate with failures on any line.
func (c *Correlation) Pins() (all []Circumstance) {
	l := LineRate{}
	for i := range c.pins {
		p := &c.pins[i]
		l.Rate = Rate{p.wrong[0] + p.wrong[1] + p.wrong[2], p.steps[0] + p.steps[1] + p.steps[2]}
		name := fmt.Sprintf("%s (%s)", transport.Lines[transport.UI+i], tile.InputNames(c.tile)[i])
		l.consider(name+" rises", Rate{p.wrong[1], p.steps[1]})
		l.consider(name+" falls", Rate{p.wrong[2], p.steps[2]})
	}
	slices.SortStableFunc(l.Circumstances, func(a, b Circumstance) int { return cmp.Compare(b.lift(), a.lift()) })
	return l.Circumstances
}

// consider adds a circumstance if it correlates with the failures.
func (l *LineRate) consider(name string, with Rate) {
	without := l.sub(with)
	if with.exceeds(without) {
		l.Circumstances = append(l.Circumstances, Circumstance{name, with, without})
	}
}

// lift returns a lower bound of the factor by which the circumstance raises the failure rate.
func (c Circumstance) lift() float64 {
	low, _ := c.With.Interval()
	_, high := c.Without.Interval()
	return low / high
}
