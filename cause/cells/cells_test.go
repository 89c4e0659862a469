package cells

import (
	"errors"
	"os"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/testkit"
	"utfbench/netlist"
	"utfbench/netlist/stuckat"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

func own(t *testing.T, name string) *netlist.Netlist {
	t.Helper()
	text, err := os.ReadFile("../../netlist/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	n, err := netlist.Read(netlist.File{Name: name, Text: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// vectors are the tile's own of some suites; of all without a name.
func vectors(t *testing.T, of tile.Tile, suites ...string) []stuckat.Vector {
	t.Helper()
	all, err := tile.Suites(of)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []driver.Job
	for _, s := range all {
		for i := range s.Vectors {
			if len(suites) == 0 || strings.Contains(strings.Join(suites, " "), s.Name) {
				jobs = append(jobs, driver.Job{Vector: &s.Vectors[i], File: s.File})
			}
		}
	}
	vs, err := Vectors(t.Context(), of, jobs)
	if err != nil {
		t.Fatal(err)
	}
	return vs
}

// names are the vectors of the tile's short list.
func short(t *testing.T, all []stuckat.Vector) (some []stuckat.Vector) {
	t.Helper()
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

// The short list is of vectors that there are, each once.
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

// The short list finds on a netlist of our own what all vectors find. For the netlists that were fabricated, which are
// not here, it was made by the same command: docs/coverage.md.
func TestSmokeFindsAll(t *testing.T) {
	testkit.Long(t)
	n, all := own(t, "chip.v"), vectors(t, utf.TT09)
	every := stuckat.Classes(n)
	var classes []stuckat.Class
	for i := 0; i < len(every); i += testkit.Pick(30, 1) {
		classes = append(classes, every[i])
	}
	by, err := stuckat.Simulate(t.Context(), n, classes, all)
	if err != nil {
		t.Fatal(err)
	}
	some := short(t, all)
	bySome, err := stuckat.Simulate(t.Context(), n, classes, some)
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for _, v := range some {
		steps += len(v.Steps)
	}
	if steps > 10_000 { // 53,000 steps/s on a demo board: 0.2 s
		t.Errorf("the list has %d steps, too many for a fifth of a second", steps)
	}
	found := 0
	for i := range classes {
		if by[i].Anywhere() {
			found++
		}
		if by[i].Anywhere() && !bySome[i].Anywhere() {
			t.Errorf("%v is found by a vector that is not in the list", &classes[i][0])
		}
	}
	if found < len(classes)*9/10 {
		t.Errorf("only %d of %d classes were found", found, len(classes))
	}
}

// A list finds what all vectors find, has none that is not needed, and keeps what was in it.
func TestShortest(t *testing.T) {
	n, all := own(t, "chip.v"), vectors(t, utf.TT09, "guide")[:testkit.Pick(24, 120)]
	keep := all[testkit.Pick(7, 77)].Name
	list, err := Shortest(t.Context(), n, all, []string{keep, "of/another-revision"})
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Names) > 40 || !strings.Contains(strings.Join(list.Names, " "), keep) {
		t.Errorf("%d of 120 vectors, %q", len(list.Names), list.Names)
	}
	if list.Names[0] != "of/another-revision" {
		t.Error("what is kept for another revision is gone")
	}
	list.Names = list.Names[1:]
	classes := stuckat.Classes(n)
	count := func(without string) (found int) {
		var some []stuckat.Vector
		for _, v := range all {
			if v.Name != without && (without == "all" || strings.Contains("\n"+strings.Join(list.Names, "\n")+"\n",
				"\n"+v.Name+"\n")) {
				some = append(some, v)
			}
		}
		findings, err := stuckat.Simulate(t.Context(), n, classes, some)
		if err != nil {
			t.Fatal(err)
		}
		for i := range findings {
			if findings[i].Anywhere() {
				found++
			}
		}
		return found
	}
	want := count("all")
	if got := count(""); got != want || got != list.Found.Classes {
		t.Errorf("the list finds %d classes, all vectors %d, and it says %d", got, want, list.Found.Classes)
	}
	for _, name := range list.Names[:5] {
		if name != keep && count(name) == want {
			t.Errorf("%s is not needed", name)
		}
	}
}

// A netlist of another revision is told, with the one that it is of.
func TestOtherRevision(t *testing.T) {
	_, err := Measure(t.Context(), utf.TT08, own(t, "chip.v"), Method{Model: StuckAt},
		vectors(t, utf.TT08, "sequences"))
	var other *stuckat.Other
	if !errors.As(err, &other) || !strings.HasSuffix(err.Error(), "; it does what tt09 shows: give --revision tt09") {
		t.Error(err)
	}
	_, err = Measure(t.Context(), utf.TT09, own(t, "turn.v"), Method{Model: StuckAt}, vectors(t, utf.TT09, "guide")[:3])
	if !errors.As(err, &other) || strings.Contains(err.Error(), "--revision") {
		t.Error(err)
	}
}

// Steps that must not reach a chip are the bench's error.
func TestIllegal(t *testing.T) {
	all, err := tile.Suites(utf.TT09)
	if err != nil {
		t.Fatal(err)
	}
	v := all[0].Vectors[0]
	v.Steps = append([]transport.Step{v.Steps[0]}, transport.Step{In: 0xFF, Drive: 0xFF, Clocks: 1})
	v.Steps[1].In &^= 0x20 // a read, while the bench drives
	if _, err := Vectors(t.Context(), utf.TT09, []driver.Job{{Vector: &v, File: "f.vec"}}); err == nil ||
		!strings.HasPrefix(err.Error(), "f.vec:") {
		t.Error(err)
	}
}

// A part is rounded down, so that 100 % is all of it.
func TestPercent(t *testing.T) {
	for want, of := range map[string][2]int{"100.00 %": {7, 7}, "99.99 %": {99999, 100000}, "33.33 %": {1, 3},
		"-": {0, 0}} {
		if got := percent(of[0], of[1]); got != want {
			t.Errorf("%v: %s, want %s", of, got, want)
		}
	}
}

// A report comes back as it was written, and one whose numbers do not fit is refused.
func TestReadJSON(t *testing.T) {
	r := &Report{Head: document.NewHead("v1"), Module: "m", Model: StuckAt, All: Counts{10, 20}, Untest: Counts{2, 3},
		Open: Counts{1, 1}, Suites: []Suite{{Name: "a", Found: Counts{5, 9}}, {Name: "b", Found: Counts{4, 4}}},
		Total: Suite{Name: "all", Found: Counts{7, 16}}, Faults: []Fault{{Class: 1, Cell: "g", Type: "inv", Pin: "Y",
			What: "stuck at 0"}, {Class: 1, Cell: "g", Pin: "A", What: "stuck at 1"},
			{Class: 2, Cell: "h", Pin: "A", What: "stuck at 1", Untestable: true}}}
	var text strings.Builder
	if err := r.JSON(&text); err != nil {
		t.Fatal(err)
	}
	back, err := ReadJSON(strings.NewReader(text.String()))
	if err != nil || back.Total != r.Total || len(back.Faults) != 3 || back.Faults[0] != r.Faults[0] {
		t.Errorf("%+v, %v", back, err)
	}
	if bars := back.Bars(); len(bars) != 3 || bars[2].OfTestable != "87.50 %" || bars[0].Percent != 50 {
		t.Errorf("%+v", bars)
	}
	if missed := back.Missed(); len(missed) != 1 || missed[0] != "g/Y stuck at 0 (inv)" {
		t.Errorf("%q", missed)
	}
	for _, bad := range []string{"", "[]", strings.Replace(text.String(), `"schema": 1`, `"schema": 2`, 1),
		strings.Replace(text.String(), `"classes": 5`, `"classes": 11`, 1)} {
		if _, err := ReadJSON(strings.NewReader(bad)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}
