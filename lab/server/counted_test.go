package server

import (
	"errors"
	"testing"
	"time"

	"utfbench/transport/lab"
)

// A fresh invitation works at once, whether or not its creator waited for the server.
func TestFreshInvitation(t *testing.T) {
	t.Parallel() // it mostly waits
	cfg := config(t)
	cfg.Look = time.Second // longer than its use takes
	s := start(t, cfg)
	for _, name := range []string{"a", "b"} {
		inv, err := Invite(cfg.Data, name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "a" {
			if err := Counted(cfg.Data, name); err != nil || s.Key(name) == "" {
				t.Errorf("%v, %q", err, s.Key(name))
			}
		}
		conn, err := lab.Dial(t.Context(), inv)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		conn.Close()
	}
	if err := errors.Join(Revoke(cfg.Data, "a"), Counted(cfg.Data, "a")); err != nil || s.Key("a") != "" {
		t.Errorf("%v, %q", err, s.Key("a"))
	}
}

// No command waits for a server that is not running, or that was killed and left its file.
func TestCountedWithoutServer(t *testing.T) {
	cfg := config(t)
	s := start(t, cfg)
	s.Close()
	if _, err := Invite(cfg.Data, "a"); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if err := Counted(cfg.Data, "a"); err != nil || time.Since(begun) > countLate {
		t.Errorf("%v after %s", err, time.Since(begun))
	}
}
