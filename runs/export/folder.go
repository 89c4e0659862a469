package export

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// wavesOfVector limits the number of waveforms of a vector, which may fail in many iterations.
const wavesOfVector = 3

// A VCDFolder writes a VCD file for each vector that is FAIL. If Path is empty, it does nothing.
type VCDFolder struct {
	Path   string
	failed map[string]int // number of failures of each vector
	files  int
	err    error // the first error; after it, nothing is written
}

// Check returns an error if Path exists but is not a folder. Unlike Open, it creates nothing.
func (w *VCDFolder) Check() error {
	if info, err := os.Stat(w.Path); w.Path != "" && err == nil && !info.IsDir() {
		return failure.Usagef("--vcd: %s is not a folder: name the folder for a VCD file of each vector that fails",
			w.Path)
	}
	return nil
}

// Open creates the folder, and checks that it can hold files.
func (w *VCDFolder) Open() error {
	if w.Path == "" {
		return nil
	}
	w.failed = map[string]int{}
	if err := os.MkdirAll(w.Path, 0o755); err != nil {
		return failure.Usagef("--vcd: the folder %s cannot be made: %w", w.Path, errors.Unwrap(err))
	}
	f, err := files.Create(filepath.Join(w.Path, "trial"), files.NotSynced)
	if err != nil {
		return failure.Usagef("--vcd: no file can be made in the folder: %w", err)
	}
	f.Discard()
	return nil
}

// Result writes a FAIL vector; it is a report.ResultFunc. The first error is repeated.
func (w *VCDFolder) Result(r *driver.Result) error {
	if w.err != nil || r.Verdict != driver.Fail {
		return w.err
	}
	name := r.Vector.Name
	if w.failed[name]++; w.failed[name] <= wavesOfVector {
		w.err = w.Write(fileName(name, w.failed[name]), WholeVector(r))
	}
	return w.err
}

// Write writes an excerpt to the named file in the folder.
func (w *VCDFolder) Write(name string, e *Excerpt) error {
	f, err := files.Create(filepath.Join(w.Path, name), files.NotSynced)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := WriteVCD(f.Writer, e); err != nil {
		return err
	}
	if err := f.Commit(); err != nil {
		return err
	}
	w.files++
	return nil
}

// CountFiles returns the number of files written.
func (w *VCDFolder) CountFiles() int { return w.files }

// fileName converts the name of a vector to a file name: / becomes ~; any other character except letters, digits and
// "._+-" becomes %XX. For later failures of a vector it appends @2, @3 and so on.
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
