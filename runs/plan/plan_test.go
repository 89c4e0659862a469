package plan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// recorded runs a selection on a mock and opens the recording.
func recorded(t *testing.T, s *Selection, count int) *report.Recording {
	t.Helper()
	p, err := s.Plan(count)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.rec")
	f := testkit.Must(os.Create(path))(t)
	defer f.Close()
	w := report.NewWriter(f, p.Suites...)
	start := report.Run{Version: "v1", Vectors: p.Vectors, Count: p.Count, Invocation: p.Invocation}
	start.Digest, start.Revision = p.Digest, "tt09"
	keep := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	keep(w.Start(start))
	r := driver.Runner{Transport: mock.Open(mock.Config{Tile: utf.TT09}), Tile: utf.TT09,
		Report: func(r *driver.Result) { keep(w.Result(r)) }}
	tally, err := r.RunIterations(context.Background(), p.Iterations)
	keep(err)
	keep(w.End(report.Outcome{Tally: tally}))
	rec := testkit.Must(report.Open(path))(t)
	t.Cleanup(func() { rec.Close() })
	return rec
}

// A replay runs the selected vectors of a recording, in its order and equally often.
func TestReplay(t *testing.T) {
	rec := recorded(t, &Selection{Tile: utf.TT09, Suites: []string{"man7"}}, 2)
	all, err := (&Selection{Tile: utf.TT09}).PlanReplay(rec)
	if err != nil || all.Count != 2 || all.Vectors < 2 || all.Note != "" {
		t.Fatalf("%+v, %v", all, err)
	}
	var names []string
	for n, job := range all.Iterations {
		if n == 1 {
			names = append(names, job.Vector.Name)
		}
	}
	one, err := (&Selection{Tile: utf.TT09, Match: "^" + names[1] + "$"}).PlanReplay(rec)
	if err != nil || one.Vectors != 1 {
		t.Fatalf("%+v, %v", one, err)
	}
	kept := 0
	for p, err := range rec.Executions() {
		if err != nil {
			t.Fatal(err)
		}
		if one.Keep(p) {
			kept++
		}
	}
	if kept != 2 {
		t.Errorf("%d executions of one vector are kept, in two rounds", kept)
	}
}

