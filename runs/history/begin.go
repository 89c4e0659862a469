package history

import (
	"fmt"
	"os"
	"time"

	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// begin creates the journal from the recordings. A foreign file in its place, which is damaged or an older bench's, is
// set aside.
func (h *History) begin(foreign bool) error {
	aside := ""
	if foreign {
		aside = h.path + ".old-" + time.Now().UTC().Format("20060102T150405.000")
		if err := os.Rename(h.path, aside); err != nil {
			return h.named(err)
		}
	}
	out, err := files.Create(h.path, 0)
	if err != nil {
		return h.named(err)
	}
	defer out.Discard()
	numbers := recordedNumbers(h.path)
	head, _ := seal(fact{History: version}) // a number can be encoded
	out.Write(head)
	for _, number := range numbers {
		line, err := restored(h.path, number).seal()
		if err != nil {
			line, _ = seal(fact{Run: number})
		}
		out.Write(line) // Commit returns the error
	}
	if err := out.Commit(); err != nil {
		return h.named(err)
	}
	switch {
	case foreign:
		h.begun = fmt.Sprintf("the history %s was damaged, or an older bench's, and is now called %s; a new one was "+
			"begun, with %s from recordings", h.path, aside, printable.Count(len(numbers), "run"))
	case len(numbers) > 0:
		h.begun = fmt.Sprintf("the history %s was missing: a new one was begun, with %s from recordings", h.path,
			printable.Count(len(numbers), "run"))
	}
	if h.begun != "" {
		h.note("%s", h.begun)
	}
	return h.look()
}

// lost reports whether the journal seems to have lost lines: some are damaged, or the latest recording is not in it.
func (h *History) lost() bool {
	j := &h.journal
	if len(j.damaged) > h.healed || recorded(h.path, j.next()) != "" {
		return true
	}
	n := len(j.runs)
	return n > 0 && !j.runs[n-1].ended && isWhole(h.path, j.runs[n-1].number)
}

// heal restores the runs that the journal lost from their recordings.
func (h *History) heal() error {
	var lines []byte
	for _, number := range recordedNumbers(h.path) {
		at, known := h.journal.find(number)
		if known && (h.journal.runs[at].ended || !isWhole(h.path, number)) {
			continue
		}
		f := restored(h.path, number)
		if line, err := f.seal(); err == nil && f.Start != nil {
			lines = append(lines, line...)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	if err := h.journal.append(h.path, lines, true); err != nil {
		return h.named(err)
	}
	return h.look()
}

// restored returns a run as recorded: without an end if the recording is incomplete, and only its number if it cannot
// be read.
func restored(path string, number int) *fact {
	f := &fact{Run: number}
	rec, err := report.OpenBrief(recorded(path, number))
	if err != nil {
		return f
	}
	defer rec.Close()
	run, bad, err := runOf(rec)
	if err != nil {
		run = &Run{Start: rec.Start}
		run.trim()
	}
	f.Start, f.End = &run.Start, run.End
	if _, err := os.Stat(vectorsOf(path, number)); err != nil {
		_ = writeVectors(path, number, bad) // if it fails, the recording still has all but the words
	}
	return f
}
