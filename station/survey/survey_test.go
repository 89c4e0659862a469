package survey

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/cause/search"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/pack"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A resumed survey reuses a result only if it is valid and the latest of its design.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	var out files.Set
	defer out.Discard()
	s := &Survey{Pack: new(pack.Pack), Target: station.NewTarget("rp2040"), DesignPattern: regexp.MustCompile("")}
	if err := s.SaveTo(&out, path); err != nil {
		t.Fatal(err)
	}
	chip := &report.Chip{Kind: "rp2040", Device: "a"}
	good := Row{Verdict: "PASS", Vectors: 1, Steps: 9, ComparedBits: 72, Chip: chip}
	for name, change := range map[string]func(*Row){
		"good":      func(*Row) {},
		"fail":      func(r *Row) { r.Verdict, r.FailedVectors, r.FirstDifference = "FAIL", 1, "uo0" },
		"weak":      func(r *Row) { r.Verdict, r.Reason = "WEAK", "uo0 never compared" },
		"weak-pass": func(r *Row) { r.Reason = "uo0 never compared" },
		"fail-pass": func(r *Row) { r.FailedVectors = 1 },
		"nothing":   func(r *Row) { r.ComparedBits = 0 },
		"no-steps":  func(r *Row) { r.Steps = 0 },
		"fine":      func(r *Row) { r.Verdict = "GOOD" },
		"flaky":     func(r *Row) { r.Verdict = "FLAKY" },
		"undecided": func(r *Row) { r.Verdict = notJudged },
		"excused": func(r *Row) {
			r.Verdict, r.FailedVectors, r.FirstDifference, r.Reason = notJudged, 1, "uo0", "a wire"
		},
		"chipless": func(r *Row) { r.Chip = nil },
	} {
		row := good
		row.Design = name
		if change(&row); s.keep(row) != nil {
			t.Fatal(row)
		}
	}
	twice := good
	twice.Design = "twice"
	later := Row{Design: twice.Design, Verdict: notJudged}
	if err := cmp.Or(s.keep(twice), s.keep(later), out.Commit()); err != nil {
		t.Fatal(err)
	}
	rows, err := read(path, s.head())
	if got := slices.Sorted(maps.Keys(rows)); err != nil || !slices.Equal(got, []string{"fail", "good", "weak"}) {
		t.Errorf("%v, %v", got, err)
	}
	s.Version = "v2"
	if _, err := s.Resume(path); err == nil || !strings.Contains(err.Error(), `the bench was "" there and is "v2"`) {
		t.Errorf("another bench's results are taken over: %v", err)
	}
}

// A line that was changed is rejected, even if only its coverage is slightly higher.
func TestChangedLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	var out files.Set
	defer out.Discard()
	s := &Survey{Pack: new(pack.Pack), Target: station.NewTarget("mock")}
	row := Row{Design: "a", Verdict: "PASS", Steps: 9, ComparedBits: 72, Coverage: new(51.9),
		Chip: &report.Chip{Kind: "mock"}}
	if err := s.SaveTo(&out, path); cmp.Or(err, s.keep(row), out.Commit()) != nil {
		t.Fatal(err)
	}
	text := testkit.Must(os.ReadFile(path))(t)
	for coverage, want := range map[string]int{"51.9": 1, "52.9": 0, "99999": 0} {
		file := bytes.Replace(text, []byte("51.9"), []byte(coverage), 1)
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, rows, err := readFile(path); err != nil || len(rows) != want {
			t.Errorf("%s %%: %v, %v", coverage, rows, err)
		}
	}
}

// Results are saved at once, and a survey can resume from them however the bench ended.
func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	s := &Survey{Pack: new(pack.Pack), Target: station.NewTarget("mock"), RandomSteps: 2}
	var out files.Set
	defer out.Discard()
	if err := s.SaveTo(&out, path); err != nil {
		t.Fatal(err)
	}
	row := Row{Design: "a", Verdict: "PASS", Vectors: 1, Steps: 2, ComparedBits: 8, Chip: &report.Chip{Kind: "mock"}}
	if err := s.keep(row); err != nil {
		t.Fatal(err)
	}
	if rows, err := read(files.PartName(path), s.head()); err != nil || rows["a"].Verdict != "PASS" {
		t.Errorf("%v, %v", rows, err)
	}
	again := *s
	if n, err := again.Resume(path); err != nil || n != 1 || again.passed["a"].Verdict != "PASS" {
		t.Errorf("--resume of the name that was given: %v, %v", again.passed, err)
	}
}

