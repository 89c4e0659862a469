package server

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"utfbench/transport/lab"
)

// A spool holds uploads in progress, each in a file with a name that no client chose. A restarted server forgets them,
// and clients offer their runs again.
type spool struct {
	folder string
	quota  int64
	idle   time.Duration
	ready  chan struct{} // an upload may be complete

	mu    sync.Mutex
	all   []*incoming
	turns map[string]int // each key's last turn
	turn  int
	busy  map[string]bool // keys with a run being entered
}

// maxUnderWay is the maximum number of concurrent uploads of a key. A bench uploads one run at a time, and waits for
// its turn.
const maxUnderWay = 8

// An incoming run is being handed in.
type incoming struct {
	key, id, path string
	offer         lab.Offer
	has           int64
	heard         time.Time
	taken         bool  // entering has begun
	failed        error // why entering failed, until it is reported
}

func (in *incoming) size() int64 { return in.offer.Recording + in.offer.Vectors }

func (in *incoming) isWhole() bool { return in.has == in.size() }

func newSpool(folder string, quota int64, idle time.Duration) *spool {
	_ = os.RemoveAll(folder) // leftovers do no harm
	return &spool{folder: folder, quota: quota, idle: idle, ready: make(chan struct{}, 1), turns: map[string]int{},
		busy: map[string]bool{}}
}

// standing returns the progress of an offer, or nil if it is unknown. A failure's reason is reported once.
func (s *spool) standing(key string, o *lab.Offer) (*lab.Receipt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range s.all {
		if in.key != key || in.offer != *o {
			continue
		}
		if in.failed != nil {
			s.remove(in)
			return nil, in.failed
		}
		in.heard = time.Now()
		return &lab.Receipt{ID: in.id, Has: in.has}, nil
	}
	return nil, nil
}

// begin starts an upload.
func (s *spool) begin(key string, o *lab.Offer) (*lab.Receipt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, in := range s.all {
		if in.key == key {
			n++
		}
	}
	if n >= maxUnderWay {
		return &lab.Receipt{Busy: fmt.Sprintf("%d uploads of the key %s are in progress, the maximum: try again later",
			n, key)}, nil
	}
	in := &incoming{key: key, id: rand.Text(), offer: *o, heard: time.Now()}
	in.path = filepath.Join(s.folder, in.id)
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return nil, fmt.Errorf("the lab cannot take the run: %w", err)
	}
	if err := os.WriteFile(in.path, nil, 0o600); err != nil {
		return nil, fmt.Errorf("the lab cannot take the run: %w", err)
	}
	s.all = append(s.all, in)
	return &lab.Receipt{ID: in.id}, nil
}

// part stores a part of an upload. A repeated part is acknowledged.
func (s *spool) part(key, id string, at int64, part []byte) (*lab.Receipt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.all, func(in *incoming) bool { return in.key == key && in.id == id })
	if i < 0 {
		return nil, errors.New("no such run is being handed in: offer it again")
	}
	in := s.all[i]
	end := at + int64(len(part))
	switch {
	case len(part) == 0 || len(part) > lab.PartSize || at < 0 || at > in.has || end > in.size():
		return nil, fmt.Errorf("a part of %d bytes at byte %d: it has to have 1 to %d bytes, begin at byte %d, and "+
			"end by byte %d", len(part), at, lab.PartSize, in.has, in.size())
	case end <= in.has: // a repeated part
	case s.bytes()+end-in.has > s.quota+maxVectors:
		return nil, fmt.Errorf("uploads of %s are in progress, and the lab has no room for more: try again "+
			"later", size(s.bytes()))
	default:
		if err := in.write(at, part); err != nil {
			return nil, fmt.Errorf("the lab cannot take the run: %w", err)
		}
		in.has, in.heard = end, time.Now()
		if in.isWhole() {
			s.wake()
		}
	}
	return &lab.Receipt{ID: in.id, Has: in.has}, nil
}

func (in *incoming) write(at int64, part []byte) error {
	f, err := os.OpenFile(in.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(part, at)
	return cmp.Or(err, f.Close())
}

// bytes returns the size of all uploads so far.
func (s *spool) bytes() (n int64) {
	for _, in := range s.all {
		n += in.has
	}
	return n
}

func (s *spool) wake() {
	select {
	case s.ready <- struct{}{}:
	default: // a wake-up is pending
	}
}

// next returns a complete upload to enter, or nil. It takes the keys in turn, one upload of each at a time, so that a
// key's backlog does not delay the others.
func (s *spool) next() (in *incoming) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.all {
		if other.isWhole() && !other.taken && !s.busy[other.key] &&
			(in == nil || s.turns[other.key] < s.turns[in.key]) {
			in = other
		}
	}
	if in == nil {
		return nil
	}
	s.turn++
	in.taken, s.busy[in.key], s.turns[in.key] = true, true, s.turn
	s.wake() // for other workers
	return in
}

// done records that a run was entered, or the error.
func (s *spool) done(in *incoming, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.busy, in.key)
	if in.failed, in.heard = err, time.Now(); err == nil {
		s.remove(in)
	}
}

// look removes abandoned uploads.
func (s *spool) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range slices.Clone(s.all) {
		if time.Since(in.heard) > s.idle && (in.failed != nil || !in.isWhole()) {
			s.remove(in)
		}
	}
}

// remove must be called with the lock held.
func (s *spool) remove(in *incoming) {
	_ = os.Remove(in.path) // it is in the history, or is removed at the next start
	s.all = slices.DeleteFunc(s.all, func(of *incoming) bool { return of == in })
}
