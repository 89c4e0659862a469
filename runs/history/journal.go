package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
)

// version is the version of the journal's format. It increases when a line changes its meaning; new fields do not
// change it.
const version = 1

// A fact is a line of the journal. The latest fact with a start describes the run.
type fact struct {
	History int           `json:"history,omitempty"` // the version, in the first line
	Run     int           `json:"run,omitempty"`
	End     *report.End   `json:"end,omitempty"`
	Start   *report.Start `json:"start,omitempty"`
}

// seal returns the line with its checksum, which the reader requires.
func (f *fact) seal() ([]byte, error) {
	line, err := seal(f)
	if err != nil {
		return nil, err
	}
	return line, json.Unmarshal(line, new(fact))
}

// A journal is an index of the lines read.
type journal struct {
	info    os.FileInfo // of the file
	size    int64       // of the file
	read    int64       // bytes of complete lines
	lines   int
	runs    []entry // by number
	damaged []int   // line numbers
	last    int     // the highest number
	hidden  int     // damaged lines since, any of which may have had a higher number
	newer   int     // a newer version of the format
	ours    bool    // the file is a history of some format
}

// An entry is the place of a run's latest line.
type entry struct {
	number int
	at     int64
	size   int
	ended  bool // it has an end
}

// errForeign reports a file that never was a journal.
var errForeign = failure.Usagef("it is not a history: give --db another file")

// look reads the lines that were added to a file, and returns the damaged ones among them.
func (j *journal) look(f *os.File, size int64) (damaged []int, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(info, j.info) || size < j.size {
		*j = journal{info: info, ours: signed(f)}
	}
	old := len(j.damaged)
	j.size = size
	if err := j.take(io.NewSectionReader(f, j.read, size-j.read)); err != nil {
		return nil, err
	}
	switch {
	case j.newer > version:
		return nil, failure.Usagef("it has format %d, but this bench reads %d: use the bench that wrote it, or "+
			"give --db another file", j.newer, version)
	case j.last == 0 && j.newer == 0 && size > 0 && !begins(f):
		return nil, errForeign
	}
	return j.damaged[old:], nil
}

// begins reports whether a file begins like a journal, even if it is still short.
func begins(f io.ReaderAt) bool {
	head := make([]byte, len(mark))
	n, _ := f.ReadAt(head, 0) // a read error means no
	return n > 0 && string(head[:n]) == mark[:n]
}

// signed reports whether a file is an older bench's database, by its application ID.
func signed(f io.ReaderAt) bool {
	sign := make([]byte, 4)
	_, err := f.ReadAt(sign, 68)
	return err == nil && string(sign) == "utfb"
}

// take reads complete lines. A line that another bench is writing stays for the next look.
func (j *journal) take(r io.Reader) error {
	return eachLine(r, func(line []byte, bytes int) {
		j.lines++
		j.read += int64(bytes)
		whole := sound(line)
		if len(whole) != bytes-1 { // nothing is sound, or only the end
			j.damaged, j.hidden = append(j.damaged, j.lines), j.hidden+1
		}
		if whole != nil {
			j.add(whole, j.read-1)
		}
	})
}

// add adds a sound line that ends at an offset in the file. Start and end are decoded on demand.
func (j *journal) add(line []byte, end int64) {
	head, begun, ended := cutHead(line)
	f := headOf(head, begun)
	j.newer = max(j.newer, f.History)
	if f.Run > j.last {
		j.last, j.hidden = f.Run, 0
	}
	if begun {
		j.place(entry{f.Run, end - int64(len(line)), len(line), ended})
	}
}

// beforeEnd and beforeStart begin the rest of a line. In JSON a quotation mark within text is escaped.
var beforeEnd, beforeStart = []byte(`,"end":`), []byte(`,"start":`)

// cutHead returns a line's fields before start and end, which are long, and reports whether the line has them.
func cutHead(line []byte) (head []byte, begun, ended bool) {
	digits := beforeNumber
	for digits < len(line) && '0' <= line[digits] && line[digits] <= '9' {
		digits++
	}
	if digits > beforeNumber { // usually no other field is between
		head = line[:digits]
		if ended = bytes.HasPrefix(line[digits:], beforeEnd); ended || bytes.HasPrefix(line[digits:], beforeStart) {
			return head, true, ended
		}
	}
	if head, _, ended = bytes.Cut(line, beforeEnd); !ended {
		head, _, begun = bytes.Cut(line, beforeStart)
	}
	return head, begun || ended, ended
}

// beforeNumber is the length of what precedes the run's number in most lines.
const beforeNumber = len(mark) + len(`12345678","run":`)

// headOf decodes the head of a line, whose rest may have been cut. Usually it is only a number.
func headOf(head []byte, cut bool) fact {
	if number, err := strconv.Atoi(string(head[min(len(head), beforeNumber):])); err == nil {
		return fact{Run: number}
	}
	if cut {
		head = append(slices.Clip(head), '}')
	}
	var f fact
	_ = json.Unmarshal(head, &f) // a sound line is JSON; other fields are a newer bench's
	return f
}

// place stores a run's latest line.
func (j *journal) place(e entry) {
	at, known := j.find(e.number)
	if known {
		j.runs[at] = e
		return
	}
	j.runs = slices.Insert(j.runs, at, e)
}

func (j *journal) find(number int) (at int, known bool) {
	return slices.BinarySearchFunc(j.runs, number, func(e entry, number int) int { return e.number - number })
}

// next returns the number of the next run, according to the journal.
func (j *journal) next() int { return j.last + j.hidden + 1 }

// next returns the number of the next run. It never reuses a recording's number.
func (h *History) next() int {
	number := h.journal.next()
	for recorded(h.path, number) != "" {
		number++
	}
	return number
}

// decode reads a run's line. The run is nil if one of the signs is missing.
func (e entry) decode(from io.ReaderAt, signs [][]byte) (*Run, error) {
	line := make([]byte, e.size)
	if _, err := from.ReadAt(line, e.at); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(signs, func(sign []byte) bool { return !bytes.Contains(line, sign) }) {
		return nil, nil
	}
	var f fact
	if !isSound(line) || json.Unmarshal(line, &f) != nil || f.Start == nil {
		return nil, fmt.Errorf("run %d cannot be read", e.number)
	}
	return &Run{Number: f.Run, Start: *f.Start, End: f.End}, nil
}

// change appends the line that make returns, with the journal read and locked. A lasting line is synced to disk. On
// failure the journal stays unchanged.
func (h *History) change(lasting bool, make func() (*fact, error)) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.writing(func() error {
		f, err := make()
		if err != nil || f == nil {
			return err
		}
		line, err := f.seal()
		if err == nil {
			err = h.journal.append(h.path, line, lasting)
		}
		return h.named(err)
	})
}

// append must be called with the journal locked and read.
func (j *journal) append(path string, line []byte, lasting bool) error {
	if j.size+int64(len(line)) > files.History.Limit {
		return fmt.Errorf("it has reached its limit of %s: give --db another file", files.Size(files.History.Limit))
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if j.size > j.read { // half a line of a bench that died
		line = append([]byte("\n"), line...)
	}
	if _, err = f.WriteAt(line, j.size); err == nil && lasting {
		err = f.Sync()
	}
	if err != nil {
		_ = f.Truncate(j.size) // removes half a line; the first error is reported
	}
	return err
}
