package station

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
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

func recorded(t *testing.T, s *plan.Selection, count int) *report.Recording {
	t.Helper()
	p := testkit.Must(s.Plan(count))(t)
	path := filepath.Join(t.TempDir(), "a.rec")
	f := testkit.Must(os.Create(path))(t)
	defer f.Close()
	w := report.NewWriter(f, p.Suites...)
	start := report.Run{Version: "v1", Vectors: p.Vectors, Iterations: p.Count, Invocation: p.Invocation}
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

// A replay runs the selected vectors of a recording, in the recorded order and number.
func TestReplay(t *testing.T) {
	rec := recorded(t, &plan.Selection{Tile: utf.TT09, Suites: []string{"man7"}}, 2)
	all, err := planReplay(&plan.Selection{Tile: utf.TT09}, rec)
	if err != nil || all.Count != 2 || all.Vectors < 2 || all.note != "" {
		t.Fatalf("%+v, %v", all, err)
	}
	var names []string
	for n, job := range all.Iterations {
		if n == 1 {
			names = append(names, job.Vector.Name)
		}
	}
	one, err := planReplay(&plan.Selection{Tile: utf.TT09, Match: "^" + names[1] + "$"}, rec)
	if err != nil || one.Vectors != 1 {
		t.Fatalf("%+v, %v", one, err)
	}
	kept := 0
	for p, err := range rec.Executions() {
		if err != nil {
			t.Fatal(err)
		}
		if one.keep(p) {
			kept++
		}
	}
	if kept != 2 {
		t.Errorf("%d executions of one vector are kept, in two rounds", kept)
	}
}

// A recording with unreadable vectors is bad input, and so are files in addition to a recording.
func TestBadReplays(t *testing.T) {
	rec := recorded(t, &plan.Selection{Tile: utf.TT09, Match: "/0000007E/"}, 1)
	if _, err := planReplay(&plan.Selection{Tile: utf.TT09, Files: []string{"a.vec"}}, rec); err == nil ||
		!strings.HasPrefix(err.Error(), "--file does not go") {
		t.Error(err)
	}
	rec.SuiteFiles = []report.SuiteFile{{Name: "a.vec", Text: "of a newer bench"}}
	_, unread := rec.Suites(utf.TT09)
	for name, err := range map[string]error{"Suites": unread,
		"Replay": second(planReplay(&plan.Selection{Tile: utf.TT09}, rec))} {
		if err == nil || !strings.Contains(err.Error(), "cannot be read by this bench") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// A recording includes the user's vectors, up to the limit for all files together.
func TestOwnVectors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.vec")
	text := "suite own\ndocument d.md\nsection \"s\"\nvector a \"r\"\n  write utf8 41\n  status READY\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	rec := recorded(t, &plan.Selection{Tile: utf.TT09, Files: []string{path}}, 1)
	suites, err := rec.Suites(utf.TT09)
	if err != nil || len(suites) != 1 || suites[0].Text != text || len(suites[0].Vectors) != 1 ||
		suites[0].Vectors[0].Name != "own/a" {
		t.Errorf("%+v, %v", suites, err)
	}
	twice := plan.Selection{Tile: utf.TT09, Files: []string{path, path}}
	if _, err := twice.Jobs(); err == nil || !strings.Contains(err.Error(), "already selected by --file") {
		t.Error(err)
	}
	if again, err := planReplay(&plan.Selection{Tile: utf.TT09}, rec); err != nil || again.Vectors != 1 ||
		again.note != "" ||
		len(again.Suites) != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	vector := strings.TrimPrefix(text, "suite own\ndocument d.md\nsection \"s\"\n")
	var many strings.Builder
	for n := range golden.MaxVectors/2 + 1 {
		many.WriteString(strings.Replace(vector, "vector a", fmt.Sprint("vector a", n), 1))
	}
	half := strings.TrimSuffix(text, vector) + many.String()
	rec.SuiteFiles = []report.SuiteFile{{Name: "a.vec", Text: half}, {Name: "b.vec", Text: half}}
	if _, err := rec.Suites(utf.TT09); err == nil ||
		!strings.Contains(err.Error(), "at most 30000 in 100663296 bytes fit in one run") {
		t.Error(err)
	}
}

// lax is a tile whose lint accepts all steps.
type lax struct{ utf.Tile }

func (lax) Lint([]transport.Step) error { return nil }

// A vector that a recorded run did not apply remains an ERROR for the same reason, even if its steps are now allowed.
func TestBarred(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.vec")
	text := "suite own\ndocument d.md\nsection \"s\"\nvector a \"r\"\n  step FF 00 FF 1 1 uo=00\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	rec := recorded(t, &plan.Selection{Tile: utf.TT09, Files: []string{path}}, 1)
	again := testkit.Must(planReplay(&plan.Selection{Tile: lax{utf.TT09}}, rec))(t)
	r := driver.Runner{Tile: lax{utf.TT09}, Transport: report.NewReplay(rec, again.keep)}
	var why string
	r.Report = func(res *driver.Result) { why = res.Reason }
	tally, err := r.RunIterations(t.Context(), again.Iterations)
	if err != nil || tally.IllegalVectors != 1 || !strings.Contains(why, "bench and chip would both drive") {
		t.Errorf("%d illegal, %q, %v", tally.IllegalVectors, why, err)
	}
}

// A recording of other vectors is judged, with a note on them.
func TestOtherVectors(t *testing.T) {
	rec := recorded(t, &plan.Selection{Tile: utf.TT09, Match: "/0000007E/"}, 1)
	rec.Start.Digest = "other"
	r, err := planReplay(&plan.Selection{Tile: utf.TT09}, rec)
	if err != nil || !strings.HasPrefix(r.note, "the recording has other vectors") {
		t.Errorf("%+v, %v", r, err)
	}
}

// A recorded run is repeated as it was, with the text of the user's vectors. A recording without this data is refused.
func TestAgain(t *testing.T) {
	rec := recorded(t, &plan.Selection{Tile: utf.TT09, Suites: []string{"man7"}, Match: "le-chk"}, 3)
	p, err := PlanAgain(&plan.Selection{Tile: utf.TT09}, rec)
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
	part, err := planReplay(&plan.Selection{Tile: utf.TT09, Match: "utf8"}, rec)
	if err != nil || part.Invocation != nil {
		t.Errorf("a part says how it was selected: %+v, %v", part.Invocation, err)
	}
	rec.Start.Digest = "other"
	_, err = PlanAgain(&plan.Selection{Tile: utf.TT09}, rec)
	if err == nil || !strings.Contains(err.Error(), "use bench v1") {
		t.Errorf("other vectors: %v", err)
	}
	rec.Start.Count = 0
	_, err = PlanAgain(&plan.Selection{Tile: utf.TT09}, rec)
	if err == nil || !strings.Contains(err.Error(), "has 0 iterations") {
		t.Errorf("no times: %v", err)
	}
	rec.Start.Invocation = nil
	_, err = PlanAgain(&plan.Selection{Tile: utf.TT09}, rec)
	if err == nil || !strings.Contains(err.Error(), "does not state how") {
		t.Errorf("a part's: %v", err)
	}
}

// A recorded capture is repeated as it was.
func TestCaptureAgain(t *testing.T) {
	asked := &driver.Invocation{Capture: &driver.Capture{Clocks: 9}, NoWiring: true}
	again, err := PlanAgain(&plan.Selection{Tile: utf.TT09},
		&report.Recording{Start: report.Start{Invocation: asked, Count: 1}})
	if err != nil || again.Invocation != asked || again.Vectors == 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
}
