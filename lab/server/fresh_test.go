package server

import (
	"testing"
	"time"

	"utfbench/transport/lab"
)

// A fresh invitation works at once, before the server looks for new keys.
func TestFreshInvitation(t *testing.T) {
	t.Parallel() // it mostly waits
	cfg := config(t)
	cfg.Look = time.Hour
	start(t, cfg)
	inv, err := Invite(cfg.Data, "a")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := lab.Dial(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}
