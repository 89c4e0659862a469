package cells

import (
	"errors"
	"os"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// compiled returns a netlist of this project's own with faults in its cells.
func compiled(t *testing.T, text string, faults ...gates.CellFault) *gates.Design {
	t.Helper()
	c, _, err := gates.ReadNetlist(gates.Source{File: "chip.v", Text: text}, faults)
	if err != nil {
		t.Fatal(err)
	}
	return testkit.Must(gates.Compile(c))(t)
}

func netlist(t *testing.T, name string) string {
	t.Helper()
	text := testkit.Must(os.ReadFile("../../tile/gates/testdata/" + name))(t)
	return string(text)
}

// vectors returns the tile's own vectors of some suites, or of all.
func vectors(t *testing.T, of tile.Tile, suites ...string) []grade.Vector {
	t.Helper()
	all := testkit.Must(tile.Suites(of))(t)
	var jobs []driver.Job
	for _, s := range all {
		for i := range s.Vectors {
			if len(suites) == 0 || strings.Contains(strings.Join(suites, " "), s.Name) {
				jobs = append(jobs, driver.Job{Vector: &s.Vectors[i], File: s.File})
			}
		}
	}
	return testkit.Must(Vectors(t.Context(), of, jobs))(t)
}

// short selects the vectors of the tile's short list.
func short(all []grade.Vector) (some []grade.Vector) {
	is := map[string]bool{}
	for _, name := range strings.Split(utf.TT09.Smoke(), "\n") {
		is[name] = true
	}
	for _, v := range all {
		if is[v.Name] {
			some = append(some, v)
		}
	}
	return some
}

// The short list names existing vectors, each once.
func TestSmokeNames(t *testing.T) {
	there := map[string]bool{}
	for _, of := range []tile.Tile{utf.TT09, utf.TT08} {
		for _, v := range vectors(t, of) {
			there[v.Name] = true
		}
	}
	count := 0
	for line := range strings.Lines(utf.TT09.Smoke()) {
		name := strings.TrimSpace(line)
		if strings.HasPrefix(name, "#") {
			continue
		}
		if !there[name] {
			t.Errorf("%q is no vector, or comes twice", name)
		}
		there[name], count = false, count+1
	}
	if count < 100 {
		t.Errorf("only %d vectors are in it", count)
	}
}

// On a netlist of this project's own the short list detects all that the complete vectors detect. For the fabricated
// netlists, which are not in this repository, the command in docs/coverage.md made it.
func TestSmokeFindsAll(t *testing.T) {
	testkit.Long(t)
	all := vectors(t, utf.TT09)
	list := grade.NewList(compiled(t, netlist(t, "chip.v")))
	var classes []int32
	for i := 0; i < len(list.Classes); i += testkit.Pick(30, 1) {
		if list.Classes[i].Untestable == "" {
			classes = append(classes, int32(i))
		}
	}
	graded := func(vectors []grade.Vector) *grade.Grading {
		return testkit.Must((&grade.Grader{List: list, Vectors: vectors, Only: classes}).Grade(t.Context()))(t)
	}
	some := short(all)
	by, bySome := graded(all), graded(some)
	steps := 0
	for _, v := range some {
		steps += len(v.Steps)
	}
	if steps > 10_000 { // 53,000 steps/s on a demo board: 0.2 s
		t.Errorf("the list has %d steps, too many for a fifth of a second", steps)
	}
	for _, i := range classes {
		if by.Findings[i].Outcome == grade.Found && bySome.Findings[i].Outcome != grade.Found {
			t.Errorf("%v is found by a vector that is not in the list", list.Describe(list.Classes[i].Faults[0]))
		}
	}
	if found := by.Count(grade.Found); found < len(classes)*9/10 {
		t.Errorf("only %d of %d classes were found", found, len(classes))
	}
}

// A netlist of another revision is reported with its revision.
func TestOtherRevision(t *testing.T) {
	list := grade.NewList(compiled(t, netlist(t, "chip.v")))
	for _, c := range []struct {
		of   tile.Tile
		list *grade.List
		want string
	}{{utf.TT08, list, "; it matches tt09: give --revision tt09"},
		{utf.TT09, grade.NewList(compiled(t, netlist(t, "turn.v"))), "of another design or revision"}} {
		some := vectors(t, c.of, "sequences")[:200]
		wrong := c.list.Check(some)
		if wrong == nil {
			t.Fatal("the netlist is taken for another's")
		}
		err := Hint(c.of, c.list, some, wrong)
		var mismatch *grade.Mismatch
		if !errors.As(err, &mismatch) || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if wrong := list.Check(vectors(t, utf.TT09, "sequences")); wrong != nil {
		t.Error(wrong)
	}
}

// Steps that must not reach a chip are the bench's error.
func TestIllegal(t *testing.T) {
	all := testkit.Must(tile.Suites(utf.TT09))(t)
	v := all[0].Vectors[0]
	v.Steps = append([]transport.Step{v.Steps[0]}, transport.Step{In: 0xFF, Drive: 0xFF, Clocks: 1})
	v.Steps[1].In &^= 0x20 // a read while the bench drives
	if _, err := Vectors(t.Context(), utf.TT09, []driver.Job{{Vector: &v, File: "f.vec"}}); err == nil ||
		!strings.HasPrefix(err.Error(), "f.vec:") {
		t.Error(err)
	}
}
