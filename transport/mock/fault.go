package mock

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"utfbench/transport"
)

// A Fault is something wrong with a wire or a register bit. As text:
//
//	uo3=stuck1        a line, or a register bit, stuck at 0 or 1
//	uio5=open         a line that is cut: the far end floats (is unknown); open:keep holds the level that its own side
//	                  drove last, 0 at first; open:random or open:random:SEED has a new level at each step; open:low and
//	                  open:high are as in silicon, where the chip's end is one of the two and the bench's end floats
//	ui2=inverted      the far end sees the other level
//	uo2=flip:1e-4     the far end sees the other level in a step with this probability; flip:1e-4:SEED has its own seed
//	uio0=late         the bench sees what the chip drove one step before; uo and uio only
//	ui3=setup:40ns    the chip's first clock edge in a step sees the level before, when levels settle for less than this time;
//	                  ui, uio and rst_n only
//	fmax=25MHz        a clock edge is lost when half a pulse is shorter than half of this frequency's period; as with setup,
//	                  chance decides for times from nine tenths of the limit up to it
//	uio0<>uio1        two lines swapped
//	ui5~ui6=and       two lines bridged; a low wins with and, a high with or
//
// Lines are ui0..ui7, uo0..uo7, uio0..uio7, clk and rst_n; register bits v0..v31 (the value), d0..d7 (the data register),
// n0..n2 (UTF-32 bytes taken), c0..c2, b0..b2 and u0..u2 (read positions in UTF-32, UTF-8, UTF-16), retry and written.
type Fault struct {
	Kind    Kind
	A, B    int // line numbers, or for Register faults the bit in A
	High    bool
	Loose   Loose
	P       float64
	Seed    uint64
	HasSeed bool
	Time    time.Duration // Setup: to settle; Slow: half a pulse
}

// A Kind is what is wrong.
type Kind uint8

const (
	Stuck     Kind = iota
	Register       // a register bit stuck
	Cut            // open
	Inverted       //
	Flip           //
	Late           //
	Swapped        //
	BridgeAnd      //
	BridgeOr       //
	Setup          // a line that needs time to settle
	Slow           // fmax
)

// Loose is what the far end of a cut line shows.
type Loose uint8

const (
	Float  Loose = iota // neither 0 nor 1
	Keep                // what its own side drove last
	Random              // either, new at each step
	Low                 // low at the chip's end; the bench's floats
	High                // high at the chip's end; the bench's floats
)

// Syntax is one line that says how faults are written.
const Syntax = "LINE=stuck0|stuck1|open[:low|:high|:keep|:random[:SEED]]|inverted|late|flip:P[:SEED], LINE<>LINE, LINE=setup:TIME, LINE~LINE=and|or, fmax=FREQUENCY, " +
	"BIT=stuck0|stuck1; lines ui0-7 uo0-7 uio0-7 clk rst_n; bits v0-31 d0-7 n0-2 c0-2 b0-2 u0-2 retry written"

// Numbers of lines.
const (
	lineUI  = transport.UI
	lineUO  = transport.UO
	lineUIO = transport.UIO
	lineClk = transport.Clk
	lineRst = transport.RstN
)

// Lines names the 26 lines by number.
var Lines = transport.Lines

// RegisterBits names the 54 register bits by number; see pack.
var RegisterBits = names(group{"v", 32}, group{"d", 8}, group{"n", 3}, group{"c", 3}, group{"b", 3}, group{"u", 3},
	group{"retry", 0}, group{"written", 0})

type group struct {
	name string
	n    int // 0 for a name without a number
}

func names(groups ...group) (all []string) {
	for _, g := range groups {
		if g.n == 0 {
			all = append(all, g.name)
		}
		for i := range g.n {
			all = append(all, g.name+strconv.Itoa(i))
		}
	}
	return all
}

func index(all []string, name string) (int, bool) {
	for i, n := range all {
		if n == name {
			return i, true
		}
	}
	return 0, false
}

// ParseFault reads a fault; the error says what is allowed.
func ParseFault(s string) (Fault, error) {
	f, err := parseFault(s)
	if err != nil {
		return Fault{}, fmt.Errorf("fault %q: %w; allowed: %s", s, err, Syntax)
	}
	return f, nil
}

