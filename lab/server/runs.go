package server

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"

	"utfbench/runs/history"
	"utfbench/transport/lab"
)

const (
	maxRunsAnswer = 512       // per reply
	maxAnswer     = 512 << 10 // bytes at which a list is cut
	maxVectors    = 64 << 20  // bytes of a run's vectors
)

// hearOfRuns starts to serve queries about the history, concurrently with all others. See lanes.
func (s *Server) hearOfRuns(ctx context.Context) (err error) {
	asked := newLanes(s.takeRun)
	if _, err = s.nc.Subscribe("lab.*.run.>", func(m *nats.Msg) { s.sort(m, asked) }); err == nil {
		s.running.Go(func() { asked.work(ctx) })
	}
	return err
}

// takeRun handles one message about runs: lab.KEY.run.VERB and its arguments.
func (s *Server) takeRun(m *nats.Msg) {
	words := strings.Split(m.Subject, ".")[3:]
	var answer any
	var err error
	switch {
	case words[0] == "offer":
		answer, err = receipt(s.past.offer(asker(m), m.Data))
	case words[0] == "part" && len(words) == 3:
		at, perr := strconv.ParseInt(words[2], 10, 64)
		if perr != nil {
			at = -1 // invalid
		}
		answer, err = s.past.spool.part(asker(m), words[1], at, m.Data)
	case words[0] == "list":
		answer, err = s.past.list(asker(m), m.Data)
	case words[0] == "vectors":
		answer, err = s.past.vectors(m.Data)
	case words[0] == "find":
		answer, err = s.past.find(asker(m), m.Data)
	case words[0] == "read" && len(words) == 3:
		part, err := s.past.read(words[1], words[2])
		s.send(m, part, err)
		return
	default:
		err = s.unknown(strings.Join(append([]string{"run"}, words...), "."))
	}
	s.reply(m, answer, err)
}

// offer returns the progress of an upload, and begins a new one.
func (p *past) offer(key string, text []byte) (*lab.Receipt, error) {
	var o lab.Offer
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, fmt.Errorf("invalid offer of a run")
	}
	if err := p.check(key, &o); err != nil {
		return nil, err
	}
	h, err := p.history()
	if err != nil {
		return nil, err
	}
	if r, err := p.spool.standing(key, &o); r != nil || err != nil {
		return r, err
	}
	number, err := h.Handed(o.SHA256) // after the spool, which a run leaves only once it is here
	if err != nil {
		return nil, err
	}
	if number > 0 {
		return &lab.Receipt{Run: number}, nil
	}
	return p.spool.begin(key, &o)
}

func (p *past) check(key string, o *lab.Offer) error {
	if err := lab.CheckProtocol("the machine with the key "+key, o.Protocol, short(o.Bench, maxWord)); err != nil {
		return err
	}
	sum, err := hex.DecodeString(o.SHA256)
	switch {
	case err != nil || len(sum) != 32 || o.SHA256 != strings.ToLower(o.SHA256):
		return errors.New("the offer of a run has no SHA-256 of its recording")
	case o.Recording < 1 || o.Vectors < 0:
		return fmt.Errorf("the offer of a run says %d bytes of a recording and %d of vectors", o.Recording, o.Vectors)
	case o.Recording > p.quota:
		return unfitf("the recording of the run has %s, and the lab's quota is %s: its administrator can raise it "+
			"with --quota", size(o.Recording), size(p.quota))
	case o.Vectors > maxVectors:
		return unfitf("the list of the run's vectors has %s: the maximum is %s", size(o.Vectors), size(maxVectors))
	}
	return nil
}

// query parses a query about the history.
func (p *past) query(key string, text []byte) (h *history.History, q lab.RunQuery, err error) {
	if err := json.Unmarshal(text, &q); err != nil {
		return nil, q, errors.New("invalid query for runs")
	}
	err = lab.CheckProtocol("the machine with the key "+key, q.Protocol, short(q.Bench, maxWord))
	if err == nil {
		h, err = p.history()
	}
	return h, q, err
}

