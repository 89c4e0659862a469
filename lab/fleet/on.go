package fleet

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/transport/lab"
)

// A Kind is what boards must have in common to share a job. Its text form is an On.
type Kind struct {
	Transport string // at the board's host, such as rp2040
	Design    string // of the chip's identity; may be empty
	Revision  string // of the reference
}

// KindOf returns the kind of an open chip.
func KindOf(c *station.Chip) Kind { return Kind{c.Asked.Kind, c.Asked.Design, c.Tile.Revision()} }

func (k Kind) String() string {
	var all []string
	for i, value := range []string{k.Transport, k.Design, k.own()} {
		if value != "" {
			all = append(all, onKeys[3+i]+"="+value)
		}
	}
	return strings.Join(all, ",")
}

// own returns the board's own revision, which of a mock is the one that it models.
func (k Kind) own() string {
	if k.Transport == report.Mock {
		return k.Design
	}
	return k.Revision
}

// among returns what distinguishes a kind from others.
func (k Kind) among(others map[Kind][]string) (short Kind) {
	for o := range others {
		if o.Transport != k.Transport {
			short.Transport = k.Transport
		}
		if o.Design != k.Design {
			short.Design = k.Design
		}
		if o.Revision != k.Revision {
			short.Revision = k.Revision
		}
	}
	return short
}

// An On selects boards that match all conditions. The zero value selects all.
type On struct {
	text  string
	wants []want
}

// A want is one condition.
type want struct {
	key, pattern string
	not          bool
}

// onKeys are the keys of conditions. The last two require an open board.
var onKeys = []string{"board", "host", "note", "kind", "design", "rev"}

// ParseOn parses comma-separated conditions: KEY=PATTERN, KEY!=PATTERN, or a bare PATTERN for a board's name. Patterns
// follow path.Match; one for a note matches a word of it. The error lists the allowed keys.
func ParseOn(text string) (On, error) {
	on := On{text: text}
	if text == "" {
		return on, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		key, pattern, is := strings.Cut(strings.TrimSpace(part), "=")
		if !is {
			key, pattern = "board", key
		}
		w := want{pattern: pattern}
		w.key, w.not = strings.CutSuffix(key, "!")
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" || !slices.Contains(onKeys, w.key) {
			return On{}, failure.Usagef("--on %q: %q is not a condition: has to be KEY=PATTERN or KEY!=PATTERN with "+
				"KEY one of %s, such as rev=tt09 or board!=pi1/bad; commas separate several", text, part,
				strings.Join(onKeys, ", "))
		}
		on.wants = append(on.wants, w)
	}
	return on, nil
}

// fits reports whether a key's values are selected.
func (o On) fits(key string, values ...string) bool {
	for _, w := range o.wants {
		if w.key != key {
			continue
		}
		is := slices.ContainsFunc(values, func(v string) bool {
			ok, _ := path.Match(w.pattern, v) // ParseOn has checked the pattern
			return ok
		})
		if is == w.not {
			return false
		}
	}
	return true
}

// OfChips reports whether open chips are selected among the boards.
func (o On) OfChips() bool {
	return slices.ContainsFunc(o.wants, func(w want) bool { return slices.Contains(onKeys[4:], w.key) })
}

// Boards returns the names, HOST/BOARD, of the boards that may be selected, as far as known without opening them.
func (o On) Boards(l *lab.List) (names []string) {
	for i := range l.Boards {
		b := &l.Boards[i]
		if o.fits("board", b.Name, b.String()) && o.fits("host", b.Host) && o.fits("kind", b.Kind) &&
			o.fits("note", strings.FieldsFunc(b.Note, betweenWords)...) {
			names = append(names, b.String())
		}
	}
	return names
}

// betweenWords reports whether a character separates the words of a note.
func betweenWords(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }

// mostListed is the maximum number of boards in a message.
const mostListed = 6

// Nobody returns an error if no board of a lab is selected.
func (o On) Nobody(l *lab.List) error {
	if len(l.Boards) == 0 {
		return failure.Usagef("the lab has no boards: a machine offers its own by bench lab join INVITE")
	}
	var all, words []string
	for i := range l.Boards {
		b := &l.Boards[i]
		all, words = append(all, b.String()), append(words, b.String(), b.Name)
	}
	hint, more := failure.Hint(o.text[strings.LastIndex(o.text, "=")+1:], words), ""
	switch {
	case hint != "":
		all, more = nil, "; bench lab boards lists them"
	case len(all) > mostListed:
		all, more = all[:mostListed], fmt.Sprintf(" and %d more: bench lab boards", len(all)-mostListed)
	}
	if all != nil {
		hint = ": there are " + strings.Join(all, ", ")
	}
	return failure.Usagef("--on %s: no board of the lab matches%s%s", cmp.Or(o.text, `""`), hint, more)
}

// Unmet returns an error if no open board is selected.
func (o On) Unmet() error {
	return failure.Usagef("--on %s: no board that could be opened matches", o.text)
}

// Wants reports whether a kind is selected.
func (o On) Wants(k Kind) bool { return o.fits("design", k.Design) && o.fits("rev", k.own()) }