func parseFault(s string) (Fault, error) {
	if a, b, ok := strings.Cut(s, "<>"); ok {
		return pair(Swapped, a, b)
	}
	place, what, ok := strings.Cut(s, "=")
	if !ok {
		return Fault{}, fmt.Errorf("no '='")
	}
	if a, b, ok := strings.Cut(place, "~"); ok {
		switch what {
		case "and":
			return pair(BridgeAnd, a, b)
		case "or":
			return pair(BridgeOr, a, b)
		}
		return Fault{}, fmt.Errorf("a bridge is 'and' or 'or', not %q", what)
	}
	if bit, ok := index(RegisterBits, place); ok {
		if what != "stuck0" && what != "stuck1" {
			return Fault{}, fmt.Errorf("a register bit can be stuck0 or stuck1")
		}
		return Fault{Kind: Register, A: bit, High: what == "stuck1"}, nil
	}
	if place == "fmax" {
		return parseFmax(what)
	}
	line, ok := index(Lines, place)
	if !ok {
		return Fault{}, fmt.Errorf("unknown line or register bit %q", place)
	}
	return onLine(line, what)
}

func onLine(line int, what string) (Fault, error) {
	f := Fault{A: line}
	word, rest, more := strings.Cut(what, ":")
	switch word {
	case "open":
		return f.parseOpen(rest, more)
	case "flip":
		return f.parseFlip(rest)
	case "setup":
		return f.parseSetup(rest)
	}
	if more {
		return f, fmt.Errorf("%q takes nothing after ':'", word)
	}
	switch word {
	case "stuck0", "stuck1":
		f.Kind, f.High = Stuck, word == "stuck1"
	case "inverted":
		f.Kind = Inverted
	case "late":
		if f.Kind = Late; line < lineUO || line >= lineClk {
			return f, fmt.Errorf("late is for outputs, uo and uio")
		}
	default:
		return f, fmt.Errorf("unknown kind %q", word)
	}
	return f, nil
}

func (f Fault) parseOpen(rest string, more bool) (Fault, error) {
	f.Kind = Cut
	mode, seed, seeded := strings.Cut(rest, ":")
	switch {
	case !more:
		return f, nil
	case mode == "keep" && !seeded:
		f.Loose = Keep
		return f, nil
	case mode == "low" && !seeded:
		f.Loose = Low
		return f, nil
	case mode == "high" && !seeded:
		f.Loose = High
		return f, nil
	case mode == "random":
		f.Loose = Random
		return f.parseSeed(seed, seeded)
	}
	return f, fmt.Errorf("open is open, open:low, open:high, open:keep or open:random[:SEED]")
}

func (f Fault) parseFlip(rest string) (_ Fault, err error) {
	f.Kind = Flip
	p, seed, seeded := strings.Cut(rest, ":")
	if f.P, err = strconv.ParseFloat(p, 64); err != nil || !(f.P > 0 && f.P <= 1) {
		return f, fmt.Errorf("flip takes a probability above 0 and up to 1, not %q", p)
	}
	return f.parseSeed(seed, seeded)
}

func (f Fault) parseSeed(seed string, seeded bool) (_ Fault, err error) {
	if f.HasSeed = seeded; !seeded {
		return f, nil
	}
	if f.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return f, fmt.Errorf("%q is no seed: a whole number from 0", seed)
	}
	return f, nil
}

func pair(kind Kind, a, b string) (Fault, error) {
	i, okA := index(Lines, a)
	j, okB := index(Lines, b)
	switch {
	case !okA:
		return Fault{}, fmt.Errorf("unknown line %q", a)
	case !okB:
		return Fault{}, fmt.Errorf("unknown line %q", b)
	case i == j:
		return Fault{}, fmt.Errorf("%s twice", a)
	}
	return Fault{Kind: kind, A: i, B: j}, nil
}

// String writes a fault as ParseFault reads it.
func (f Fault) String() string {
	level := "0"
	if f.High {
		level = "1"
	}
	switch f.Kind {
	case Register:
		return RegisterBits[f.A] + "=stuck" + level
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
		return [...]string{"open", "open:keep", "open:random" + seed, "open:low", "open:high"}[f.Loose]
	case Inverted:
		return "inverted"
	case Late:
		return "late"
	case Setup:
		return "setup:" + f.Time.String()
	}
	return "flip:" + strconv.FormatFloat(f.P, 'g', -1, 64) + seed
}

// lines are the lines that a fault touches, as a mask.
func (f Fault) lines() uint32 {
	switch f.Kind {
	case Register, Slow:
		return 0
	case Swapped, BridgeAnd, BridgeOr:
		return 1<<f.A | 1<<f.B
	}
	return 1 << f.A
}

// Conflict says which two faults cannot be had together: two on one line, since which comes first is anybody's guess.
func Conflict(faults []Fault) error {
	var taken uint32
	for _, f := range faults {
		if both := taken & f.lines(); both != 0 {
			return fmt.Errorf("fault %q: %s has a fault already; each line can have one", f, Lines[bits.TrailingZeros32(both)])
		}
		taken |= f.lines()
	}
	return nil
}