// All results, resumed and new, must belong to the same chip.
func TestReached(t *testing.T) {
	of := func(device string) report.Chip {
		return report.Chip{Kind: "rp2040", Device: device, Design: "each has its own"}
	}
	earlier := of("a")
	earlier.Design = ""
	s := &Survey{Pack: &pack.Pack{Index: pack.Index{Designs: []pack.Design{{Name: "x"}, {Name: "y"}}}},
		DesignPattern: regexp.MustCompile("")}
	s.passed = map[string]Row{"x": {Chip: &earlier}, "y": {Chip: &earlier}}
	if err := s.reached(of("b")); err == nil || !strings.Contains(err.Error(), `was "a" there and is "b" here`) {
		t.Errorf("the results of another board are taken over: %v", err)
	}
	s.chip = nil
	if err := s.reached(of("a")); err != nil {
		t.Error(err)
	}
	if err := s.reached(of("b")); err == nil {
		t.Error("another board in the middle of a survey is judged")
	}
}

// A design is read from the pack that the survey has opened, and not from a later file with the same name.
func TestReplaced(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	netlist := testkit.Must(os.ReadFile("../../tile/gates/testdata/" + packed + ".v"))(t)
	s := &Survey{Pack: packOfOne(t, netlist)}
	s.Target.TileOpener = func(_ context.Context, of *station.Target) (tile.Tile, error) {
		text, err := os.ReadFile(filepath.Join(of.TileName, packed+".v"))
		if !bytes.Equal(text, netlist) {
			t.Errorf("the netlist is %q", text)
		}
		return nil, err
	}
	if _, err := s.tile(t.Context(), &s.Pack.Designs[0]); err != nil {
		t.Error(err)
	}
}

// If a line is wrong in the factory test, too, the design is not blamed, even if the line was proven before.
func TestBrokenLine(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s := mockSurvey(t)
	for _, c := range []struct{ fault, verdict, why string }{
		{"", "WEAK", "uo7 and level 0 of uo4 never compared"}, {"uo3=stuck1", notJudged, "not the design"},
	} {
		s.Target.Faults, s.chip = strings.Fields(c.fault), nil
		rows := testkit.Must(s.Run(t.Context()))(t)
		if rows[0].Verdict != c.verdict || !strings.Contains(rows[0].Reason, c.why) || rows[0].FailedVectors > 1 {
			t.Errorf("%q: %+v", c.fault, rows)
		}
		s.open = nil // the line breaks after it was proven
		row, err := s.judge(t.Context(), s.Designs()[0], &witness{folder: t.TempDir()}, true)
		if err != nil || row.Verdict != c.verdict || !strings.Contains(row.Reason, c.why) || row.RecordingDigest == "" {
			t.Errorf("%q, proven: %+v, %v", c.fault, row, err)
		}
	}
}

// A wire that explains a FAIL is named as in a diagnosis. A simulated design has no wires, so a cell is named.
func TestCause(t *testing.T) {
	p := testkit.Must(project.Open("../../tile/gates/testdata/" + packed + ".v"))(t)
	x := testkit.Must(gates.Open(p))(t)
	chip := mock.Open(mock.Config{Tile: x, Faults: search.MustParse(x, "uo1=stuck1").Faults})
	steps := testkit.Must(tile.RandomSteps(x, rand.New(rand.NewPCG(1, 1)), 200))(t)
	got := make([]transport.Sample, len(steps))
	testkit.Must(chip.Apply(t.Context(), steps, got))(t)
	w := &witness{executions: []execution{{"random/00001", steps, got}}}
	for simulated, want := range map[bool]string{false: "bits are explained if uo1 is stuck at 1",
		true: "^explained by .* stuck at 1"} {
		if got := testkit.Must(w.cause(t.Context(), x, simulated))(t); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%q; want %q", got, want)
		}
	}
	w.cleared = true
	if got := testkit.Must(w.cause(t.Context(), x, false))(t); !strings.HasPrefix(got, "explained by ") ||
		!strings.HasSuffix(got, "; the factory test clears the wires, so it is the design") {
		t.Errorf("of a chip with good wires: %q", got)
	}
}

// A design that cannot be opened is an ERROR. If the factory test cannot, either, or is behind a bad wire, all ends.
func TestObstacle(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s := mockSurvey(t)
	mock := station.Mock()
	selects := s.Target.Kinds[0].HasFactoryTest
	for _, c := range []struct {
		selects            func(*station.Target, *station.Chip) bool
		opens, fault, want string
	}{
		{selects, "1", "", ""}, {selects, "none", "", "--settle"}, {nil, "1", "", ""}, {nil, "none", "", "--settle"},
		{selects, "1", "ui3=stuck0", "the wiring is at fault: a fault in the wires"},
	} {
		s.Target.Kinds[0].HasFactoryTest = c.selects
		s.Target.Faults = strings.Fields(c.fault)
		s.Target.Kinds[0].Open = func(ctx context.Context, of *station.Target, at string, chip *station.Chip) (
			transport.Transport, error) {
			if of.Design != c.opens {
				return nil, failure.Usagef("--settle")
			}
			return mock.Open(ctx, of, at, chip)
		}
		rows, err := s.Run(t.Context())
		switch ended := err != nil && len(rows) == 0; {
		case ended != (c.want != ""), ended && !strings.HasPrefix(err.Error(), c.want),
			!ended && rows[0].Reason != "--settle":
			t.Errorf("%+v: %+v, %v", c, rows, err)
		}
	}
}

