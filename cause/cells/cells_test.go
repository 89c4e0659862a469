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

func compiled(t *testing.T, text string, faults ...gates.CellFault) *gates.Design {
	t.Helper()
	c, _, err := gates.ReadNetlist(gates.Source{File: "tt09.v", Text: text}, faults)
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
	return testkit.Must(ExpectedVectors(t.Context(), of, jobs))(t)
}

// The error for a netlist of another revision names that revision.
func TestOtherRevision(t *testing.T) {
	list := gates.NewFaultList(compiled(t, netlist(t, "../../utf/tt09.v")))
	for _, c := range []struct {
		of   tile.Tile
		list *gates.FaultList
		want string
	}{{utf.TT08, list, "; it matches tt09: give --revision tt09"},
		{utf.TT09, gates.NewFaultList(compiled(t, netlist(t, "turn.v"))), "of another design or revision"}} {
		some := vectors(t, c.of, "sequences")[:200]
		wrong := grade.FindMismatch(c.list, some)
		if wrong == nil {
			t.Fatal("the netlist is taken for another's")
		}
		err := AddRevisionHint(c.of, c.list, some, wrong)
		var mismatch *grade.Mismatch
		if !errors.As(err, &mismatch) || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if wrong := grade.FindMismatch(list, vectors(t, utf.TT09, "sequences")); wrong != nil {
		t.Error(wrong)
	}
}

// ExpectedVectors rejects a vector with steps that must not reach a chip.
func TestIllegal(t *testing.T) {
	all := testkit.Must(tile.Suites(utf.TT09))(t)
	v := all[0].Vectors[0]
	v.Steps = append([]transport.Step{v.Steps[0]}, transport.Step{In: 0xFF, Drive: 0xFF, Clocks: 1})
	v.Steps[1].In &^= 0x20 // a read while the bench drives
	if _, err := ExpectedVectors(t.Context(), utf.TT09, []driver.Job{{Vector: &v, File: "f.vec"}}); err == nil ||
		!strings.HasPrefix(err.Error(), "f.vec:") {
		t.Error(err)
	}
}
