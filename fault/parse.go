package fault

import (
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/failure"
)

// BitNames names the register bits of a chip by number, at most 64; it is empty if they are unknown.
type BitNames []string

const syntax = "LINE=stuck0|stuck1|inverted|late, LINE=open[:low|:high|:keep|:random[:SEED]], LINE=flip:P[:SEED], " +
	"LINE=setup:TIME, LINE=hold:TIME, LINE=delay:TIME[:JITTER], LINE<>LINE (swapped), LINE~LINE=and|or (shorted), " +
	"fmax=FREQUENCY"

// Syntax describes the syntax of faults in one line.
func (b BitNames) Syntax() string {
	if len(b) == 0 {
		return syntax + "; lines " + ranges(Lines)
	}
	return syntax + ", BIT=stuck0|stuck1; lines " + ranges(Lines) + "; bits " + ranges(b)
}

// Parse parses a fault of a chip with these register bits; the error names the allowed values.
func (b BitNames) Parse(s string) (Fault, error) {
	if strings.HasPrefix(s, "cell:") {
		return Fault{}, failure.Usagef("fault %q: a fault of a cell is for -t netlist:NAME.v, by that file's names", s)
	}
	if strings.Contains(s, ",") {
		return Fault{}, failure.Usagef("fault %q: a list: repeat the flag for each fault; see bench explain fault", s)
	}
	f, err := b.parse(s)
	if err != nil {
		meant, near := s, b.examples()
		place, _, is := strings.Cut(s, "=")
		places := slices.Concat(Lines, b, []string{"fmax"})
		if is && !strings.Contains(place, "~") && failure.Nearest(place, places) == "" {
			near = nil // what follows it resembles a fault of every line
		}
		if lines, swap := strings.CutSuffix(strings.TrimSuffix(s, "ped"), "=swap"); swap {
			meant = strings.Replace(lines, "~", "<>", 1)
		}
		return Fault{}, failure.Usagef("fault %q: %w%s; bench explain fault lists them", s, err,
			failure.DidYouMean(meant, near))
	}
	return f, nil
}

func (b BitNames) parse(s string) (Fault, error) {
	if a, b, ok := strings.Cut(s, "<>"); ok {
		return pair(Swapped, a, b)
	}
	place, what, ok := strings.Cut(s, "=")
	if !ok {
		return Fault{}, failure.Usagef("no '='")
	}
	if a, b, ok := strings.Cut(place, "~"); ok {
		switch what {
		case "and":
			return pair(BridgeAnd, a, b)
		case "or":
			return pair(BridgeOr, a, b)
		}
		return Fault{}, failure.Usagef("a bridge is 'and' or 'or', not %q", what)
	}
	if slices.Contains(b, place) {
		if what != "stuck0" && what != "stuck1" {
			return Fault{}, failure.Usagef("a register bit can be stuck0 or stuck1")
		}
		return Fault{Kind: Register, Bit: place, High: what == "stuck1"}, nil
	}
	if place == "fmax" {
		return parseFmax(what)
	}
	line := slices.Index(Lines, place)
	if line < 0 {
		return Fault{}, failure.Usagef("unknown line or register bit %q", place)
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
	case "hold":
		return f.parseHold(rest)
	case "delay":
		return f.parseDelay(rest)
	}
	switch word {
	case "stuck0", "stuck1":
		f.Kind, f.High = Stuck, word == "stuck1"
	case "inverted":
		f.Kind = Inverted
	case "late":
		if f.Kind = Late; line < UO || line >= Clk {
			return f, failure.Usagef("late is for outputs, uo and uio")
		}
		if more {
			return f, failure.Usagef("late is a whole step late and takes nothing after ':': a time is %s=delay:TIME",
				Lines[line])
		}
	case "short", "bridge", "swap":
		return f, failure.Usagef("unknown kind %q: lines that touch are uo1~uo2=and or =or, swapped ones uo1<>uo2",
			word)
	default:
		return f, failure.Usagef("unknown kind %q", word)
	}
	if more {
		return f, failure.Usagef("%q takes nothing after ':'", word)
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
		f.End = Keep
		return f, nil
	case mode == "low" && !seeded:
		f.End = Low
		return f, nil
	case mode == "high" && !seeded:
		f.End = High
		return f, nil
	case mode == "random":
		f.End = Random
		return f.parseSeed(seed, seeded)
	}
	return f, failure.Usagef("open is open, open:low, open:high, open:keep or open:random[:SEED]")
}

func (f Fault) parseFlip(rest string) (_ Fault, err error) {
	f.Kind = Flip
	p, seed, seeded := strings.Cut(rest, ":")
	if f.Probability, err = strconv.ParseFloat(p, 64); err != nil || !(f.Probability > 0 && f.Probability <= 1) {
		return f, failure.Usagef("flip takes a probability above 0 and up to 1, not %q", p)
	}
	return f.parseSeed(seed, seeded)
}

func (f Fault) parseSeed(seed string, seeded bool) (_ Fault, err error) {
	if f.HasSeed = seeded; !seeded {
		return f, nil
	}
	if f.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return f, failure.Usagef("%q is no seed: a whole number from 0", seed)
	}
	return f, nil
}

func pair(kind Kind, a, b string) (Fault, error) {
	i, j := slices.Index(Lines, a), slices.Index(Lines, b)
	switch {
	case i < 0:
		return Fault{}, failure.Usagef("unknown line %q", a)
	case j < 0:
		return Fault{}, failure.Usagef("unknown line %q", b)
	case i == j:
		return Fault{}, failure.Usagef("%s twice", a)
	}
	return Fault{Kind: kind, A: i, B: j}, nil
}
