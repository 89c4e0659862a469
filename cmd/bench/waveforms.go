package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"utfbench/driver"
	"utfbench/files"
	"utfbench/waveform"
)

// wavesOfVector is how many waveforms a vector leaves at most, when --count has it fail again and again.
const wavesOfVector = 3

// waveforms writes a VCD file for each vector that is FAIL into a folder. With no folder it does nothing.
type waveforms struct {
	dir    string
	failed map[string]int // how often, by name of the vector
	files  int
	err    error // the first one; nothing is written after it
}

// check finds out before the run whether dir can be a folder.
func (w *waveforms) check() error {
	if info, err := os.Stat(w.dir); w.dir != "" && err == nil && !info.IsDir() {
		return fmt.Errorf("--vcd: %s is no folder: name the folder for a VCD file of each vector that fails (a simulator's own waves are --sim-vcd FILE)", w.dir)
	}
	return nil
}

// open makes the folder, and finds out whether a file can be made there.
func (w *waveforms) open() error {
	if w.dir == "" {
		return nil
	}
	w.failed = map[string]int{}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		return fmt.Errorf("--vcd: the folder %s cannot be made: %w", w.dir, errors.Unwrap(err))
	}
	f, err := files.Create(filepath.Join(w.dir, "trial"), files.Fast)
	if err != nil {
		return fmt.Errorf("--vcd: no file can be made in the folder: %w", err)
	}
	f.Discard()
	return nil
}

// result is a report.Each.
func (w *waveforms) result(r *driver.Result) error {
	if w.err != nil || r.Verdict != driver.Fail {
		return w.err
	}
	name := r.Vector.Name
	if w.failed[name]++; w.failed[name] <= wavesOfVector {
		w.err = w.write(fileName(name, w.failed[name]), waveform.Whole(r))
	}
	return w.err
}

func (w *waveforms) write(name string, e *waveform.Excerpt) error {
	f, err := files.Create(filepath.Join(w.dir, name), files.Fast)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := waveform.VCD(f.Writer, e); err != nil {
		return err
	}
	if err := f.Commit(); err != nil {
		return err
	}
	w.files++
	return nil
}

// hint says where to look.
func (w *waveforms) hint() string {
	if w.files == 0 {
		return ""
	}
	return fmt.Sprintf(" VCD files in %s: %d.", w.dir, w.files)
}

// fileName makes a file's name of a vector's: / is ~, what is neither letter, digit nor one of "._+-" is %XX. The second
// failure of a vector and those after it have @2, @3 behind the name.
func fileName(vector string, failure int) string {
	var s strings.Builder
	for _, c := range []byte(vector) {
		switch {
		case c == '/':
			s.WriteByte('~')
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("._+-", c) >= 0:
			s.WriteByte(c)
		default:
			fmt.Fprintf(&s, "%%%02X", c)
		}
	}
	if failure > 1 {
		fmt.Fprintf(&s, "@%d", failure)
	}
	return s.String() + ".vcd"
}
