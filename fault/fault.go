package fault

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/internal/failure"
)

// A Fault is a fault of a wire or a register bit. Its text is one of:
//
//	uo3=stuck1        a line, or a register bit, stuck at 0 or 1
//	uio5=open         a line that is cut: the far end floats (is unknown); open:keep holds the level that its own
//	                  side drove last, 0 at first; open:random or open:random:SEED has a new level at each step;
//	                  open:low and open:high are as in silicon: the chip's end has this level and the bench's end
//	                  floats
//	ui2=inverted      the far end gets the other level
//	uo2=flip:1e-4     the far end gets the other level in a step with this probability; flip:1e-4:SEED has its own
//	                  seed
//	uio0=late         the bench gets the chip's level of the step before; uo and uio only
//	ui3=setup:40ns    the chip's first clock edge in a step gets the previous level if levels settle for less than
//	                  this time; ui, uio and rst_n only
//	ui3=hold:30ns     the chip's last clock edge in a step of a burst gets the level of the next step if that comes
//	                  sooner than this after the edge, as where clk is late at the chip; ui and rst_n only
//	uo3=delay:25ns    the bench gets the chip's level this much later; delay:25ns:2ns varies randomly by up to 2 ns in
//	                  both directions; uo and uio only
//	fmax=25MHz        a clock pulse is lost if its high or low time is shorter than half of this frequency's period;
//	                  as with setup and hold, the loss is random from nine tenths of the limit up to it
//	uio0<>uio1        two lines swapped
//	ui5~ui6=and       two lines bridged; a low wins with and, a high with or
//
// Lines are ui0..ui7, uo0..uo7, uio0..uio7, clk and rst_n. Each chip defines its register bits: see Bits.
type Fault struct {
	Kind        Kind
	A, B        int    // numbers of lines
	Bit         string // Register: its name
	High        bool
	End         OpenEnd
	Probability float64
	Seed        uint64
	HasSeed     bool
	Time        time.Duration // Setup: to settle; Hold: to stay; Slow: period of clk; Delay
	Jitter      time.Duration // Delay: variation in both directions
}

// A Kind is a kind of fault.
type Kind uint8

const (
	Stuck     Kind = iota // a line stuck at a level
	Register              // a stuck register bit
	Cut                   // a line that is cut
	Inverted              // the far end gets the other level
	Flip                  // the far end gets the other level at random
	Late                  // the level of the step before
	Swapped               // two lines swapped
	BridgeAnd             // two lines bridged; a low wins
	BridgeOr              // two lines bridged; a high wins
	Setup                 // a line that needs time to settle
	Hold                  // a line that must stay for a time after the edge
	Delay                 // a line that shows the chip's level late
	Slow                  // a chip with a maximum frequency of clk
)

// OpenEnd is the level at the far end of a cut line.
type OpenEnd uint8

const (
	Float  OpenEnd = iota // neither 0 nor 1
	Keep                  // the last level that its own side drove
	Random                // a random level in each step
	Low                   // low at the chip's end; the bench's floats
	High                  // high at the chip's end; the bench's floats
)

// String formats a fault in the syntax of BitNames.Parse.
func (f Fault) String() string {
	level := "0"
	if f.High {
		level = "1"
	}
	switch f.Kind {
	case Register:
		return f.Bit + "=stuck" + level
	case Swapped:
		return Lines[f.A] + "<>" + Lines[f.B]
	case BridgeAnd:
		return Lines[f.A] + "~" + Lines[f.B] + "=and"
	case BridgeOr:
		return Lines[f.A] + "~" + Lines[f.B] + "=or"
	case Slow:
		return "fmax=" + f.frequency()
	}
	return Lines[f.A] + "=" + f.what(level)
}

func (f Fault) what(level string) string {
	seed := ""
	if f.HasSeed {
		seed = ":" + strconv.FormatUint(f.Seed, 10)
	}
	switch f.Kind {
	case Stuck:
		return "stuck" + level
	case Cut:
		return [...]string{"open", "open:keep", "open:random" + seed, "open:low", "open:high"}[f.End]
	case Inverted:
		return "inverted"
	case Late:
		return "late"
	case Setup:
		return "setup:" + f.Time.String()
	case Hold:
		return "hold:" + f.Time.String()
	case Delay:
		if f.Jitter > 0 {
			return "delay:" + f.Time.String() + ":" + f.Jitter.String()
		}
		return "delay:" + f.Time.String()
	}
	return "flip:" + strconv.FormatFloat(f.Probability, 'g', -1, 64) + seed
}

func (f Fault) lines() uint32 {
	switch f.Kind {
	case Register, Slow:
		return 0
	case Swapped, BridgeAnd, BridgeOr:
		return 1<<f.A | 1<<f.B
	}
	return 1 << f.A
}

// CheckConflict returns an error if two faults affect one line, since it is undefined which acts first.
func CheckConflict(faults []Fault) error {
	var taken uint32
	for _, f := range faults {
		if both := taken & f.lines(); both != 0 {
			return failure.Usagef("fault %q: %s has a fault already; each line can have one", f,
				Lines[bits.TrailingZeros32(both)])
		}
		taken |= f.lines()
	}
	return nil
}

// dependsOnSeed reports whether the fault acts at random and does not have its own seed.
func (f Fault) dependsOnSeed() bool {
	switch f.Kind {
	case Setup, Hold, Slow:
		return true
	case Delay:
		return f.Jitter > 0
	case Flip:
		return !f.HasSeed
	case Cut:
		return f.End == Random && !f.HasSeed
	}
	return false
}

// DependOnSeed reports whether any of the faults depends on the seed.
func DependOnSeed(faults []Fault) bool { return slices.ContainsFunc(faults, Fault.dependsOnSeed) }

// Describe formats faults on one line, with the seed if they depend on it. Equal texts mean equal behaviour.
func Describe(faults []Fault, seed uint64) string {
	var words []string
	for _, f := range faults {
		words = append(words, f.String())
	}
	if DependOnSeed(faults) {
		words = append(words, fmt.Sprintf("%s%d", ofSeed, seed))
	}
	return strings.Join(words, " ")
}

// ofSeed precedes the seed in the text of Describe.
const ofSeed = "seed "

// CutSeed splits a result of Describe into faults and seed, which is "" if the faults do not depend on it.
func CutSeed(text string) (faults, seed string) {
	faults, seed, _ = strings.Cut(text, " "+ofSeed)
	return faults, seed
}