// An invalid selection is reported in one sentence.
func TestBadSelections(t *testing.T) {
	for says, s := range map[string]*Selection{
		"--run: error parsing regexp":      {Tile: utf.TT09, Match: "("},
		`--suite: unknown suite "nothing"`: {Tile: utf.TT09, Suites: []string{"nothing"}},
		"--file: ":                         {Tile: utf.TT09, Files: []string{"no/such.vec"}},
	} {
		for name, err := range map[string]error{"Jobs": second(s.Jobs()), "Plan": second(s.Plan(1))} {
			if err == nil || !strings.HasPrefix(err.Error(), says) {
				t.Errorf("%s: %v, want %q", name, err, says)
			}
		}
	}
	rec := recorded(t, &Selection{Tile: utf.TT09, Match: "/0000007E/"}, 1)
	if _, err := (&Selection{Tile: utf.TT09, Files: []string{"a.vec"}}).PlanReplay(rec); err == nil ||
		!strings.HasPrefix(err.Error(), "--file does not go") {
		t.Error(err)
	}
	rec.SuiteTexts = []report.SuiteText{{File: "a.vec", Text: "of a newer bench"}}
	_, unread := Suites(rec, utf.TT09)
	for name, err := range map[string]error{"Suites": unread,
		"Replay": second((&Selection{Tile: utf.TT09}).PlanReplay(rec))} {
		if err == nil || !strings.Contains(err.Error(), "cannot be read by this bench") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A recording contains the user's own vectors, up to the limit for all files together.
func TestOwnVectors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.vec")
	text := "suite own\ndocument d.md\nsection \"s\"\nvector a \"r\"\n  write utf8 41\n  status READY\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	rec := recorded(t, &Selection{Tile: utf.TT09, Files: []string{path}}, 1)
	suites, err := Suites(rec, utf.TT09)
	if err != nil || len(suites) != 1 || suites[0].Text != text || len(suites[0].Vectors) != 1 ||
		suites[0].Vectors[0].Name != "own/a" {
		t.Errorf("%+v, %v", suites, err)
	}
	twice := Selection{Tile: utf.TT09, Files: []string{path, path}}
	if _, err := twice.Jobs(); err == nil || !strings.Contains(err.Error(), "already selected by --file") {
		t.Error(err)
	}
	if again, err := (&Selection{Tile: utf.TT09}).PlanReplay(rec); err != nil || again.Vectors != 1 ||
		again.Note != "" ||
		len(again.Suites) != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	vector := strings.TrimPrefix(text, "suite own\ndocument d.md\nsection \"s\"\n")
	var many strings.Builder
	for n := range golden.MostVectors/2 + 1 {
		many.WriteString(strings.Replace(vector, "vector a", fmt.Sprint("vector a", n), 1))
	}
	half := strings.TrimSuffix(text, vector) + many.String()
	rec.SuiteTexts = []report.SuiteText{{File: "a.vec", Text: half}, {File: "b.vec", Text: half}}
	if _, err := Suites(rec, utf.TT09); err == nil ||
		!strings.Contains(err.Error(), "at most 30000 in 100663296 bytes fit in one run") {
		t.Error(err)
	}
}

// A lax tile lets all steps reach a chip.
type lax struct{ utf.Tile }

func (lax) Lint([]transport.Step) error { return nil }

// A vector that was not applied in a recorded run stays an ERROR for the same reason, even if its steps are allowed by
// now.
func TestBarred(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.vec")
	text := "suite own\ndocument d.md\nsection \"s\"\nvector a \"r\"\n  step FF 00 FF 1 1 uo=00\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	rec := recorded(t, &Selection{Tile: utf.TT09, Files: []string{path}}, 1)
	again := testkit.Must((&Selection{Tile: lax{utf.TT09}}).PlanReplay(rec))(t)
	r := driver.Runner{Tile: lax{utf.TT09}, Transport: report.NewReplay(rec, again.Keep)}
	var why string
	r.Report = func(res *driver.Result) { why = res.Reason }
	tally, err := r.RunIterations(t.Context(), again.Iterations)
	if err != nil || tally.Illegal != 1 || !strings.Contains(why, "bench and chip would both drive") {
		t.Errorf("%d illegal, %q, %v", tally.Illegal, why, err)
	}
}

func second[T any](_ T, err error) error { return err }

// A recording of other vectors is judged, with a note.
func TestOtherVectors(t *testing.T) {
	rec := recorded(t, &Selection{Tile: utf.TT09, Match: "/0000007E/"}, 1)
	rec.Start.Digest = "other"
	r, err := (&Selection{Tile: utf.TT09}).PlanReplay(rec)
	if err != nil || !strings.HasPrefix(r.Note, "the recording has other vectors") {
		t.Errorf("%+v, %v", r, err)
	}
}

// A recorded run is repeated as it was, with the text of its own vectors; a recording without that data is rejected.
func TestAgain(t *testing.T) {
	rec := recorded(t, &Selection{Tile: utf.TT09, Suites: []string{"man7"}, Match: "le-chk"}, 3)
	p, err := (&Selection{Tile: utf.TT09}).PlanAgain(rec)
	if err != nil || p.Count != 3 || p.Vectors != rec.Start.Vectors || p.Digest != rec.Start.Digest ||
		p.Invocation == nil {
		t.Fatalf("%+v, %v", p, err)
	}
	asked := map[string]int{}
	for n, job := range p.Iterations {
		asked[job.Vector.Name] = n
	}
	for e, err := range rec.Executions() {
		if err != nil || asked[e.Vector] != 3 {
			t.Fatalf("%s: %d times, %v", e.Vector, asked[e.Vector], err)
		}
	}
	part, err := (&Selection{Tile: utf.TT09, Match: "utf8"}).PlanReplay(rec)
	if err != nil || part.Invocation != nil {
		t.Errorf("a part says how it was selected: %+v, %v", part.Invocation, err)
	}
	rec.Start.Digest = "other"
	_, err = (&Selection{Tile: utf.TT09}).PlanAgain(rec)
	if err == nil || !strings.Contains(err.Error(), "use bench v1") {
		t.Errorf("other vectors: %v", err)
	}
	rec.Start.Count = 0
	_, err = (&Selection{Tile: utf.TT09}).PlanAgain(rec)
	if err == nil || !strings.Contains(err.Error(), "has 0 iterations") {
		t.Errorf("no times: %v", err)
	}
	rec.Start.Invocation = nil
	_, err = (&Selection{Tile: utf.TT09}).PlanAgain(rec)
	if err == nil || !strings.Contains(err.Error(), "does not state how") {
		t.Errorf("a part's: %v", err)
	}
}

// A loop needs a single vector; the error for a larger selection states its size.
func TestOne(t *testing.T) {
	p, err := (&Selection{Tile: utf.TT09, Match: "^chip/bmp/0000D800/utf8-be-chk$"}).Plan(1)
	if err != nil {
		t.Fatal(err)
	}
	if job, err := p.OnlyJob(); err != nil || job.Vector.Name != "chip/bmp/0000D800/utf8-be-chk" {
		t.Error(job, err)
	}
	if p, err = (&Selection{Tile: utf.TT09, Suites: []string{"man7"}}).Plan(1); err != nil {
		t.Fatal(err)
	}
	if _, err := p.OnlyJob(); err == nil || !strings.HasPrefix(err.Error(), "loop repeats one vector, and 633 are") {
		t.Error(err)
	}
}

// A long run does not wait for the end of its iterations before the first vector.
func TestDistinctOfManyIterations(t *testing.T) {
	p := testkit.Must((&Selection{Tile: utf.TT09, Suites: []string{"man7"}}).Plan(1 << 40))(t)
	if jobs := p.DistinctJobs(); len(jobs) != p.Vectors || len(jobs) != 633 {
		t.Errorf("%d of %d vectors", len(jobs), p.Vectors)
	}
}
