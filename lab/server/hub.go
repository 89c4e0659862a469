package server

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"utfbench/internal/printable"
	"utfbench/transport/lab"
)

// maxAll is the maximum number of boards in a lab. It limits the list of all boards to some megabytes.
const maxAll = 5000

// A hub holds the latest reports of the hosts.
type hub struct {
	cfg  Config
	said sync.Mutex // held while events are delivered

	mu      sync.Mutex
	public  map[string]string // by key name
	revoked map[string]bool   // names of keys that were revoked, also if the name is in use again
	seats   map[string]*seat  // by host
	grumble map[string]*seldom
	changed chan struct{}
	events  []lab.Event // the newest first
}

// maxEvents is the number of events kept.
const maxEvents = 100

// A seat is a host's membership, which lasts while the host reports.
type seat struct {
	report *lab.Report
	heard  time.Time
	silent bool // its silence was published, or it was restored and has not reported since
}

// left reports whether the host gave up its seat.
func (s *seat) left() bool { return s.report.Left }

func newHub(cfg Config, keys []Key) *hub {
	return &hub{cfg: cfg, public: byName(keys), revoked: map[string]bool{}, seats: map[string]*seat{},
		grumble: map[string]*seldom{}, changed: make(chan struct{})}
}

func byName(keys []Key) map[string]string {
	public := map[string]string{}
	for _, k := range keys {
		public[k.Name] = k.Public
	}
	return public
}

// tell publishes events, one at a time.
func (h *hub) tell(events ...lab.Event) {
	h.said.Lock()
	defer h.said.Unlock()
	for _, e := range events {
		h.cfg.Tell(h.keep(e))
	}
}

// keep stores an event among the latest.
func (h *hub) keep(e lab.Event) lab.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.At, e.Number = time.Now(), 1
	if len(h.events) > 0 {
		e.Number += h.events[0].Number
	}
	h.events = slices.Insert(h.events, 0, e)[:min(maxEvents, len(h.events)+1)]
	h.notify()
	return e
}

// Events returns the latest events, the newest first.
func (h *hub) Events() []lab.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.events)
}

// Key distinguishes a key from others of the same name; it returns "" if no valid key has it.
func (h *hub) Key(name string) (public string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.public[name]
}

// hear accepts a host's report. It fails if another machine has the seat, or the lab is full.
func (h *hub) hear(r *lab.Report) error {
	events, err := h.sit(r, time.Now())
	h.tell(events...)
	return err
}

func (h *hub) sit(r *lab.Report, now time.Time) ([]lab.Event, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	old := h.seats[r.Host]
	if old == nil {
		old = &seat{report: &lab.Report{Left: true}}
	}
	if old.report.Instance != r.Instance && !old.left() && now.Sub(old.heard) < h.cfg.Seat {
		data, _ := filepath.Abs(h.cfg.Data) // empty only if the current folder is gone
		return nil, &lab.SeatError{Why: fmt.Errorf("the key %s is in use by the machine %s, which was heard %s ago: "+
			"give this one a key of its own (on the server's machine: %s), or end bench lab join there and wait %s",
			r.Host, old.report.Machine, now.Sub(old.heard).Round(time.Second), Command(data, "invite", "NAME"),
			h.cfg.Seat)}
	}
	if n := h.boards() - len(old.report.Boards) + len(r.Boards); n > maxAll {
		return nil, fmt.Errorf("the lab would have %d boards with host %s: at most %d are allowed", n, r.Host, maxAll)
	}
	h.seats[r.Host] = &seat{report: r, heard: now}
	events := heard(old, r)
	if old.silent || !reflect.DeepEqual(old.report, r) {
		h.notify()
	}
	return events, nil
}

func (h *hub) boards() (n int) {
	for _, s := range h.seats {
		n += len(s.report.Boards)
	}
	return n
}

// notify must be called with the lock held.
func (h *hub) notify() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// Changed returns a channel that is closed when Boards, Hosts or Events change. Call it before reading them, to miss no
// change.
func (h *hub) Changed() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed
}

// look publishes hosts that fell silent, and forgets hosts that have been gone for long.
func (h *hub) look() {
	var events []lab.Event
	h.mu.Lock()
	now := time.Now()
	for host, s := range h.seats {
		since := now.Sub(s.heard)
		if since > h.cfg.Forget || s.left() && since > h.cfg.Silent {
			delete(h.seats, host)
			h.notify()
		} else if since > h.cfg.Silent && !s.silent {
			s.silent = true
			events = append(events, lab.Event{Host: host, What: "is gone: " + s.silence(now)})
			h.notify()
		}
	}
	h.mu.Unlock()
	h.tell(events...)
}

// silence describes how long a host has been silent.
func (s *seat) silence(now time.Time) string {
	return fmt.Sprintf("its machine %s has not been heard for %s", cmp.Or(s.report.Machine, s.report.Host),
		now.Sub(s.heard).Truncate(time.Second))
}

// Boards returns the lab's boards, by their full names.
func (h *hub) Boards() lab.List {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	all := []lab.Board{}
	for _, s := range h.seats {
		for _, b := range s.report.Boards {
			switch since := now.Sub(s.heard); {
			case s.silent || since > h.cfg.Silent:
				b.State, b.Reason, b.Holder, b.Queue, b.Progress = lab.Gone, s.silence(now), nil, 0, nil
			case since > 2*lab.Beat: // its state may be out of date
				b.Reason = s.silence(now)
			}
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b lab.Board) int { return printable.Natural(a.String(), b.String()) })
	return lab.List{Boards: all}
}

// Hosts returns the known hosts, by name.
func (h *hub) Hosts() []lab.Host {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	all := []lab.Host{}
	for _, name := range slices.SortedFunc(maps.Keys(h.seats), printable.Natural) {
		s := h.seats[name]
		all = append(all, lab.Host{Name: name, Machine: s.report.Machine, Bench: s.report.Bench,
			Boards: len(s.report.Boards), Heard: s.heard.UTC().Truncate(time.Second),
			Here: !s.left() && !s.silent && now.Sub(s.heard) <= h.cfg.Silent})
	}
	return all
}

// former returns the hosts with a revoked key, which a client of one of their boards may still await.
func (h *hub) former() (all []lab.Host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name := range h.revoked {
		if h.public[name] == "" {
			all = append(all, lab.Host{Name: name, Revoked: true})
		}
	}
	return all
}

// keys sets the valid keys, and forgets hosts with a revoked key.
func (h *hub) keys(keys []Key) {
	var events []lab.Event
	h.mu.Lock()
	now := byName(keys)
	for _, k := range keys {
		if h.public[k.Name] != k.Public {
			events = append(events, lab.Event{What: "the key " + k.Name + " is valid"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h.public)) {
		if now[name] != h.public[name] {
			delete(h.grumble, name)
			h.revoked[name] = true
			events = append(events, lab.Event{What: "the key " + name + " is revoked"})
			if s := h.seats[name]; s != nil && !s.left() && !s.silent {
				events = append(events, lab.Event{Host: name, What: "is gone with its boards: its key is revoked"})
			}
			delete(h.seats, name)
			h.notify()
		}
	}
	h.public = now
	h.mu.Unlock()
	h.tell(events...)
}

// trouble publishes an error in a host's reports, which may recur every second.
func (h *hub) trouble(host string, err error) {
	h.mu.Lock()
	g := h.grumble[host]
	if g == nil {
		g = &seldom{every: time.Minute}
		h.grumble[host] = g
	}
	h.mu.Unlock()
	if g.now() {
		h.tell(lab.Event{Host: host, What: err.Error()})
	}
}
