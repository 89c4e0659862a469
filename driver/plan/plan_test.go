package plan

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/model"
	"utfbench/record"
	"utfbench/report"
	"utfbench/transport/mock"
)

// recorded runs what is selected on a mock and opens the recording.
func recorded(t *testing.T, s *Selection, count int) *record.Recording {
	t.Helper()
	p, err := s.Plan(count)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.rec")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := record.NewWriter(f, p.Suites...)
	start := report.Run{Vectors: p.Vectors, Count: p.Count}
	start.Digest, start.Revision = p.Digest, "tt09"
	keep := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	keep(w.Start(start))
	r := driver.Runner{Transport: mock.Open(mock.Config{Revision: model.TT09}), Revision: model.TT09,
		Report: func(r *driver.Result) { keep(w.Result(r)) }}
	tally, err := r.RunRounds(context.Background(), p.Rounds)
	keep(err)
	keep(w.End(report.Outcome{Tally: tally}))
	rec, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// A recording is asked for what it holds and is selected, in its order, as often as it was asked.
func TestReplay(t *testing.T) {
	rec := recorded(t, &Selection{Suites: []string{"man7"}}, 2)
	all, err := (&Selection{}).Replay(rec, model.TT09)
	if err != nil || all.Count != 2 || all.Vectors < 2 || all.Note != "" {
		t.Fatalf("%+v, %v", all, err)
	}
	var names []string
	for n, job := range all.Rounds {
		if n == 1 {
			names = append(names, job.Vector.Name)
		}
	}
	one, err := (&Selection{Match: "^" + names[1] + "$"}).Replay(rec, model.TT09)
	if err != nil || one.Vectors != 1 {
		t.Fatalf("%+v, %v", one, err)
	}
	kept := 0
	for p, err := range rec.Passes() {
		if err != nil {
			t.Fatal(err)
		}
		if one.Keep(p) {
			kept++
		}
	}
	if kept != 2 {
		t.Errorf("%d passes of one vector are kept, in two rounds", kept)
	}
}

// What a user gets wrong is one sentence.
func TestBadSelections(t *testing.T) {
	for says, s := range map[string]*Selection{
		"--run: error parsing regexp":      {Match: "("},
		`--suite: unknown suite "nothing"`: {Suites: []string{"nothing"}},
		"--file: ":                         {Files: []string{"no/such.vec"}},
	} {
		for name, err := range map[string]error{"Jobs": second(s.Jobs()), "Plan": second(s.Plan(1))} {
			if err == nil || !strings.HasPrefix(err.Error(), says) {
				t.Errorf("%s: %v, want %q", name, err, says)
			}
		}
	}
	rec := recorded(t, &Selection{Match: "/0000007E/"}, 1)
	if _, err := (&Selection{Files: []string{"a.vec"}}).Replay(rec, model.TT09); err == nil || !strings.HasPrefix(err.Error(), "--file does not go") {
		t.Error(err)
	}
	rec.Unread = os.ErrInvalid
	if err := Judgeable(rec); err == nil || !strings.Contains(err.Error(), "cannot be read by this bench") {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// A recording of other vectors is judged, with a note.
func TestOtherVectors(t *testing.T) {
	rec := recorded(t, &Selection{Match: "/0000007E/"}, 1)
	rec.Start.Digest = "other"
	r, err := (&Selection{}).Replay(rec, model.TT09)
	if err != nil || !strings.HasPrefix(r.Note, "the recording asked other vectors") {
		t.Errorf("%+v, %v", r, err)
	}
}
