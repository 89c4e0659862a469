// Package history keeps every run of a chip: its line in a journal, and its recording in a file.
//
// # Words
//
//   - The journal is a file of JSON lines that only grows. A run has a number in it,
//     which is never reused.
//   - A line is sound if its checksum matches. Other lines are skipped, and named by
//     [History.Note].
//   - The folder of recordings has the name of the journal with the suffix "-runs".
//     For each run it holds NUMBER.rec (NUMBER.rec.part during the run, and
//     afterwards if the bench died) and NUMBER.vectors, the vectors that did not pass.
//   - A new journal begins with the runs of the recordings in its folder. That
//     restores a lost journal, and takes over the history of an older bench.
//
// A [Writer] is a report.Reporter that never fails, since a run is valid without a history. Several benches may write
// concurrently. docs/formats.md describes the lines.
package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// A History is a journal and its index in memory. Its methods may be called concurrently.
type History struct {
	path string

	mu      sync.Mutex
	journal journal
	healed  int    // damaged lines that were handled
	begun   string // a note on how it was created
	notes   []string
}

// Open opens or creates a history. If this bench must not use or change the file, the error is the user's.
func Open(path string) (*History, error) {
	h := &History{path: path}
	return h, h.reading(func() {})
}

// OpenOld opens an existing history; fs.ErrNotExist otherwise.
func OpenOld(path string) (*History, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return Open(path)
}

// Note returns new notes for the user: how the journal was created, and which parts cannot be read.
func (h *History) Note() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	text := strings.Join(h.notes, "; ")
	h.notes = nil
	return text
}

// mostNotes limits the notes, and the lines that a note lists.
const mostNotes = 10

func (h *History) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(h.notes, text) && len(h.notes) < mostNotes {
		h.notes = append(h.notes, text)
	}
}

// skipped adds a note about something that could not be read.
func (h *History) skipped(what error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.note("%v: skipped", what)
}

func (h *History) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the history %s: %w", h.path, err)
}

// look reads the lines added to the journal since the last look.
func (h *History) look() error {
	f, size, err := files.History.OpenFile(h.path)
	if err != nil {
		return h.named(err)
	}
	defer f.Close()
	damaged, err := h.journal.look(f, size)
	if n := len(damaged); n > 0 && err == nil {
		lines := strings.Fields(strings.Trim(fmt.Sprint(damaged[:min(n, mostNotes)]), "[]"))
		h.note("the history %s: skipped %s: %s", h.path, printable.Count(n, "damaged line"), strings.Join(lines, ", "))
	}
	return h.named(err)
}

// toBegin reports whether an error of look means that the journal must be created.
func (h *History) toBegin(err error) bool {
	if errors.Is(err, errForeign) {
		return h.journal.ours || len(recordedNumbers(h.path)) > 0
	}
	return errors.Is(err, fs.ErrNotExist) || err == nil && h.journal.size == 0
}

// reading calls do with the journal read to its end, after creating or healing it if necessary.
func (h *History) reading(do func()) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	err := h.look()
	switch {
	case h.toBegin(err):
		err = h.writing(func() error { return nil })
	case err == nil && h.lost():
		_ = h.writing(func() error { return nil }) // without write access the existing lines can still be read
	}
	if err == nil {
		do()
	}
	return err
}

// writing calls do while no other bench writes. It must be called with the lock held.
func (h *History) writing(do func() error) error {
	if err := os.MkdirAll(filepath.Dir(h.path), 0o755); err != nil {
		return err
	}
	unlock, err := lock(h.path + ".lock")
	if err != nil {
		return h.named(err)
	}
	defer unlock()
	switch err = h.look(); {
	case h.toBegin(err):
		err = h.begin(errors.Is(err, errForeign))
	case err == nil && h.lost():
		h.healed = len(h.journal.damaged)
		err = h.heal()
	}
	if err != nil {
		return err
	}
	return do()
}

// patience is the time to wait for another bench that is writing.
const patience = 30 * time.Second

// lock locks a file, which is never removed.
func lock(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	for limit := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		mine, err := files.Lock(f)
		switch {
		case err == nil && mine:
			return func() { f.Close() }, nil
		case err == nil && time.Now().Before(limit):
			continue
		case err == nil:
			err = fmt.Errorf("another bench has locked it for %s", patience)
		}
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
}
