package server

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/transport/lab"
)

// A told collects a server's events.
type told struct {
	mu     sync.Mutex
	events []string
}

func (o *told) tell(e lab.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.events = append(o.events, e.String())
}

// has waits for an event with some words.
func (o *told) has(t *testing.T, words string) {
	t.Helper()
	soon(t, "an event with "+words, func() bool { return o.count(words) > 0 })
}

func (o *told) count(words string) (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, e := range o.events {
		if strings.Contains(e, words) {
			n++
		}
	}
	return n
}

// config returns a configuration for tests, with short intervals.
func config(t *testing.T) Config {
	return Config{Data: filepath.Join(t.TempDir(), "lab"), Listen: "127.0.0.1:0", Look: 10 * time.Millisecond,
		Silent: time.Minute, Bench: "v1"}
}

func start(t *testing.T, cfg Config) *Server {
	t.Helper()
	s := testkit.Must(Start(context.Background(), cfg))(t)
	t.Cleanup(s.Close)
	return s
}

// soon waits for a condition.
func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 6000 {
		if is() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("half a minute without ", what)
}

// invite creates a key and connects with it.
func invite(t *testing.T, s *Server, name string) (*lab.Invitation, *lab.Conn) {
	t.Helper()
	inv := testkit.Must(Invite(s.cfg.Data, name))(t)
	// Wait before dialing: NATS 2.15.2 has a data race between a connecting client and changing keys.
	soon(t, "the key "+name, func() bool { return s.Key(name) != "" })
	return inv, dial(t, inv)
}

func dial(t *testing.T, inv *lab.Invitation) *lab.Conn {
	t.Helper()
	conn := testkit.Must(lab.Dial(t.Context(), inv))(t)
	t.Cleanup(conn.Close)
	return conn
}

func reportOf(host string, boards ...lab.Board) *lab.Report {
	return &lab.Report{Protocol: lab.Protocol, Bench: "v1", Host: host, Machine: "m-" + host, Instance: "1",
		Boards: boards}
}

// leaving returns a host's last report.
func leaving(host string) *lab.Report {
	r := reportOf(host)
	r.Left = true
	return r
}

func board(name string, state lab.State) lab.Board {
	return lab.Board{Name: name, Kind: "mock", What: "a chip", State: state}
}

// boards describes the lab's boards, as a client sees them.
func boards(t *testing.T, c *lab.Conn) string {
	t.Helper()
	list := testkit.Must(c.Boards(t.Context()))(t)
	return states(*list)
}

// states lists boards with their states, a line each.
func states(list lab.List) string {
	var all []string
	for i := range list.Boards {
		all = append(all, list.Boards[i].String()+" "+lab.Standing(&list.Boards[i]))
	}
	return strings.Join(all, "\n")
}

func say(t *testing.T, c *lab.Conn, r *lab.Report) {
	t.Helper()
	if err := errors.Join(c.Say(r), c.NATS().Flush()); err != nil {
		t.Fatal(err)
	}
}

// refused checks that an error is one sentence with some words in it.
func refused(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one with %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q; want one sentence with %q", err, w)
		}
	}
}
