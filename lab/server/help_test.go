package server

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"utfbench/transport/lab"
)

// A told is the events of a server.
type told struct {
	mu     sync.Mutex
	events []string
}

func (o *told) tell(e lab.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.events = append(o.events, e.String())
}

// has waits until an event was told that has some words.
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

// config is that of a server for tests: it looks often, and silence is what a test makes it.
func config(t *testing.T) Config {
	return Config{Data: filepath.Join(t.TempDir(), "lab"), Listen: "127.0.0.1:0", Look: 10 * time.Millisecond,
		Silent: time.Minute, Bench: "v1"}
}

func start(t *testing.T, cfg Config) *Server {
	t.Helper()
	s, err := Start(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// soon waits for what happens without a word.
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

// invite lets somebody in.
func invite(t *testing.T, s *Server, name string) (*lab.Invitation, *lab.Conn) {
	t.Helper()
	inv, err := Invite(s.cfg.Data, name)
	if err != nil {
		t.Fatal(err)
	}
	// before it counts nobody dials: NATS 2.15.2 has a data race between a client that comes and keys that change
	soon(t, "the key "+name, func() bool { return s.Key(name) != "" })
	return inv, dial(t, inv)
}

func dial(t *testing.T, inv *lab.Invitation) *lab.Conn {
	t.Helper()
	conn, err := lab.Dial(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func report(host string, boards ...lab.Board) *lab.Report {
	return &lab.Report{Protocol: lab.Protocol, Bench: "v1", Host: host, Machine: "m-" + host, Instance: "1",
		Boards: boards}
}

// leaving is what a host says last.
func leaving(host string) *lab.Report {
	r := report(host)
	r.Left = true
	return r
}

func board(name string, state lab.State) lab.Board {
	return lab.Board{Name: name, Kind: "mock", What: "a chip", State: state}
}

// boards are those of the lab, as a client sees them.
func boards(t *testing.T, c *lab.Conn) string {
	t.Helper()
	list, err := c.Boards(t.Context())
	if err != nil {
		t.Fatal(err)
	}
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

// refused wants one sentence with some words in it.
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
