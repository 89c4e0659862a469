package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/printable"
)

// PartSize is the maximum number of bytes of a run in one message, which a slow network transfers in less than a
// second.
const PartSize = 128 << 10

// An Offer describes an upload: a recording, followed by the vectors that did not pass, one JSON object per line.
type Offer struct {
	Protocol  int    `json:"protocol"`
	Bench     string `json:"bench"`
	SHA256    string `json:"sha256"`    // of the recording, in hex; identifies the run
	Recording int64  `json:"recording"` // bytes
	Vectors   int64  `json:"vectors"`   // bytes
}

// A Receipt describes the progress of an upload.
type Receipt struct {
	Run   int    `json:"run,omitempty"`   // its number in the lab's history, when complete
	ID    string `json:"id,omitempty"`    // of the upload, until then
	Has   int64  `json:"has"`             // bytes received so far
	Unfit string `json:"unfit,omitempty"` // why the lab rejects the run
	Busy  string `json:"busy,omitempty"`  // why the client has to retry later
}

// An UnfitError reports that a lab permanently rejects a run.
type UnfitError struct{ why string }

func (e *UnfitError) Error() string { return e.why }

// A RunQuery selects runs of the lab's history, the latest first. Empty fields match everything.
type RunQuery struct {
	Protocol int    `json:"protocol"`
	Bench    string `json:"bench"`
	Board    string `json:"board"`
	Device   string `json:"device"`
	Tile     string `json:"tile"`
	On       string `json:"on"` // transport, as in history.Filter: lab:HOST/BOARD
	Number   int    `json:"number"`
	Before   int    `json:"before"` // only lower numbers
	Last     int    `json:"last"`   // maximum number of runs
}

// A RunList answers a RunQuery. More reports further runs with lower numbers.
type RunList struct {
	Runs []json.RawMessage `json:"runs"` // as encoded in a history
	More bool              `json:"more"`
}

// A VectorQuery requests the vectors of a run that did not pass, starting at one of them.
type VectorQuery struct {
	Run  int `json:"run"`
	From int `json:"from"` // counted from 0
}

// A VectorList answers a VectorQuery.
type VectorList struct {
	Vectors []json.RawMessage `json:"vectors"` // as encoded in a history
	More    bool              `json:"more"`
}

// A Recorded describes a run's recording in the lab.
type Recorded struct {
	Run    int    `json:"run"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Runs returns runs of the lab's history.
func (c *Conn) Runs(ctx context.Context, q RunQuery) (*RunList, error) {
	q.Protocol = Protocol
	var list RunList
	return &list, c.askRuns(ctx, "list", q, &list)
}

// Vectors returns vectors of a run in the lab's history.
func (c *Conn) Vectors(ctx context.Context, q VectorQuery) (*VectorList, error) {
	var list VectorList
	return &list, c.askRuns(ctx, "vectors", q, &list)
}

// Recorded finds the recording of a run in the lab's history; 0 is the latest run.
func (c *Conn) Recorded(ctx context.Context, run int) (*Recorded, error) {
	var r Recorded
	return &r, c.askRuns(ctx, "find", RunQuery{Protocol: Protocol, Number: run}, &r)
}

// ReadRecording writes the recording of a run to a writer.
func (c *Conn) ReadRecording(ctx context.Context, r *Recorded, to io.Writer) error {
	for at := int64(0); at < r.Bytes; {
		part, err := c.insist(ctx, fmt.Sprintf("read.%d.%d", r.Run, at), nil)
		if err != nil {
			return err
		}
		if len(part) == 0 || int64(len(part)) > r.Bytes-at {
			return fmt.Errorf("the lab at %s sends %d bytes of the recording of run %d from byte %d on, which has %d",
				c.Invitation, len(part), r.Run, at, r.Bytes)
		}
		if _, err := to.Write(part); err != nil {
			return err
		}
		at += int64(len(part))
	}
	return nil
}

// HandIn uploads a run. It returns the run's number in the lab's history and whether the lab already had it. After any
// error it can be repeated without creating a duplicate.
func (c *Conn) HandIn(ctx context.Context, o Offer, content io.ReaderAt) (run int, had bool, err error) {
	o.Protocol = Protocol
	had = true
	queued := time.Now()
	for tries, wait := 0, Beat/100; ; {
		var r Receipt
		if err := c.askRuns(ctx, "offer", &o, &r); err != nil {
			return 0, false, err
		}
		switch size := o.Recording + o.Vectors; {
		case r.Unfit != "":
			return 0, false, &UnfitError{printable.Text(r.Unfit)}
		case r.Busy != "" && time.Since(queued) > queueing:
			return 0, false, &refusedError{printable.Text(r.Busy)}
		case r.Busy != "": // other uploads of the same key are in progress
			if err := sleep(ctx, Beat/8+rand.N(Beat/4)); err != nil {
				return 0, false, err
			}
		case r.Run > 0:
			return r.Run, had, nil
		case r.Has < size:
			had = false
			err := c.sendParts(ctx, &r, size, content)
			if tries < 3 && Refused(err) {
				tries++ // the server has restarted, so offer it again
			} else if err != nil {
				return 0, false, err
			}
		default: // complete but not yet entered
			had = false
			if err := sleep(ctx, wait); err != nil {
				return 0, false, err
			}
			wait = min(2*wait, Beat)
		}
	}
}

// queueing is the maximum wait for other uploads of the same key, longer than a lab keeps abandoned ones.
const queueing = 3 * time.Minute

func (c *Conn) sendParts(ctx context.Context, r *Receipt, size int64, content io.ReaderAt) error {
	part := make([]byte, min(PartSize, size-r.Has))
	for at := r.Has; at < size; {
		part = part[:min(int64(len(part)), size-at)]
		if _, err := content.ReadAt(part, at); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if _, err := c.insist(ctx, "part."+r.ID+"."+strconv.FormatInt(at, 10), part); err != nil {
			return err
		}
		at += int64(len(part))
	}
	return nil
}

// askRuns queries the lab's history.
func (c *Conn) askRuns(ctx context.Context, verb string, request, answer any) error {
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if text, err = c.insist(ctx, verb, text); err != nil {
		return err
	}
	return c.decode(text, answer)
}

// insist repeats a query of the lab's history until it is answered, for up to Silence.
func (c *Conn) insist(ctx context.Context, verb string, body []byte) ([]byte, error) {
	for end := time.Now().Add(Silence); ; {
		msg, err := c.once(ctx, "lab."+c.Invitation.Name+".run."+verb, body)
		switch {
		case err == nil:
			return msg.Data, refusal(msg)
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.Is(err, nats.ErrMaxPayload), time.Now().After(end):
			return nil, c.unanswered(err)
		}
		if err := sleep(ctx, Beat/4); err != nil {
			return nil, err
		}
	}
}

func (c *Conn) once(ctx context.Context, subject string, body []byte) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, again)
	defer cancel()
	return c.Request(ctx, Server, subject, body)
}

// sleep waits, or returns the context's cause if it ends first.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
