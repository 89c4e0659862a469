package utf

import (
	"slices"
	"strings"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/transport"
)

// Dialect is the dialect of the chip's vectors, with the data sheet's procedures as operations. Expectations come
// from the file, never from the model.
var Dialect golden.Dialect = dialect{}

type dialect struct{}

func (dialect) Revisions() []string { return []string{"tt08", "tt09"} }

// The classes of a vector: whether Unicode considers the written bytes well-formed, independently of the chip.
const (
	ClassWellFormed = "well-formed"
	ClassIllFormed  = "ill-formed"
)

func (dialect) Classes() (string, []string) {
	return "unicode", []string{ClassWellFormed, ClassIllFormed}
}

func (dialect) BeginVector(line int) golden.Writer { return begin(line) }

// writer builds a vector's steps and checkpoints from its operations.
type writer struct {
	procedures
	line int // of the operation
}

type procedures = Sequence

// usual is the number of steps that suffices for most vectors.
const usual = 64

func begin(line int) *writer {
	w := &writer{procedures: *NewSequence(), line: line}
	w.Steps, w.Checks = make([]transport.Step, 0, usual), make([]golden.Check, 0, usual)
	w.Reset()
	return w
}

func (w *writer) Sequence() *golden.Sequence { return &w.procedures.Sequence }

// formNames holds the names of forms in files, by form.
var formNames = [...]string{UTF32: "utf32", UTF16: "utf16", UTF8: "utf8"}

func parseForm(s string) (Form, error) {
	for _, f := range Forms {
		if formNames[f] == s {
			return f, nil
		}
	}
	return 0, failure.Usagef("unknown form %q: allowed are utf32, utf16 and utf8", s)
}

// items converts bytes, units and words to the bytes on the bus.
func items(f Form, words []string, bigEndian bool) ([]byte, error) {
	var out []byte
	for _, w := range words {
		n := len(w)
		if n != 2 && !(n == 4 && f == UTF16) && !(n == 8 && f == UTF32) {
			return nil, failure.Usagef("%q does not belong into %s: a byte has 2 digits, a UTF-16 unit 4, a UTF-32 "+
				"word 8", w, formNames[f])
		}
		u, err := golden.ParseHex(w, n)
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

// Names of the bits of uo.
var (
	statusNames   = []string{"READY", "RETRY", "INVALID", "OVERLONG", "NONUNI", "ERROR"}
	propertyNames = []string{"NORMAL", "CONTROL", "SURROGATE", "HIGHCHAR", "PRIVATE", "NONCHAR"}
	endNames      = []string{"UEOF", "BEOF"}
)

// parseFlags parses flags, which must be in the order of names; "-" means none.
func parseFlags(s string, names []string) (flags uint8, err error) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return 0, failure.Usagef("no flags: say '-' when all are low")
	}
	if s == "-" {
		return 0, nil
	}
	last := -1
	for _, w := range words {
		i := slices.Index(names, w)
		if i < 0 {
			return 0, failure.Usagef("unknown flag %q: allowed are %s, or '-'", w, strings.Join(names, " "))
		}
		if i <= last {
			return 0, failure.Usagef("%q out of order: the order is %s", w, strings.Join(names, " "))
		}
		last = i
		flags |= 1 << i
	}
	return flags, nil
}