// A resumed survey reruns designs that passed until the chip has been opened for one of them. If one fails now, another
// chip is reported. A FAIL remains a FAIL.
func TestPassedBefore(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s := mockSurvey(t)
	kind := &s.Target.Kinds[0]
	kind.HasWires = false
	rows, err := s.Run(t.Context())
	if err != nil || len(rows) != 1 {
		t.Fatalf("%+v, %v", rows, err)
	}
	failed, kept := rows[0], 0
	s.keep = func(Row) error { kept++; return nil }
	failed.Verdict = "FAIL"
	for _, was := range []Row{failed, rows[0]} {
		s.passed, s.chip = map[string]Row{packed: was}, nil
		if now, err := s.Run(t.Context()); err != nil || now[0].Verdict != was.Verdict || kept > 0 {
			t.Errorf("%+v, %v, kept again %d times", now, err, kept)
		}
	}
	s.passed, s.chip = map[string]Row{packed: rows[0]}, nil
	open := kind.Open
	kind.Open = func(ctx context.Context, of *station.Target, where string, c *station.Chip) (transport.Transport,
		error) {
		tr, err := open(ctx, of, where, c)
		return inverted{tr}, err
	}
	if rows, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "was WEAK there, and fails here") {
		t.Errorf("%+v, %v", rows, err)
	}
}

// inverted is a transport that inverts one output.
type inverted struct{ transport.Transport }

func (i inverted) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := i.Transport.Apply(ctx, steps, samples)
	for j := range samples {
		samples[j].Out ^= 1
	}
	return n, err
}

func mockSurvey(t *testing.T) *Survey {
	t.Helper()
	mock := station.Mock()
	s := &Survey{Pack: packOfOne(t, testkit.Must(os.ReadFile("../../tile/gates/testdata/"+packed+".v"))(t)),
		DesignPattern: regexp.MustCompile(""), RandomSteps: 200, Target: station.NewTarget("it"),
		OnDesign: func(string) func() { return func() {} }, keep: func(Row) error { return nil }}
	s.Target.Kinds = []station.Kind{{Name: "it", DefaultBoard: "mock", HasWires: true, Open: mock.Open,
		CheckFaults: mock.CheckFaults, HasFactoryTest: func(*station.Target, *station.Chip) bool { return true }}}
	s.Target.TileOpener = func(_ context.Context, of *station.Target) (tile.Tile, error) {
		return gates.Open(testkit.Must(project.Open(of.TileName))(t))
	}
	return s
}

// packed is the only design of packOfOne.
const packed = "tt_um_bench_turn"

func packOfOne(t *testing.T, netlist []byte) *pack.Pack {
	t.Helper()
	repo := t.TempDir()
	project, path := filepath.Join(repo, "projects", packed), filepath.Join(repo, "a.pack")
	err := errors.Join(os.MkdirAll(project, 0o777), os.WriteFile(filepath.Join(project, packed+".v"), netlist, 0o666),
		os.WriteFile(filepath.Join(project, "info.yaml"), []byte("project:\n  top_module: "+packed+"\n"), 0o666),
		files.WriteWith(path, 0, func(w io.Writer) error { _, err := pack.Make(repo, w, nil, nil); return err }))
	if err != nil {
		t.Fatal(err)
	}
	p := testkit.Must(pack.Open(path))(t)
	t.Cleanup(func() { p.Close() })
	return p
}

// Suggestions lengthens a search that left a WEAK on a board, and shortens the first search in a simulation. It passes
// over a design that a search would not help.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		chip     string
		explored bool
		want     string
	}{
		{"rp2040", false, "--budget 10s"}, {"rp2040", true, "--budget 40s"},
		{"netlist", false, "--budget 2.5s"}, {"netlist", true, "--budget 10s"},
	} {
		s := &Survey{Pack: &pack.Pack{Index: pack.Index{Designs: []pack.Design{{Name: "x"}}}}, Explore: c.explored,
			Target: station.NewTarget(c.chip), Budget: 10 * time.Second, chip: &report.Chip{Kind: c.chip}}
		steps := s.Suggestions([]Row{{Design: "y", Verdict: "WEAK", MostFaultsUnknown: true},
			{Design: "x", Verdict: "WEAK", Explored: c.explored}})
		if len(steps) != 1 || steps[0].Args[0] != "explore" ||
			!strings.Contains(strings.Join(steps[0].Args, " "), c.want+" ") {
			t.Errorf("%+v: %q", c, steps)
		}
	}
}
