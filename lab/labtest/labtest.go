// Package labtest serves a lab to tests.
package labtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/failure"
	"utfbench/lab"
	"utfbench/lab/host"
	"utfbench/lab/server"
	"utfbench/lab/user"
	"utfbench/station/native"
)

// A Lab is a lab that a test serves.
type Lab struct {
	T      testing.TB
	Data   string
	Config server.Config
	Server *server.Server
}

// Serve serves a lab until the end of a test.
func Serve(t testing.TB, change func(*server.Config)) *Lab {
	t.Helper()
	l := &Lab{T: t, Data: t.TempDir()}
	l.Config = server.Config{DataDir: l.Data, Listen: "127.0.0.1:0", OnEvent: func(string) {},
		Sizes: lab.Sizes{Replicas: 1, Inputs: 64 << 20, Recordings: 64 << 20}}
	if change != nil {
		change(&l.Config)
	}
	l.Start()
	t.Cleanup(func() { l.Server.Close() })
	return l
}

// Start starts the server, at its previous address if it had one.
func (l *Lab) Start() {
	l.T.Helper()
	s, err := server.Start(l.T.Context(), l.Config)
	if err != nil {
		l.T.Fatal(err)
	}
	l.Server, l.Config.Listen = s, s.Address()
}

// NewKey invites a machine and returns the key for which it exchanges the invitation.
func (l *Lab) NewKey(name, role string) *lab.Credential {
	l.T.Helper()
	inv, err := server.Invite(l.Data, name, role, time.Hour)
	if err != nil {
		l.T.Fatal(err)
	}
	own, err := lab.Enrol(l.T.Context(), inv)
	if err != nil {
		l.T.Fatal(err)
	}
	return own
}

// Dial connects with a key until the end of the test.
func (l *Lab) Dial(own *lab.Credential) *nats.Conn {
	l.T.Helper()
	nc, err := lab.Dial(l.T.Context(), own)
	if err != nil {
		l.T.Fatal(err)
	}
	l.T.Cleanup(nc.Close)
	return nc
}

// Enter connects to the lab with a new key in a role.
func (l *Lab) Enter(name, role string) *lab.Store {
	l.T.Helper()
	s, err := lab.Open(l.T.Context(), l.Dial(l.NewKey(name, role)))
	if err != nil {
		l.T.Fatal(err)
	}
	return s
}

// Mocks returns boards named m0, m1 and so on, one for each fault; "" makes a good board.
func Mocks(faults ...string) (all []*host.Board) {
	for n, f := range faults {
		t := native.NewTarget("mock")
		if f != "" {
			t.Faults = []string{f}
		}
		all = append(all, &host.Board{Name: "m" + string(rune('0'+n)), Target: t})
	}
	return all
}

// Join offers the boards of a host until the test ends or leave is called.
func (l *Lab) Join(name string, s *lab.Store, boards []*host.Board) (leave func()) {
	l.T.Helper()
	h := host.Host{Store: s, Name: name, Version: "test", Boards: boards, OnEvent: func(string) {}}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	failure.Go(func() { ended <- h.Run(ctx) })
	var once sync.Once
	leave = func() {
		once.Do(func() {
			stop()
			if err := <-ended; err != nil {
				l.T.Error(err)
			}
		})
	}
	l.T.Cleanup(leave)
	return leave
}

// AwaitBoards waits until the given number of boards are announced, and returns them.
func (l *Lab) AwaitBoards(s *lab.Store, some int) []lab.Board {
	l.T.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if all, err := user.Boards(l.T.Context(), s); err == nil && len(all) >= some {
			return all
		}
	}
	l.T.Fatalf("%d boards are not announced within a minute", some)
	return nil
}
