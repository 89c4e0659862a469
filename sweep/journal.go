package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"strconv"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
)

// A Journal stores the finished blocks of a sweep until the certificate is written. It has a certificate's lines, each
// preceded by a checksum, with blocks in order of completion. A killed bench loses only unfinished blocks; the file is
// synced once per second against power failures. An incomplete last line is ignored. The file is locked while open.
type Journal struct {
	file   *os.File
	synced time.Time
}

// syncEvery is the maximum time for which a power failure loses work.
const syncEvery = time.Second

// An OtherSweepError is returned for a journal of another sweep.
type OtherSweepError struct{ report.Difference }

func (e *OtherSweepError) Error() string { return "it is of another sweep: " + e.Difference.Error() }

// ErrInUse is returned for a journal that another sweep writes.
var ErrInUse = failure.Usagef("another sweep is using that state")

// OpenJournal creates a journal, or continues one of the same sweep of the same chip. It returns the stored answers and
// the head; an existing head is kept even if the board is now at another port.
func OpenJournal(path string, head Head) (*Journal, Head, []Answer, error) {
	f, err := openLocked(path)
	if err != nil {
		return nil, head, nil, err
	}
	j := &Journal{file: f}
	old, done, err := j.resume(head)
	if err != nil {
		f.Close()
		return nil, head, nil, err
	}
	return j, old, done, nil
}

// openLocked opens a file and locks it against other sweeps.
func openLocked(path string) (*os.File, error) {
	if err := files.SweepState.Check(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	mine, err := files.Lock(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("it cannot be locked against other sweeps: %w; keep the state on another disk", err)
	}
	opened, err := f.Stat()
	named, nerr := os.Stat(path)
	if !mine || err != nil || nerr != nil || !os.SameFile(opened, named) {
		// the previous holder of the lock may have removed it
		f.Close()
		return nil, ErrInUse
	}
	return f, nil
}

// resume reads the file, truncates it after the last valid line, and writes a missing head.
func (j *Journal) resume(head Head) (Head, []Answer, error) {
	text, err := files.SweepState.ReadFile(j.file)
	if err != nil {
		return head, nil, err
	}
	var done []Answer
	good := 0
	if was, rest, ok := record(text); ok {
		var old Head
		if err := readStrictly(string(was), &old); err != nil {
			return head, nil, failure.Usagef("no state of a sweep: %w", err)
		}
		if err := old.checkResume(&head); err != nil {
			return head, nil, err
		}
		head = old
		done, rest = answers(rest, head.Range())
		good = len(text) - len(rest)
	} else if !bytes.HasPrefix(recordOf(&head), text) {
		return head, nil, failure.Usagef("no state of a sweep: remove it, or keep the state elsewhere")
	}
	if err := j.file.Truncate(int64(good)); err != nil {
		return head, nil, err
	}
	if _, err := j.file.Seek(0, io.SeekEnd); err != nil || good > 0 {
		return head, done, err
	}
	return head, done, j.add(&head)
}

// answers decodes answers up to the first invalid line, and returns the rest. The last answer of a single chip replaces
// earlier ones.
func answers(text []byte, r Range) (done []Answer, rest []byte) {
	at := map[int]int{}
	for {
		object, after, ok := record(text)
		var a Answer
		if !ok || readStrictly(string(object), &a) != nil || a.Number < r.First || a.Number >= r.End || a.Cases < 1 {
			return done, text
		}
		if i, again := at[a.Number]; again && a.By == nil {
			done[i] = a
		} else {
			at[a.Number] = len(done)
			done = append(done, a)
		}
		text = after
	}
}

// record decodes a complete first line: 8 hex digits of a CRC-32C, a space, an object.
func record(text []byte) (object, rest []byte, ok bool) {
	whole, rest, ok := bytes.Cut(text, []byte("\n"))
	if !ok || len(whole) < 9 || whole[8] != ' ' {
		return nil, text, false
	}
	sum, err := strconv.ParseUint(string(whole[:8]), 16, 32)
	if object = whole[9:]; err != nil || uint32(sum) != checksum(object) {
		return nil, text, false
	}
	return object, rest, true
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

func recordOf(object any) []byte {
	b := line(object)
	return fmt.Appendf(nil, "%08x %s\n", checksum(b), b)
}

func (j *Journal) add(object any) error {
	if _, err := j.file.Write(recordOf(object)); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(j.synced) >= syncEvery {
		j.synced = now
		return j.file.Sync()
	}
	return nil
}

// Add stores an answer.
func (j *Journal) Add(a Answer) error { return j.add(&a) }

// Close closes the journal, which can be continued later.
func (j *Journal) Close() error { return errors.Join(j.file.Sync(), j.file.Close()) }

// Remove deletes the journal before unlocking it, so that no other sweep continues it. On Windows, which cannot remove
// an open file, it closes the file first.
func (j *Journal) Remove() error {
	err := os.Remove(j.file.Name())
	cerr := j.file.Close()
	if err != nil {
		err = os.Remove(j.file.Name())
	}
	return errors.Join(err, cerr)
}

// checkResume returns an error if a journal with head h belongs to another sweep than now.
func (h *Head) checkResume(now *Head) error {
	if len(h.Made) != 1 {
		return &OtherSweepError{report.Difference{What: "the number of chips that had a part in it",
			Was: fmt.Sprint(len(h.Made)), Is: "1"}}
	}
	was, is := &h.Made[0], &now.Made[0]
	differ := report.Unequal(
		report.Difference{What: "what is swept", Was: fmt.Sprint(h.Scope), Is: fmt.Sprint(now.Scope)},
		report.Difference{What: "the range of blocks", Was: h.Range().String(), Is: now.Range().String()},
		report.Difference{What: "the hash of the vectors", Was: fmt.Sprintf("%x", h.Vectors),
			Is: fmt.Sprintf("%x", now.Vectors)},
		report.Difference{What: "the bench", Was: was.Bench, Is: is.Bench},
		report.Difference{What: "the list of conditions", Was: was.Conditions, Is: is.Conditions},
	)
	differ = append(differ, is.Differences(&was.Chip)...)
	if len(is.Tags) > 0 { // a certificate has one set of tags; without tags the journal's are kept
		differ = append(differ, report.Unequal(report.Difference{What: "the list of tags, which stays as it is " +
			"without --tag,", Was: was.Tags.String(), Is: is.Tags.String()})...)
	}
	if was.Device == "" { // with an ID the board may be at another port
		differ = append(differ, report.Unequal(report.Difference{What: "the transport", Was: was.Transport,
			Is: is.Transport})...)
	}
	if len(differ) > 0 {
		return &OtherSweepError{*differ[0]}
	}
	return nil
}
