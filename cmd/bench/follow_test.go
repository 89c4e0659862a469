package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"utfbench/lab/host"
	"utfbench/lab/server"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport"
	"utfbench/transport/lab"
	"utfbench/transport/mock"
)

// offered is a lab in this process that offers boards until the test ends.
func offered(t *testing.T, offers []host.Offer) (s *server.Server, conn *lab.Conn, invite string) {
	t.Helper()
	data := t.TempDir()
	s, err := server.Start(context.Background(), server.Config{Data: data, Listen: "127.0.0.1:0", Bench: "test"})
	if err != nil {
		t.Fatal(err)
	}
	inv, err := server.Invite(data, "pi1")
	if err != nil {
		t.Fatal(err)
	}
	invite = filepath.Join(data, "pi1.invite")
	if err := os.WriteFile(invite, inv.Text(), 0o600); err != nil {
		t.Fatal(err)
	}
	conn = dialSoon(t, inv)
	h := host.Host{Bench: "test", Find: func() []host.Offer { return offers }, Tell: func(string) {}}
	ctx, leave := context.WithCancel(context.Background())
	left := make(chan error, 1)
	go func() { left <- h.Run(ctx, conn) }()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if _, err := conn.Request(t.Context(), "pi1", "use.pi1.pi1.none.take", nil); err == nil {
			break // the host hears
		}
	}
	t.Cleanup(func() {
		leave()
		if err := <-left; err != nil {
			t.Error("the host: ", err)
		}
		conn.Close()
		s.Close()
	})
	return s, conn, invite
}

// A lab that serves the boards that bench lab join names, until the test ends; it gives the server and the invitation.
func aLab(t *testing.T, join ...string) (s *server.Server, invite string) {
	t.Helper()
	data := t.TempDir()
	s, err := server.Start(context.Background(), server.Config{Data: data, Listen: "127.0.0.1:0", Bench: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	invite = server.InviteFile(data)
	ctx, leave := context.WithCancel(context.Background())
	joined := make(chan int)
	var said bytes.Buffer
	go func() { joined <- run(ctx, append([]string{"lab", "join", invite}, join...), nil, &said, &said) }()
	t.Cleanup(func() {
		leave()
		if code := <-joined; code != exitPass && code != exitInterrupted { // which it is if it had only just joined
			t.Errorf("the host: exit code %d, and it says\n%s", code, &said)
		}
	})
	return s, invite
}

// A patient mock waits now and then until the lab shows how far its user is, so that it does not end before.
type patient struct {
	*mock.Transport
	calls *atomic.Int64
	shown func() bool
	seen  *atomic.Bool
}

func (p *patient) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	p.wait()
	return p.Transport.Apply(ctx, steps, samples)
}

func (p *patient) Burst(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at transport.Timing) error {
	p.wait()
	return p.Transport.Burst(ctx, steps, samples, at)
}

// wait waits at the eighth call, the 16th, the 32nd and so on, since at some of them nothing is done yet.
func (p *patient) wait() {
	if n := p.calls.Add(1); n < 8 || n&(n-1) != 0 {
		return
	}
	end := time.Now().Add(3 * lab.Beat)
	for ; !p.seen.Load() && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		p.seen.Store(p.shown())
	}
}

// Whatever is done with a board of a lab, those who look on see how far it is, in its own unit.
func TestFollowed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, args, unit, words string }{
		{"matrix", "matrix -t lab:a -t mock --no-history", "", "PASS"},
		{"lab sweep", "lab sweep INVITE --space ops --depth 3", "blocks", "by this board: "},
		{"sweep", "sweep -t lab:a --space ops --depth 3", "blocks", "cases wrong: 0"},
		{"timing", "timing -t lab:a --suite guide --run 300-200", "settings", ""},
		{"shmoo", "shmoo -t lab:a -x period=60ns..100ns/20 --suite guide --run 300-200", "cells", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			var s *server.Server
			var seen atomic.Bool
			shown := func() bool {
				list := s.Boards()
				b, err := list.Find("a")
				if err != nil || b.Progress == nil || b.Progress.Run == nil {
					return false
				}
				r := b.Progress.Run
				return r.Done > 0 && r.Unit == c.unit && strings.Contains(r.Verdicts, c.words)
			}
			of, kinds := native.New("mock"), native.Kinds()
			of.Kinds = kinds[:1]
			open := kinds[0].Open
			kinds[0].Open = func(ctx context.Context, t *station.Target, where string,
				c *station.Chip) (transport.Transport, error) {
				tr, err := open(ctx, t, where, c)
				if err != nil {
					return nil, err
				}
				return &patient{tr.(*mock.Transport), new(atomic.Int64), shown, &seen}, nil
			}
			var invite string
			s, _, invite = offered(t, []host.Offer{{Name: "a", Target: of}})
			inLab(t, s, "a", lab.Free)
			args := strings.Fields(strings.ReplaceAll(c.args, "INVITE", invite))
			if !strings.Contains(c.args, "INVITE") {
				args = append(args, "--invite", invite)
			}
			if code, said := bench(t, args...); code != exitPass || !seen.Load() {
				t.Errorf("exit code %d, seen %t, and it says\n%s", code, seen.Load(), said)
			}
		})
	}
}
