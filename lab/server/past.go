package server

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/transport/lab"
)

// A past is the lab's history and its uploads. Clients write into the spool; goroutines check complete uploads, which
// are foreign, and enter them one by one.
type past struct {
	kept  *history.History // nil if it cannot be opened
	quota int64
	tell  func(...lab.Event)
	spool *spool

	pruning sync.Mutex
	pruned  seldom // limits its event
}

func openPast(cfg Config, tell func(...lab.Event)) *past {
	p := &past{quota: cfg.Quota, tell: tell,
		spool: newSpool(spoolFolder(cfg.Data), cfg.Quota, cfg.Idle), pruned: seldom{every: time.Minute}}
	h, err := history.Open(HistoryFile(cfg.Data))
	if err != nil {
		tell(lab.Event{What: fmt.Sprintf("the lab keeps no history: %v", err)})
		return p
	}
	p.kept = h
	p.remark()
	return p
}

// remark publishes the history's note, if any.
func (p *past) remark() {
	if note := p.kept.Note(); note != "" {
		p.tell(lab.Event{What: note})
	}
}

var errNoHistory = errors.New("this lab keeps no history: it cannot be opened; its server has printed the reason")

// history returns the history, if there is one.
func (p *past) history() (*history.History, error) {
	if p.kept == nil {
		return nil, errNoHistory
	}
	return p.kept, nil
}

// enterers is the number of runs checked concurrently, each of another key, so that a slow run delays only its own key.
const enterers = 3

// work enters complete uploads.
func (p *past) work(ctx context.Context) {
	var all failure.Group
	for range enterers {
		all.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case <-p.spool.ready:
				}
				for in := p.spool.next(); in != nil && ctx.Err() == nil; in = p.spool.next() {
					p.spool.done(in, p.enter(in))
					p.prune()
				}
			}
		})
	}
	all.Wait()
}

func (p *past) enter(in *incoming) error {
	h, err := p.history()
	if err != nil {
		return err
	}
	vectors, err := in.unpack()
	if err != nil {
		return err
	}
	run, counted, err := in.run()
	if err != nil {
		return err
	}
	explain(counted, vectors)
	give := &history.HandIn{Run: *run, Vectors: counted, SHA256: in.offer.SHA256, Recording: in.path}
	give.Run.By = in.key
	number, had, err := h.Take(give)
	p.remark()
	if err != nil || had {
		return err
	}
	e := about(run.Start.Transport, in.key, fmt.Sprintf("run %d: %s", number, run.Verdict()))
	e.Run = number
	p.tell(e)
	return nil
}

// about returns an event of the board in a transport's name, as claimed by the key that handed it in.
func about(transport, key, what string) lab.Event {
	name, _, _ := strings.Cut(strings.TrimPrefix(transport, "lab:"), " ")
	host, board, of := strings.Cut(strings.TrimSuffix(name, ","), "/")
	if !of || !strings.HasPrefix(transport, "lab:") {
		return lab.Event{Host: key, What: what + ", on its own " + short(transport, maxWords)}
	}
	return lab.Event{Host: host, Board: board, What: what + ", by " + key}
}

// prune removes the oldest recordings above the quota.
func (p *past) prune() {
	p.pruning.Lock()
	defer p.pruning.Unlock()
	h, err := p.history()
	if err != nil {
		return
	}
	n, err := h.KeepTo(p.quota)
	if err != nil {
		p.tell(lab.Event{What: fmt.Sprintf("the recordings may exceed the quota of %s: %v", size(p.quota), err)})
	}
	if n > 0 && p.pruned.now() {
		p.tell(lab.Event{What: fmt.Sprintf("the recordings of the oldest runs are now removed to keep to the quota "+
			"of %s; the runs stay in the history", size(p.quota))})
	}
}

func size(bytes int64) string { return humanize.Bytes(uint64(bytes)) }

// An unfit upload is permanently rejected: the client need not retry.
type unfit struct{ error }

func unfitf(format string, args ...any) error { return unfit{fmt.Errorf(format, args...)} }

// unpack checks the file against its offer, removes the vectors from its end, and leaves the recording on disk.
func (in *incoming) unpack() ([]*history.Vector, error) {
	f, err := os.OpenFile(in.path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.CopyN(sum, f, in.offer.Recording); err != nil {
		return nil, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != in.offer.SHA256 {
		return nil, errors.New("upload rejected: SHA-256 mismatch")
	}
	vectors, err := readVectors(f)
	if err == nil {
		err = f.Truncate(in.offer.Recording)
	}
	if err == nil {
		err = f.Sync()
	}
	return vectors, err
}

// Limits of a stored vector, in bytes.
const (
	maxVectorLine = 256 << 10
	maxVectorName = 1 << 10
)

// readVectors reads the vectors of a run, one JSON object per line. They are foreign text.
func readVectors(from io.Reader) (all []*history.Vector, err error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxVectorLine)
	for lines.Scan() {
		v := new(history.Vector)
		if err := printable.Decode(lines.Bytes(), v); err != nil {
			return nil, unfitf("vector %d of the run cannot be read: %s", len(all)+1, printable.Text(err.Error()))
		}
		if len(all) == golden.MostVectors {
			return nil, unfitf("the run has more than %d vectors", golden.MostVectors)
		}
		v.Name, v.Verdict, v.Mismatch = short(v.Name, maxVectorName), short(v.Verdict, maxWord),
			short(v.Mismatch, maxWords)
		all = append(all, v)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, unfitf("vector %d of the run has more than %d bytes", len(all)+1, maxVectorLine)
	}
	return all, lines.Err()
}

// run returns the run of the recording.
func (in *incoming) run() (*history.Run, []*history.Vector, error) {
	rec, err := report.OpenBrief(in.path)
	if err != nil { // hides the path, which means nothing to the client
		return nil, nil, unfitf("the upload is no recording: %s", in.unnamed(err))
	}
	defer rec.Close()
	run, vectors, err := history.Recorded(rec)
	if err != nil {
		return nil, nil, unfitf("%s", in.unnamed(err))
	}
	return run, vectors, nil
}

// unnamed returns an error's text without the local path.
func (in *incoming) unnamed(err error) string {
	return strings.TrimPrefix(strings.ReplaceAll(err.Error(), in.path, ""), ": ")
}

// explain copies the mismatches of listed vectors to the counted ones: a recording has samples but no words.
func explain(counted, listed []*history.Vector) {
	words := map[string]string{}
	for _, v := range listed {
		words[v.Name] = v.Mismatch
	}
	for _, v := range counted {
		v.Mismatch = words[v.Name]
	}
}

// receipt puts a permanent rejection into the receipt; the client retries after any other error.
func receipt(r *lab.Receipt, err error) (*lab.Receipt, error) {
	if never, is := errors.AsType[unfit](err); is {
		return &lab.Receipt{Unfit: never.Error()}, nil
	}
	return r, err
}
