package golden

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var (
	statusNames   = []string{"READY", "RETRY", "INVALID", "OVERLONG", "NONUNI", "ERROR"}
	propertyNames = []string{"NORMAL", "CONTROL", "SURROGATE", "HIGHCHAR", "PRIVATE", "NONCHAR"}
	endNames      = []string{"UEOF", "BEOF"}
	pinNames      = []string{"/ROUT", "ERRS", "CHK", "CBE", "READ", "/CIO", "/UIO", "/BIO", "rst_n"}
)

// operation adds one line to the vector.
func (p *parser) operation(word, rest string) error {
	op := Op{Line: p.line}
	var err error
	switch word {
	case "unicode", "revision":
		return p.attribute(word, rest)
	case "reset", "rewind":
		if op.Kind = Reset; word == "rewind" {
			op.Kind = Rewind
		}
		if rest != "" {
			err = fmt.Errorf("%s takes nothing after it, but there is %q", word, rest)
		}
	case "set":
		err = op.parseSet(rest)
	case "clock":
		err = op.parseClock(rest)
	case "write":
		err = op.parseWrite(rest, p.bigEndian())
	case "read":
		err = op.parseRead(rest, p.bigEndian())
	case "status":
		op.Kind, op.Page, op.Mask = Look, Status, 0x3F
		op.Levels, err = parseFlags(rest, statusNames)
	case "props":
		op.Kind, op.Page, op.Mask = Look, Properties, 0x3F
		op.Levels, err = parseFlags(rest, propertyNames)
	case "eof":
		op.Kind, op.Mask = Look, 0xC0
		op.Levels, err = parseFlags(rest, endNames)
		op.Levels <<= 6
	case "uo":
		op.Kind, op.Mask = Look, 0xFF
		op.Levels, err = parseByte(rest)
	case "bus":
		op.Kind = Bus
		op.Levels, err = parseByte(rest)
	case "step":
		op.Kind = Raw
		op.Step, err = parseStep(rest)
	default:
		return fmt.Errorf("unknown operation %q: allowed are reset, rewind, set, clock, write, status, props, eof, uo, bus, read and step", word)
	}
	if err != nil {
		return err
	}
	if len(p.vector.Ops) == mostOps {
		return fmt.Errorf("vector %q has more than %d operations", p.vector.Name, mostOps)
	}
	p.vector.Ops = append(p.vector.Ops, op)
	return nil
}

func (p *parser) attribute(word, value string) (err error) {
	if len(p.vector.Ops) > 1 {
		return fmt.Errorf("%s comes before the operations", word)
	}
	if word == "unicode" {
		p.vector.Unicode, err = parseWellFormed(value)
		return err
	}
	if value != "tt08" && value != "tt09" {
		return fmt.Errorf("unknown revision %q: allowed are tt08 and tt09", value)
	}
	p.vector.Revision = value
	return nil
}

// bigEndian is the level of CBE that the operations so far have left.
func (p *parser) bigEndian() bool {
	for _, op := range slices.Backward(p.vector.Ops) {
		if op.Kind == Set && op.Mask&cbePin != 0 {
			return op.Levels&cbePin != 0
		}
	}
	return true
}

func parseWellFormed(s string) (WellFormed, error) {
	for _, w := range []WellFormed{Well, Ill} {
		if w.String() == s {
			return w, nil
		}
	}
	return 0, fmt.Errorf("unicode: %q is neither well-formed nor ill-formed", s)
}

// parseFlags reads names in their order; "-" is none of them.
func parseFlags(s string, names []string) (flags uint16, err error) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return 0, fmt.Errorf("no flags: say '-' when all are low")
	}
	if s == "-" {
		return 0, nil
	}
	last := -1
	for _, w := range words {
		i := slices.Index(names, w)
		if i < 0 {
			return 0, fmt.Errorf("unknown flag %q: allowed are %s, or '-'", w, strings.Join(names, " "))
		}
		if i <= last {
			return 0, fmt.Errorf("%q out of order: the order is %s", w, strings.Join(names, " "))
		}
		last = i
		flags |= 1 << i
	}
	return flags, nil
}

// parseHex reads exactly n upper-case hexadecimal digits.
func parseHex(s string, n int) (uint32, error) {
	u, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != n || s != strings.ToUpper(s) || s[0] == '+' {
		return 0, fmt.Errorf("%q is not %d upper-case hexadecimal digits", s, n)
	}
	return uint32(u), nil
}

