package survey

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/plan"
	"utfbench/tile/pack"
)

// A Head identifies a file of results: a survey resumes only with an equal one.
type Head struct {
	document.Head
	Event string `json:"event"` // survey
	Pack  string `json:"pack_sha256"`
	Steps int    `json:"random"`
	Seed  uint64 `json:"seed"`
	Chip  string `json:"transport"`
	Under string `json:"conditions,omitempty"` // flags of the target that set speed and waits
}

// Under returns the flags among a target's words that set speed and waits.
func Under(words []string) string {
	text := ""
	for _, flag := range []string{"--at", "--sample", "--lead", "--settle", "--pulse"} {
		if value := plan.ValueOf(flag, words); value != "" {
			text += " " + flag + " " + value
		}
	}
	return strings.TrimSpace(text)
}

// event is the first member of a line.
const surveyed = "survey"

// A line of the file after the head.
type rowLine struct {
	Event string `json:"event"` // design
	Row
}

// A Writer writes results, a line each, so that a killed survey can resume.
type Writer struct{ to *json.Encoder }

// NewWriter writes the head.
func NewWriter(w io.Writer, h Head) (*Writer, error) {
	h.Event = surveyed
	to := json.NewEncoder(w)
	return &Writer{to}, to.Encode(h)
}

// Row writes a result.
func (w *Writer) Row(r Row) error { return w.to.Encode(rowLine{"design", r}) }

// Keep begins the file of --json, unless path is "", with the results of the survey that is resumed, and returns a
// function
// that adds one.
func (s *Survey) Keep(out *files.Set, path string, h Head) (add func(Row) error, err error) {
	if path == "" {
		return func(Row) error { return nil }, nil
	}
	file, err := out.Create("--json", path, files.Part)
	if err != nil {
		return nil, err
	}
	w, err := NewWriter(file, h)
	for _, row := range s.Passed {
		if err == nil {
			err = w.Row(row)
		}
	}
	return w.Row, err
}

// Resume takes over the results of an earlier survey. The first design that Run can judge is judged again: that checks
// the wires, and that the chip is the same.
func (s *Survey) Resume(passed map[string]Row, want func(*pack.Design) bool) {
	s.Passed = passed
	for i := range s.Pack.Designs {
		if d := &s.Pack.Designs[i]; want(d) && (s.Insist || !dangerous(d)) {
			delete(s.Passed, d.Name)
			return
		}
	}
}

// mostLine is how long a line may be, in bytes.
const mostLine = 1 << 20

// Read reads the results of a survey with this head: PASS, WEAK and FAIL by design. A truncated last line is ignored.
// The error is bad input.
func Read(path string, now Head) (map[string]Row, error) {
	f, err := files.EventStream.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, mostLine)
	rows := map[string]Row{}
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			if err := now.same(lines.Bytes()); err != nil {
				return nil, failure.Usagef("%s: %w", path, err)
			}
			continue
		}
		var l rowLine
		if err := printable.Decode(lines.Bytes(), &l); err != nil || l.Event != "design" {
			continue // cut short
		}
		if l.earned() {
			rows[l.Design] = l.Row
		}
	}
	if err := lines.Err(); err != nil {
		return nil, failure.Usagef("%s: %w", path, err)
	}
	return rows, nil
}

// earned reports whether a row can be the result of a survey that judged its design. Others are judged again.
func (r *Row) earned() bool {
	if r.Chip == nil || r.Steps == 0 {
		return false
	}
	switch r.Verdict {
	case driver.Pass.String():
		return r.Failed == 0 && r.Compared > 0 && r.Why == "" && r.First == ""
	case driver.Weak.String():
		return r.Failed == 0 && r.Why != ""
	case driver.Fail.String():
		return r.Failed > 0
	}
	return false
}

// same compares a file's head with the survey's.
func (h *Head) same(line []byte) error {
	var was Head
	if err := printable.Decode(line, &was); err != nil || was.Event != surveyed {
		return fmt.Errorf("not what bench shuttle --json writes")
	}
	for _, d := range []struct{ what, was, is string }{{"the pack", was.Pack, h.Pack}, {"the chip", was.Chip, h.Chip},
		{"the list of conditions", was.Under, h.Under},
		{"--random", fmt.Sprint(was.Steps), fmt.Sprint(h.Steps)}, {"--seed", fmt.Sprint(was.Seed),
			fmt.Sprint(h.Seed)}} {
		if d.was != d.is {
			return fmt.Errorf("%s was %q there and is %q here, so that it cannot be continued", d.what, d.was, d.is)
		}
	}
	return nil
}
