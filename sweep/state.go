package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
)

// A Header identifies a sweep. It is the first line of a State's file.
type Header struct {
	Schema int    `json:"schema"`
	Bench  string `json:"bench"` // version
	tile.Scope
	Transport string `json:"transport"`
	report.Chip
	Conditions string     `json:"conditions,omitempty"` // flags that set speed and waits
	Tags       files.Tags `json:"tags,omitempty"`
}

// A State keeps the finished blocks of a sweep in a file, so that the same command resumes the sweep. The file contains
// the header, then one block per line, in order of completion. A bench that is killed loses only unfinished blocks; for
// power failures the file is synced once a second. An incomplete last line is ignored. The file is locked while open.
type State struct {
	file   *os.File
	synced time.Time
}

// syncEvery is the interval of syncs. A power failure loses at most this much work.
const syncEvery = time.Second

// OpenState creates a state, or opens the state of the same sweep and chip, and returns its blocks. A sweep without
// tags gets the state's. Errors other than I/O errors are usage errors.
func OpenState(path string, head *Header) (*State, []Block, error) {
	f, err := openLocked(path)
	if err != nil {
		return nil, nil, err
	}
	s := &State{file: f}
	blocks, err := s.resume(head)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return s, blocks, nil
}

func openLocked(path string) (*os.File, error) {
	if err := files.Sweep.Check(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, failure.Usagef("--resume: %w", err)
	}
	mine, err := files.Lock(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s cannot be locked against other sweeps: %w; keep it on another disk", path, err)
	}
	opened, err := f.Stat()
	named, nerr := os.Stat(path)
	if !mine || err != nil || nerr != nil || !os.SameFile(opened, named) { // its previous owner may have removed it
		f.Close()
		return nil, failure.Usagef("%s: another sweep is using it; wait until it ends, or name another file with "+
			"--resume", path)
	}
	return f, nil
}

// resume reads the file, truncates it after the last valid line, and writes the header if it is missing.
func (s *State) resume(head *Header) (blocks []Block, err error) {
	text, err := files.Sweep.ReadFile(s.file)
	if err != nil {
		return nil, err
	}
	good := 0
	if first, rest, whole := bytes.Cut(text, []byte("\n")); whole {
		var was Header
		if printable.Decode(first, &was) != nil || was.Schema != files.DocumentSchema || was.Space == "" {
			return nil, failure.Usagef("%s: no state of a sweep: remove it, or keep the state elsewhere", s.file.Name())
		}
		if err := head.same(&was); err != nil {
			return nil, failure.Usagef("%s: it is of another sweep: %w; remove the file to start over, or name "+
				"another with --resume", s.file.Name(), err)
		}
		head.Tags = was.Tags
		good = len(first) + 1
		blocks, good = finished(rest, good)
	} else if begun, _ := json.Marshal(head); !bytes.HasPrefix(begun, text) {
		return nil, failure.Usagef("%s: no state of a sweep: remove it, or keep the state elsewhere", s.file.Name())
	}
	if err := s.file.Truncate(int64(good)); err != nil {
		return nil, err
	}
	if _, err := s.file.Seek(0, io.SeekEnd); err != nil || good > 0 {
		return blocks, err
	}
	return nil, s.add(head)
}

// finished decodes blocks up to the first invalid line, and returns the end of the valid lines. If several blocks have
// the same number, it returns the last one.
func finished(text []byte, at int) (blocks []Block, end int) {
	index := map[int]int{}
	for {
		first, rest, whole := bytes.Cut(text, []byte("\n"))
		var b Block
		if !whole || printable.Decode(first, &b) != nil || b.Cases < 1 || b.Number < 0 {
			return blocks, at
		}
		if i, again := index[b.Number]; again {
			blocks[i] = b
		} else {
			index[b.Number] = len(blocks)
			blocks = append(blocks, b)
		}
		at, text = at+len(first)+1, rest
	}
}

// same returns an error for the first difference from a state's header, or nil.
func (h *Header) same(was *Header) error {
	differ := report.KeepUnequal(
		report.Difference{Property: "what is swept", Old: fmt.Sprint(was.Scope), New: fmt.Sprint(h.Scope)},
		report.Difference{Property: "the bench", Old: was.Bench, New: h.Bench},
		report.Difference{Property: "the list of conditions", Old: was.Conditions, New: h.Conditions},
	)
	differ = append(differ, h.Differences(&was.Chip)...)
	if len(h.Tags) > 0 { // without --tag, the state's tags apply
		differ = append(differ, report.KeepUnequal(report.Difference{Property: "the list of tags, which stays as it " +
			"is without --tag,", Old: was.Tags.String(), New: h.Tags.String()})...)
	}
	if was.Device == "" { // a board with an ID may be at another port
		differ = append(differ, report.KeepUnequal(report.Difference{Property: "the transport", Old: was.Transport,
			New: h.Transport})...)
	}
	if len(differ) > 0 {
		return differ[0]
	}
	return nil
}

func (s *State) add(object any) error {
	line, err := json.Marshal(object)
	if err != nil {
		return err
	}
	if _, err := s.file.Write(append(line, '\n')); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(s.synced) >= syncEvery {
		s.synced = now
		return s.file.Sync()
	}
	return nil
}

// Add stores a finished block. s may be nil.
func (s *State) Add(b Block) error {
	if s == nil {
		return nil
	}
	return s.add(&b)
}

// Close closes the state, which can be opened again.
func (s *State) Close() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.file.Sync(), s.file.Close())
}

// Remove deletes the state's file before it unlocks it, so that no other sweep resumes from it. On Windows, which
// cannot remove an open file, it closes the file first.
func (s *State) Remove() error {
	if s == nil {
		return nil
	}
	err := os.Remove(s.file.Name())
	cerr := s.file.Close()
	if err != nil {
		err = os.Remove(s.file.Name())
	}
	return errors.Join(err, cerr)
}
