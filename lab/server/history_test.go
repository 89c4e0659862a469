package server

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// New recordings replace the oldest ones; the runs stay, and an event reports it.
func TestQuota(t *testing.T) {
	var o told
	cfg := config(t)
	cfg.Tell, cfg.Quota = o.tell, 250_000
	s := start(t, cfg)
	_, conn := invite(t, s, "pi1")
	for n := 1; n <= 3; n++ {
		handIn(t, conn, recorded(t, n, 100_000))
	}
	o.has(t, "the recordings of the oldest runs are now removed to keep to the quota of 250 kB")
	if n, err := s.History().Count(); n != 3 || err != nil {
		t.Error(n, err)
	}
	if _, err := conn.Recorded(t.Context(), 3); err != nil {
		t.Error(err)
	}
	_, err := conn.Recorded(t.Context(), 1)
	refused(t, err, "the recording of run 1 of the lab is gone: the lab removed it to keep to its quota")
	if number, had := handIn(t, conn, recorded(t, 1, 100_000)); number != 1 || !had {
		t.Errorf("it is handed in again as %d, %t", number, had)
	}
}

// Invalid queries, and those of a newer bench, are rejected in one sentence.
func TestQuestions(t *testing.T) {
	s := start(t, config(t))
	_, conn := invite(t, s, "pi1")
	for verb, words := range map[string]string{
		"dance":     `the lab's bench (v1) does not know the request "dance"`,
		"run.dance": `does not know the request "run.dance"`,
		"run.part":  "does not know", "run.read.1": "does not know",
		"run.list": "invalid query", "run.vectors": "invalid query", "run.find": "invalid query",
		"run.read.x.0": "invalid query", "run.read.1.-1": "invalid query", "run.read.7.0": "of run 7 is gone",
	} {
		_, err := ask(t, conn, verb, "")
		refused(t, err, words)
	}
	_, err := conn.Recorded(t.Context(), 0)
	refused(t, err, "the lab's history has no run yet")
	_, err = conn.Recorded(t.Context(), 7)
	refused(t, err, "the lab's history has no run 7")
	_, err = ask(t, conn, "run.list", `{"protocol":2,"bench":"v9"}`)
	refused(t, err, "the machine with the key pi1 (bench v9) speaks version 2")
}

// A damaged history is set aside, at the start or later, and the lab continues with a new one made from the recordings.
func TestDamagedHistory(t *testing.T) {
	var o told
	cfg := config(t)
	cfg.Tell = o.tell
	s := start(t, cfg)
	_, conn := invite(t, s, "pi1")
	for n := 1; n <= 2; n++ {
		handIn(t, conn, recorded(t, n, 10))
	}
	s.Close()
	spoil(t, cfg.Data)
	s = start(t, cfg)
	o.has(t, "a new one was begun, with 2 runs from recordings")
	inv, err := lab.ReadInvitation(InviteFile(cfg.Data))
	if err != nil {
		t.Fatal(err)
	}
	conn = dial(t, inv)
	for n := 1; n <= 3; n++ {
		if number, had := handIn(t, conn, recorded(t, n, 10)); number != n || had != (n < 3) {
			t.Errorf("run %d is handed in as %d, %t", n, number, had)
		}
	}
	spoil(t, cfg.Data)
	if _, err := s.History().Get(1); err != nil { // notices the change
		t.Error(err)
	}
	if number, had := handIn(t, conn, recorded(t, 4, 10)); number != 4 || had || o.count("a new one was begun") != 2 {
		t.Errorf("%d, %t, %d", number, had, o.count("a new one was begun"))
	}
}

// spoil overwrites the history.
func spoil(t *testing.T, data string) {
	t.Helper()
	if err := os.WriteFile(HistoryFile(data), bytes.Repeat([]byte("spoilt "), 9999), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A history that this bench must not use stays unchanged: the lab serves without one and gives the reason.
func TestNoHistory(t *testing.T) {
	var o told
	cfg := config(t)
	cfg.Tell = o.tell
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(HistoryFile(cfg.Data), bytes.Repeat([]byte("a letter "), 99), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, cfg)
	o.has(t, "the lab keeps no history: ")
	if s.History() != nil {
		t.Error("there is one")
	}
	_, conn := invite(t, s, "pi1")
	text := recorded(t, 1, 10)
	_, _, err := conn.HandIn(t.Context(), offer(text), bytes.NewReader(text))
	refused(t, err, "this lab keeps no history")
	_, err = conn.Runs(t.Context(), lab.RunQuery{})
	refused(t, err, "this lab keeps no history")
}

// A lab's history has the format of every bench's history.
func TestSameFormat(t *testing.T) {
	cfg := config(t)
	s := start(t, cfg)
	_, conn := invite(t, s, "pi1")
	handIn(t, conn, recorded(t, 1, 10))
	f := history.Finder{DB: filepath.Join(cfg.Data, "history.db")}
	if path, err := f.Find("last"); err != nil || path != s.History().Recording(1) {
		t.Errorf("%s, %v", path, err)
	}
}