// list returns as many runs as fit into a reply.
func (p *past) list(key string, text []byte) (*lab.RunList, error) {
	h, q, err := p.query(key, text)
	if err != nil {
		return nil, err
	}
	most := maxRunsAnswer
	if q.Last > 0 {
		most = min(most, q.Last)
	}
	runs, more, err := lines(h.Runs(history.Filter{Board: q.Board, Device: q.Device, Tile: q.Tile, Transport: q.On,
		Number: q.Number, Before: q.Before, Last: most + 1}), most)
	return &lab.RunList{Runs: runs, More: more}, err
}

// lines encodes at most most items, as many as fit into a reply, and reports whether there are more.
func lines[T any](all iter.Seq2[T, error], most int) (texts []json.RawMessage, more bool, err error) {
	texts, bytes := []json.RawMessage{}, 0
	for one, err := range all {
		if err != nil {
			return nil, false, err
		}
		if len(texts) == most || bytes > maxAnswer {
			return texts, true, nil
		}
		text, err := json.Marshal(one)
		if err != nil {
			return nil, false, err
		}
		texts, bytes = append(texts, text), bytes+len(text)
	}
	return texts, false, nil
}

// vectors returns the vectors of a run that did not pass, as many as fit into a reply.
func (p *past) vectors(text []byte) (*lab.VectorList, error) {
	var q lab.VectorQuery
	if err := json.Unmarshal(text, &q); err != nil || q.From < 0 {
		return nil, errors.New("invalid query for vectors")
	}
	h, err := p.history()
	if err != nil {
		return nil, err
	}
	all, err := h.Vectors(q.Run)
	if err != nil {
		return nil, err
	}
	rest := all[min(q.From, len(all)):]
	vectors, more, err := lines(func(yield func(history.Vector, error) bool) {
		for i := 0; i < len(rest) && yield(rest[i], nil); i++ {
		}
	}, len(rest))
	return &lab.VectorList{Vectors: vectors, More: more}, err
}

// find describes a run's recording; run 0 is the latest.
func (p *past) find(key string, text []byte) (*lab.Recorded, error) {
	h, q, err := p.query(key, text)
	if err != nil {
		return nil, err
	}
	r, err := h.Get(q.Number)
	switch {
	case err != nil:
		return nil, err
	case r == nil && q.Number == 0:
		return nil, errors.New("the lab's history has no run yet")
	case r == nil:
		return nil, fmt.Errorf("the lab's history has no run %d: bench history --lab lists its runs", q.Number)
	}
	sum, err := h.SHA256(r.Number)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(h.Recording(r.Number))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the recording of run %d of the lab is gone: the lab removed it to keep to its quota, "+
			"or somebody pruned it there; bench history --lab still has its verdict", r.Number)
	case err != nil:
		return nil, err
	case sum == "":
		return nil, fmt.Errorf("run %d of the lab's history was not handed in, so it can be read only on the "+
			"server's machine", r.Number)
	}
	return &lab.Recorded{Run: r.Number, SHA256: sum, Bytes: info.Size()}, nil
}

// read returns a part of a recording.
func (p *past) read(run, from string) ([]byte, error) {
	number, at, ok := partOf(run, from)
	if !ok {
		return nil, errors.New("invalid query for a recording")
	}
	h, err := p.history()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(h.Recording(number))
	if err != nil {
		return nil, fmt.Errorf("the recording of run %d is gone", number)
	}
	defer f.Close()
	part := make([]byte, lab.PartSize)
	n, err := f.ReadAt(part, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return part[:n], nil
}

// partOf parses a run's number and an offset in bytes.
func partOf(number, from string) (n int, at int64, ok bool) {
	n, err := strconv.Atoi(number)
	at, aerr := strconv.ParseInt(from, 10, 64)
	return n, at, cmp.Or(err, aerr) == nil && n > 0 && at >= 0
}
