package fleet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"utfbench/internal/files"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// A Given is the result of handing in a run.
type Given struct {
	Run int   // its number in the machine's history
	Lab int   // its number in the lab's history; 0 with Err
	Had bool  // the lab already had it
	Err error // the reason for a failure
}

// Never reports whether a retry is pointless.
func (g *Given) Never() bool {
	var unfit *lab.UnfitError
	var lost *lostError
	return errors.As(g.Err, &unfit) || errors.As(g.Err, &lost)
}

// String describes the result in one line.
func (g *Given) String() string {
	switch {
	case g.Err != nil:
		return fmt.Sprintf("run %d was not handed in: %v", g.Run, g.Err)
	case g.Had:
		return fmt.Sprintf("run %d: the lab already has it, as lab:%d", g.Run, g.Lab)
	}
	return fmt.Sprintf("run %d: handed in, the lab has it as lab:%d", g.Run, g.Lab)
}

// A lostError is the reason why a run has no recording to hand in.
type lostError struct{ why string }

func (e *lostError) Error() string { return e.why }

// HandIn hands in a run of a history. Once accepted or permanently rejected, the run is no longer due.
func (l *History) HandIn(h *history.History, run int) *Given {
	g := &Given{Run: run}
	g.Lab, g.Had, g.Err = l.give(h, run)
	if g.Err == nil || g.Never() {
		if err := h.Settle(run); g.Err == nil {
			g.Err = err
		}
	}
	return g
}

// HandInDue hands in the due runs of a history, and reports each: first this process's runs, mine, then others that
// ended over a minute ago. Without mine it hands in all, the oldest first. It stops if the lab is unreachable, but not
// at a rejected run.
func (l *History) HandInDue(h *history.History, tell func(*Given), mine ...int) error {
	all, err := h.Due()
	if err != nil {
		return err
	}
	due, err := l.order(h, all, mine)
	if err != nil {
		return err
	}
	for _, run := range due {
		g := l.HandIn(h, run)
		tell(g)
		if g.Err != nil && !lab.Refused(g.Err) && !g.Never() {
			return nil
		}
	}
	return nil
}

// handedBy is the time during which a run is reserved for the process that made it.
const handedBy = time.Minute

// order returns the runs to be handed in by this process, in order.
func (l *History) order(h *history.History, all []history.Due, mine []int) (due []int, err error) {
	var others []int
	for _, d := range all {
		switch {
		case d.Lab != l.conn.Invitation.Lab:
		case slices.Contains(mine, d.Run):
			due = append(due, d.Run)
		case len(mine) > 0:
			r, err := h.Get(d.Run)
			if err != nil {
				return nil, err
			}
			if r == nil || r.End == nil || time.Since(r.Ended()) > handedBy {
				others = append(others, d.Run)
			}
		default:
			others = append(others, d.Run)
		}
	}
	return append(due, others...), nil
}

func (l *History) give(h *history.History, run int) (number int, had bool, err error) {
	r, err := h.Get(run)
	switch {
	case err != nil:
		return 0, false, err
	case r == nil:
		return 0, false, &lostError{"the history has no such run"}
	case r.End == nil:
		return 0, false, &lostError{"it is unfinished: only a complete run can be handed in"}
	}
	vectors, err := h.Vectors(run)
	if err != nil {
		return 0, false, err
	}
	c := content{vectors: lines(vectors)}
	f, size, err := files.Recording.OpenFile(h.Recording(run))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, &lostError{"its recording is gone: it was pruned, or could not be written"}
	}
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	c.recording, c.size = f, size
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return 0, false, err
	}
	return l.conn.HandIn(l.ctx, lab.Offer{Bench: l.bench, SHA256: hex.EncodeToString(sum.Sum(nil)), Recording: size,
		Vectors: int64(len(c.vectors))}, &c)
}

// maxWords is the maximum length of a mismatch in bytes; the recording has the full text.
const maxWords = 1 << 10

// lines encodes vectors as JSON, one object per line.
func lines(vectors []history.Vector) []byte {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	for _, v := range vectors {
		v.Mismatch = strings.ToValidUTF8(v.Mismatch[:min(len(v.Mismatch), maxWords)], "")
		if err := enc.Encode(v); err != nil {
			panic(err) // only texts and numbers
		}
	}
	return text.Bytes()
}

// A content is a recording followed by its vectors.
type content struct {
	recording io.ReaderAt
	size      int64
	vectors   []byte
}

func (c *content) ReadAt(part []byte, at int64) (n int, err error) {
	if at < c.size {
		n, err = c.recording.ReadAt(part[:min(int64(len(part)), c.size-at)], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		at += int64(n)
	}
	if at >= c.size && at-c.size < int64(len(c.vectors)) {
		n += copy(part[n:], c.vectors[at-c.size:])
	}
	if n < len(part) {
		return n, io.EOF
	}
	return n, nil
}
