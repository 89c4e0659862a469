package plan

import (
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/utf"
)

// OnlyJob requires a single vector. For a larger selection, the error states its size.
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

// DistinctJobs does not read all iterations of a long run.
func TestDistinctOfManyIterations(t *testing.T) {
	p := testkit.Must((&Selection{Tile: utf.TT09, Suites: []string{"man7"}}).Plan(1 << 40))(t)
	if jobs := p.DistinctJobs(); len(jobs) != p.Vectors || len(jobs) != 633 {
		t.Errorf("%d of %d vectors", len(jobs), p.Vectors)
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
}

func second[T any](_ T, err error) error { return err }