func parseByte(s string) (uint16, error) {
	b, err := parseHex(s, 2)
	return uint16(b), err
}

func parseForm(s string) (Form, error) {
	for _, f := range Forms {
		if f.String() == s {
			return f, nil
		}
	}
	return 0, fmt.Errorf("unknown form %q: allowed are utf32, utf16 and utf8", s)
}

// items turns bytes, units and words into the bytes that go over the bus.
func items(f Form, words []string, bigEndian bool) ([]byte, error) {
	var out []byte
	for _, w := range words {
		n := len(w)
		if n != 2 && !(n == 4 && f == UTF16) && !(n == 8 && f == UTF32) {
			return nil, fmt.Errorf("%q does not belong into %s: a byte has 2 digits, a UTF-16 unit 4, a UTF-32 word 8", w, f)
		}
		u, err := parseHex(w, n)
		if err != nil {
			return nil, err
		}
		for i := range n / 2 {
			shift := 8 * i
			if bigEndian {
				shift = 8 * (n/2 - 1 - i)
			}
			out = append(out, byte(u>>shift))
		}
	}
	return out, nil
}

func (op *Op) parseSet(rest string) error {
	op.Kind = Set
	for _, w := range strings.Fields(rest) {
		name, level, _ := strings.Cut(w, "=")
		i := slices.Index(pinNames, name)
		if i < 0 || level != "0" && level != "1" {
			return fmt.Errorf("%q is not PIN=0 or PIN=1; the pins are %s", w, strings.Join(pinNames, " "))
		}
		bit := uint16(1) << i
		if op.Mask&bit != 0 {
			return fmt.Errorf("%s is set twice", name)
		}
		op.Mask |= bit
		if level == "1" {
			op.Levels |= bit
		}
	}
	if op.Mask == 0 {
		return fmt.Errorf("set without PIN=LEVEL")
	}
	return nil
}

func (op *Op) parseClock(rest string) error {
	op.Kind, op.N = Clock, 1
	for i, w := range strings.Fields(rest) {
		if data, ok := strings.CutPrefix(w, "data="); ok && op.Data == nil {
			b, err := parseByte(data)
			if err != nil {
				return err
			}
			op.Data = []byte{byte(b)}
			continue
		}
		n, err := strconv.ParseUint(w, 10, 8)
		if err != nil || n == 0 || i > 0 {
			return fmt.Errorf("%q: say clock [N] [data=XX], N from 1 to 255", w)
		}
		op.N = uint8(n)
	}
	return nil
}

func (op *Op) parseWrite(rest string, bigEndian bool) (err error) {
	op.Kind = Write
	form, list, _ := strings.Cut(rest, " ")
	if op.Form, err = parseForm(form); err != nil {
		return err
	}
	words := strings.Fields(list)
	if len(words) == 0 {
		return fmt.Errorf("write without data")
	}
	for _, w := range words {
		if err := op.writeItem(w, bigEndian); err != nil {
			return err
		}
	}
	return nil
}

func (op *Op) writeItem(w string, bigEndian bool) error {
	item, uo, expects := strings.Cut(w, "=")
	data, err := items(op.Form, []string{item}, bigEndian)
	if err != nil {
		return err
	}
	op.Data = append(op.Data, data...)
	if !expects {
		if op.Want != nil {
			op.Want = append(op.Want, slices.Repeat([]int16{-1}, len(data))...)
		}
		return nil
	}
	want, err := parseByte(uo)
	if err != nil {
		return err
	}
	for len(op.Want) < len(op.Data)-1 {
		op.Want = append(op.Want, -1)
	}
	if op.Want = append(op.Want, int16(want)); len(data) != 1 {
		return fmt.Errorf("%q: uo can be checked after a byte, not in the middle of a word", w)
	}
	return nil
}

func (op *Op) parseRead(rest string, bigEndian bool) (err error) {
	op.Kind = Read
	form, list, _ := strings.Cut(rest, " ")
	if op.Form, err = parseForm(form); err != nil {
		return err
	}
	words := strings.Fields(list)
	if n := len(words); n > 0 && words[n-1] == "past" {
		op.Past, words = true, words[:n-1]
	}
	if n := len(words); n > 0 && words[n-1] == "end" {
		op.End, words = true, words[:n-1]
	}
	if len(words) == 0 && !op.End && !op.Past {
		return fmt.Errorf("read without data: say what has to come, or end")
	}
	op.Data, err = items(op.Form, words, bigEndian)
	return err
}
