package export

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"utfbench/runs/report"
	"utfbench/transport"
)

// What nobody can know is not counted, what was not read is wrong and has no level, and each run has its own sums.
func TestSQLite(t *testing.T) {
	var b bytes.Buffer
	s, err := NewSQLite(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := []transport.Sample{{Out: 1, OutX: 0x80, IOX: 0xFF}, {IOX: 0xFF}, {}}
	for _, run := range []struct {
		name string
		got  []transport.Sample
	}{{"7", []transport.Sample{{Out: 0x81, IO: 0xFF}, {OutX: 2}}}, {"8", want[:2]}} {
		err = errors.Join(err, s.Run(run.name, &report.Start{Tags: map[string]string{"vdd": "1.8"}}),
			s.Vector(&Vector{Name: "a/b", Iteration: 1, Verdict: "FAIL", Steps: make([]transport.Step, 3), Want: want,
				Got: run.got}))
	}
	if err = errors.Join(err, s.End()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.db")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]int{
		"SELECT count(*) FROM runs":                   2,
		"SELECT count(*) FROM tags WHERE key = 'vdd'": 2,
		"SELECT count(*) FROM wrong":                  1,
		"SELECT count(*) FROM wrong WHERE run = 1 AND line = 'uo1' AND step = 2 AND got IS NULL":     1,
		"SELECT steps FROM lines WHERE run = 1 AND line = 'uo7'":                                     1,
		"SELECT steps FROM lines WHERE run = 2 AND line = 'uo0'":                                     2,
		"SELECT count(*) FROM lines WHERE line = 'uio0' AND steps = 0 AND rate IS NULL":              2,
		"SELECT first_wrong_step FROM executions WHERE run = 1 AND steps = 3 AND answered = 2":       2,
		"SELECT count(*) FROM executions WHERE run = 2 AND first_wrong_step IS NULL AND suite = 'a'": 1,
	} {
		var got int
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", query, got, err, want)
		}
	}
}

// A database that cannot be written is an error, and leaves nothing behind.
func TestSQLiteFails(t *testing.T) {
	full := errors.New("full")
	s, err := NewSQLite(fails{full})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.End(); !errors.Is(err, full) {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.folder); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", s.folder, err)
	}
}
