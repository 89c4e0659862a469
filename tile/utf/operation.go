package utf

import (
	"slices"
	"strconv"
	"strings"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/model"
)

// pinNames lists the pins that a vector sets by name: ui[7:0], then rst_n.
var pinNames = slices.Concat(inNames, []string{"rst_n"})

const resetPin = 8 // index in pinNames

func (w *writer) Operation(word, rest string, line int) error {
	w.line = line
	switch word {
	case "reset", "rewind":
		return w.bare(word, rest)
	case "set":
		return w.set(rest)
	case "clock":
		return w.clock(rest)
	case "write":
		return w.write(rest)
	case "read":
		return w.read(rest)
	case "status", "props", "eof":
		return w.flags(word, rest)
	case "uo", "bus":
		return w.level(word, rest)
	}
	return failure.Usagef("unknown operation %q: allowed are reset, rewind, set, clock, write, status, props, eof, "+
		"uo, bus, read and step", word)
}

// uo adds a checkpoint of bits of uo after the last step; bus adds a checkpoint of a byte on uio.
func (w *writer) uo(mask, level uint8) {
	w.Expect(golden.Bits{Mask: mask, Level: level}, golden.Bits{}, w.line)
}
func (w *writer) bus(b uint8) { w.Expect(golden.Bits{}, golden.Bits{Mask: 0xFF, Level: b}, w.line) }

func (w *writer) bare(word, rest string) error {
	switch {
	case rest != "":
		return failure.Usagef("%s takes nothing after it, but there is %q", word, rest)
	case word == "reset":
		w.Reset()
	default:
		w.Rewind()
	}
	return nil
}

func (w *writer) set(rest string) error {
	var mask, levels uint16
	for _, word := range strings.Fields(rest) {
		name, level, _ := strings.Cut(word, "=")
		i := slices.Index(pinNames, name)
		if i < 0 || level != "0" && level != "1" {
			return failure.Usagef("%q is not PIN=0 or PIN=1; the pins are %s", word, strings.Join(pinNames, " "))
		}
		bit := uint16(1) << i
		if mask&bit != 0 {
			return failure.Usagef("%s is set twice", name)
		}
		mask |= bit
		if level == "1" {
			levels |= bit
		}
	}
	if mask == 0 {
		return failure.Usagef("set without PIN=LEVEL")
	}
	if mask>>resetPin != 0 {
		w.HoldReset(levels>>resetPin == 0)
	}
	w.Set(uint8(mask), uint8(levels))
	return nil
}

func (w *writer) clock(rest string) error {
	n, data := uint8(1), []byte(nil)
	for i, word := range strings.Fields(rest) {
		if hex, ok := strings.CutPrefix(word, "data="); ok && data == nil {
			b, err := golden.ParseByte(hex)
			if err != nil {
				return err
			}
			data = []byte{b}
			continue
		}
		u, err := strconv.ParseUint(word, 10, 8)
		if err != nil || u == 0 || i > 0 {
			return failure.Usagef("%q: say clock [N] [data=XX], N from 1 to 255", word)
		}
		n = uint8(u)
	}
	w.Clock(n, data...)
	return nil
}

func (w *writer) write(rest string) error {
	name, list, _ := strings.Cut(rest, " ")
	form, err := parseForm(name)
	if err != nil {
		return err
	}
	words := strings.Fields(list)
	if len(words) == 0 {
		return failure.Usagef("write without data")
	}
	for _, word := range words {
		if err := w.item(form, word); err != nil {
			return err
		}
	}
	return nil
}

// item writes an ITEM, or a BYTE=UO, which also gives the expected uo after the byte.
func (w *writer) item(form Form, word string) error {
	text, uo, expects := strings.Cut(word, "=")
	data, err := items(form, []string{text}, w.BigEndian())
	if err != nil {
		return err
	}
	w.Write(form, data...)
	if !expects {
		return nil
	}
	want, err := golden.ParseByte(uo)
	if err != nil {
		return err
	}
	if len(data) != 1 {
		return failure.Usagef("%q: uo can be checked after a byte, not in the middle of a word", word)
	}
	w.uo(0xFF, want)
	return nil
}

func (w *writer) read(rest string) error {
	name, list, _ := strings.Cut(rest, " ")
	form, err := parseForm(name)
	if err != nil {
		return err
	}
	words := strings.Fields(list)
	var end, past bool
	if n := len(words); n > 0 && words[n-1] == "past" {
		past, words = true, words[:n-1]
	}
	if n := len(words); n > 0 && words[n-1] == "end" {
		end, words = true, words[:n-1]
	}
	if len(words) == 0 && !end && !past {
		return failure.Usagef("read without data: add the expected byte, or end")
	}
	data, err := items(form, words, w.BigEndian())
	if err == nil {
		w.bytes(form, data, end, past)
	}
	return err
}

// ends holds the pins that signal the end of a form.
var ends = [...]uint8{UTF32: 0, UTF16: model.UEOF, UTF8: model.BEOF}

// bytes reads and checks each byte, and the form's EOF pin before and after it. If end is set, it checks that no byte
// follows data; if past is set, that a further read gives 00.
func (w *writer) bytes(form Form, data []byte, end, past bool) {
	pin := ends[form]
	left := func(n int) uint8 { // n bytes remain
		if n > 0 || !end && !past {
			return 0
		}
		return pin
	}
	if pin != 0 {
		w.ShowData()
		w.uo(pin, left(len(data)))
	}
	read := func(b uint8, more int) {
		w.Read(form, 1)
		w.Expect(golden.Bits{Mask: pin, Level: left(more)}, golden.Bits{Mask: 0xFF, Level: b}, w.line)
	}
	for i, b := range data {
		read(b, len(data)-1-i)
	}
	if past {
		read(0, 0)
	}
}

func (w *writer) flags(word, rest string) error {
	names := map[string][]string{"status": statusNames, "props": propertyNames, "eof": endNames}[word]
	flags, err := parseFlags(rest, names)
	if err != nil {
		return err
	}
	switch word {
	case "status":
		w.status(flags)
	case "props":
		w.properties(flags)
	default:
		w.Settle()
		w.uo(model.UEOF|model.BEOF, flags*model.UEOF)
	}
	return nil
}

// page masks uo[5:0].
const page = 0x3F

func (w *writer) status(flags uint8) {
	w.ShowStatus()
	w.uo(page, flags)
}

func (w *writer) properties(flags uint8) {
	w.ShowProperties()
	w.uo(page, flags)
}

func (w *writer) level(word, rest string) error {
	b, err := golden.ParseByte(rest)
	if err != nil {
		return err
	}
	w.Settle()
	if word == "uo" {
		w.uo(0xFF, b)
	} else {
		w.bus(b)
	}
	return nil
}
