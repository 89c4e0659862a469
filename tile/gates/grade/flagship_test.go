package grade

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// Each vector that long searches found for the UTF chip is legal, has the same samples from gates and model, and shows
// the faults named in its title, which the chip's own vectors leave open.
func TestFlagshipSearches(t *testing.T) {
	x, _ := gates.FaultTile(utf.TT09)
	l, text := gates.NewFaultList(x.Design), testkit.Must(os.ReadFile("testdata/flagship.vec"))(t)
	suite := testkit.Must(golden.Parse("flagship", string(text), tile.Dialect(utf.TT09)))(t)
	for i := range suite.Vectors {
		of := &suite.Vectors[i]
		v := Vector{Steps: of.Steps, Want: make([]transport.Sample, len(of.Steps))}
		if err := cmp.Or(utf.TT09.Lint(v.Steps), tile.Expect(utf.TT09, v.Steps, v.Want)); err != nil {
			t.Fatal(of.Name, err)
		}
		if wrong := FindMismatch(l, []Vector{v}); wrong != nil {
			t.Error(of.Name, wrong)
		}
		names, only := strings.Fields(of.Source.Row), []int32(nil)
		for k, c := range l.Classes {
			if slices.Contains(names, l.Describe(c.Faults[0])) {
				only = append(only, int32(k))
			}
		}
		g := testkit.Must((&Grader{List: l, Classes: only, Vectors: []Vector{v}, Prove: true}).Grade(t.Context()))(t)
		if g.Count(Found) != len(names) {
			t.Errorf("%s shows %d of the faults %s", of.Name, g.Count(Found), of.Source.Row)
		}
	}
}

// No vector shows the first faults in never.txt, which the UTF chip's own vectors leave open. The others are traced.
func TestFlagshipNever(t *testing.T) {
	x, _ := gates.FaultTile(utf.TT09)
	l, names := gates.NewFaultList(x.Design), testkit.Must(os.ReadFile("testdata/never.txt"))(t)
	var classes []int32
	for i, c := range l.Classes {
		if slices.Contains(strings.Fields(string(names)), l.Describe(c.Faults[0])) {
			classes = append(classes, int32(i))
		}
	}
	reset := transport.Step{In: 0xFF, Reset: true, Clocks: 1}
	got, err := proveClasses(t.Context(), l, classes, 10*workPerSecond, &reset)
	if len(classes) != 19 || len(got.never) != 14 || len(got.paths) < 4 || err != nil {
		t.Errorf("of %d classes %d are proved, %d traced, %v", len(classes), len(got.never), len(got.paths), err)
	}
	for _, steps := range got.paths {
		s := start{chip: x.Design.NewChip(nil)}
		for _, step := range append([]transport.Step{reset}, steps...) {
			s.apply(x, step)
		}
		g := Grader{List: l, Classes: classes, Vectors: []Vector{{Steps: s.steps, Want: s.want}}}
		if testkit.Must(g.Grade(t.Context()))(t).Count(Found) == 0 {
			t.Error("no fault shows in the steps ", steps)
		}
	}
	short := Grader{List: l, Classes: classes, Prove: true, Budget: workPerSecond,
		Vectors: []Vector{{Steps: []transport.Step{reset}, Want: make([]transport.Sample, 1)}}}
	if got := testkit.Must(short.Grade(t.Context()))(t); got.Count(Untestable)+got.Unproved < 14 {
		t.Errorf("with a limit %d classes are untestable, and %d perhaps", got.Count(Untestable), got.Unproved)
	}
}
