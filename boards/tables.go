package boards

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The fields of the tables.
var (
	shuttleFields = []string{"shuttle", "name", "pdk", "rom"}
	designFields  = []string{"shuttle", "number", "design", "clock_hz", "danger", "repo", "commit"}
)

// rows reads a file of rows with tab-separated fields.
type rows struct {
	file, rest string
	line       int
	row        []string // fields, which share the file's memory
	err        error    // reason why next stopped
}

// open checks a file's first line, which names its fields.
func open(file, text string, fields ...string) *rows {
	t := &rows{file: file, rest: text, row: make([]string, len(fields))}
	switch head := strings.Join(fields, "\t"); {
	case !strings.HasPrefix(text, head+"\n"):
		t.err = fmt.Errorf("%s:1: the head is not %q", file, head)
	case !strings.HasSuffix(text, "\n"):
		t.err = fmt.Errorf("%s:%d: the last line has no end: was the file cut short?", file,
			strings.Count(text, "\n")+1)
	default:
		t.next()
	}
	return t
}

func (t *rows) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", t.file, t.line, fmt.Sprintf(format, args...))
}

// next reads a row. It reports false after the last row or an error.
func (t *rows) next() bool {
	if t.rest == "" || t.err != nil {
		return false
	}
	t.line++
	var line string
	line, t.rest, _ = strings.Cut(t.rest, "\n")
	if strings.Count(line, "\t") != len(t.row)-1 {
		t.err = t.errorf("a row has %d fields with a tab between", len(t.row))
		return false
	}
	for i := range t.row {
		t.row[i], line, _ = strings.Cut(line, "\t")
		if !allOf(t.row[i], isPrintable) {
			t.err = t.errorf("%q: only printable ASCII is allowed", t.row[i])
			return false
		}
	}
	return true
}

func parse(shuttles, designs string) (*Index, error) {
	x := &Index{designs: make([]Design, 0, strings.Count(designs, "\n"))}
	if err := x.parseShuttles(shuttles); err != nil {
		return nil, err
	}
	if err := x.parseDesigns(designs); err != nil {
		return nil, err
	}
	return x, nil
}

func (x *Index) parseShuttles(text string) error {
	t := open("shuttles.tsv", text, shuttleFields...)
	for t.next() {
		s := Shuttle{Name: t.row[0], Title: t.row[1], PDK: t.row[2], ROM: t.row[3]}
		switch {
		case s.Name == "" || s.Title == "" || s.PDK == "":
			return t.errorf("a shuttle has a name, a title and a PDK")
		case x.Shuttle(s.Name) != nil:
			return t.errorf("the shuttle %s comes twice", s.Name)
		case s.ROM != "" && s.ROMName() == "":
			return t.errorf("the ROM %q has no shuttle=NAME", s.ROM)
		case s.ROM == "" && s.Selectable():
			return t.errorf("%s has a mux, and no ROM", s.Name)
		}
		x.shuttles = append(x.shuttles, s)
	}
	return t.err
}

// parseDesigns assigns the designs, which are grouped by shuttle, to their shuttles.
func (x *Index) parseDesigns(text string) error {
	t := open("designs.tsv", text, designFields...)
	var s *Shuttle // of the current design
	for left := x.shuttles; t.next(); {
		d, err := t.design()
		if err != nil {
			return err
		}
		if s == nil || d.Shuttle != s.Name {
			if len(left) == 0 || d.Shuttle != left[0].Name {
				return t.errorf("the shuttle %q does not come next: shuttles are in the order of shuttles.tsv",
					d.Shuttle)
			}
			s, left = &left[0], left[1:]
		}
		if n := len(s.designs); n > 0 && !s.designs[n-1].before(&d) {
			return t.errorf("%d %s does not come here: designs are by number, then name, and none comes twice",
				d.Number, d.Name)
		}
		x.designs = append(x.designs, d)
		end := len(x.designs)
		s.designs = x.designs[end-len(s.designs)-1 : end : end]
	}
	for i := range x.shuttles {
		if t.err == nil && x.shuttles[i].designs == nil {
			return fmt.Errorf("designs.tsv: the shuttle %s has no design", x.shuttles[i].Name)
		}
	}
	return t.err
}

func (d *Design) before(e *Design) bool {
	return d.Number < e.Number || d.Number == e.Number && d.Name < e.Name
}

func (t *rows) design() (d Design, err error) {
	d = Design{Shuttle: t.row[0], Name: t.row[2], Danger: t.row[4], Repo: t.row[5], Commit: t.row[6]}
	if d.Number, err = strconv.Atoi(t.row[1]); err != nil || d.Number < 0 || d.Number > MaxNumber {
		return d, t.errorf("%q is no number from 0 to %d", t.row[1], MaxNumber)
	}
	if d.Clock, err = strconv.Atoi(t.row[3]); err != nil || d.Clock < 0 {
		return d, t.errorf("%q is no frequency in Hz", t.row[3])
	}
	switch {
	case !allOf(d.Name, isWord) || d.Name == "":
		return d, t.errorf("%q is no name of a module", d.Name)
	case d.Danger != "" && d.Danger != "medium" && d.Danger != "high":
		return d, t.errorf("%q is no danger level: allowed are medium, high, and nothing", d.Danger)
	case d.Commit != "" && (len(d.Commit) != 10 || !allOf(d.Commit, isHex)):
		return d, t.errorf("%q is not the first ten digits of a commit", d.Commit)
	}
	return d, nil
}

func allOf(s string, allowed func(byte) bool) bool {
	return !slices.ContainsFunc([]byte(s), func(b byte) bool { return !allowed(b) })
}

func isPrintable(b byte) bool { return ' ' <= b && b <= '~' }

func isHex(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' }

func isWord(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_'
}
