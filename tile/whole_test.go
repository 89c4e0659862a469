package tile_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/cause/diagnose"
	"utfbench/cause/minimise"
	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/runs/compare"
	"utfbench/runs/explain"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/runs/waveform"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/transport"
)

// vectors of the accumulator, as raw steps, since it has no dialect. The sums were made by hand.
const vectors = `suite sums
document accumulator.md
section "Operations"

vector load "3 loads"
  step 5A 03 03 1 1 uo=5A
  step 00 00 03 1 3 uo=5A

vector add "1 adds, with a carry"
  step F0 03 03 1 1 uo=F0
  step 1F 01 03 1 1 uo=0F
  step 00 00 03 1 0 uo=0F

vector xor "2 takes the exclusive or"
  step FF 03 03 1 1 uo=FF
  step F7 02 03 1 1 uo=08
  step 08 02 03 1 1 uo=00
`

// An unknown tile works in all features: it is opened, run, recorded, replayed and compared, its wires are checked,
// and a failure is explained, drawn, minimised and reported in all formats.
func TestSecondTile(t *testing.T) {
	good, bad := visit(t), visit(t, "uo3=stuck1")
	if v := good.tally.Verdict(); v != driver.Pass || good.tally.Verdicts[driver.Pass] != 3 {
		t.Errorf("without a fault it is %s: %v", v, good.tally.Verdicts)
	}
	if v := bad.tally.Verdict(); v != driver.Fail || bad.first.First.OutDiff != 1<<3 {
		t.Fatalf("with a fault it is %s, first %+v", v, bad.first)
	}
	t.Run("replay", func(t *testing.T) { replayed(t, bad) })
	t.Run("compare", func(t *testing.T) { compared(t, good, bad) })
	t.Run("wiring", func(t *testing.T) { wired(t, good, wiring.Unproven, ""); wired(t, bad, wiring.Unclear, "uo3") })
	t.Run("diagnose", func(t *testing.T) { diagnosed(t, bad) })
	t.Run("waveform", func(t *testing.T) { drawn(t, bad) })
	t.Run("minimise", func(t *testing.T) { shortened(t, bad) })
	t.Run("report", func(t *testing.T) { told(t, bad) })
}

// A tour is a run of the vectors on one chip.
type tour struct {
	chip      *station.Chip
	tally     *driver.Tally
	first     *driver.Result // the first FAIL
	wave      [2]bytes.Buffer
	path      string // of the recording
	dir       string // of all outputs
	diagnosis diagnose.Run
}

func visit(t *testing.T, faults ...string) *tour {
	t.Helper()
	target := native.New("mock")
	target.Tile, target.Faults = accumulator{}, faults
	chip := testkit.Must(target.Open(context.Background()))(t)
	t.Cleanup(func() { chip.Close() })
	v := &tour{chip: chip, dir: t.TempDir(), diagnosis: diagnose.Run{Tile: chip.Tile}}
	v.path = filepath.Join(v.dir, "run.rec")
	selected := plan.Selection{Tile: chip.Tile, Files: []string{filepath.Join(v.dir, "sums.vec")}}
	if err := os.WriteFile(selected.Files[0], []byte(vectors), 0o644); err != nil {
		t.Fatal(err)
	}
	asked := testkit.Must(selected.Plan(1))(t)
	v.run(t, asked)
	return v
}

func (v *tour) run(t *testing.T, asked plan.Plan) {
	t.Helper()
	all := report.All{report.NewWriter(v.create(t, "run.rec"), asked.Suites...),
		&report.Text{Out: v.create(t, "run.txt")},
		report.NewJSON(v.create(t, "run.json")), &report.JUnit{Out: v.create(t, "run.xml")},
		&explain.Page{Out: v.create(t, "run.html")}, report.Each(v.see)}
	run := report.Run{Transport: v.chip.String(), Vectors: asked.Vectors, Count: 1,
		Identity: report.Identity{Chip: v.chip.Asked, Digest: asked.Digest}}
	if err := all.Start(run); err != nil {
		t.Fatal(err)
	}
	r := driver.Runner{Transport: v.chip, Tile: v.chip.Tile, Report: func(res *driver.Result) {
		if err := all.Result(res); err != nil {
			t.Fatal(err)
		}
	}}
	var err error
	if v.tally, err = r.RunIterations(context.Background(), asked.Iterations); err != nil {
		t.Fatal(err)
	}
	if err := all.End(report.Outcome{Tally: v.tally}); err != nil {
		t.Fatal(err)
	}
}

func (v *tour) create(t *testing.T, name string) io.Writer {
	t.Helper()
	f := testkit.Must(os.Create(filepath.Join(v.dir, name)))(t)
	t.Cleanup(func() { f.Close() })
	return f
}

// see keeps the parts of a result that later steps of the tour need.
func (v *tour) see(r *driver.Result) error {
	v.diagnosis.AddResult(r)
	if r.Verdict != driver.Fail || v.first != nil {
		return nil
	}
	kept := *r
	kept.Trace = nil
	v.first = &kept
	if err := waveform.VCD(&v.wave[0], waveform.Whole(r)); err != nil {
		return err
	}
	return waveform.SVG(&v.wave[1], waveform.Around(r))
}

func (v *tour) open(t *testing.T) *report.Recording {
	t.Helper()
	rec := testkit.Must(report.Open(v.path))(t)
	t.Cleanup(func() { rec.Close() })
	return rec
}

func replayed(t *testing.T, v *tour) {
	rec := v.open(t)
	p, err := (&plan.Selection{Tile: accumulator{}}).Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	r := driver.Runner{Transport: report.NewReplay(rec, p.Keep), Tile: accumulator{}}
	tally, err := r.RunIterations(context.Background(), p.Iterations)
	if err != nil || tally.Verdicts != v.tally.Verdicts {
		t.Errorf("judged again it is %v, %v; it was %v", tally.Verdicts, err, v.tally.Verdicts)
	}
}

func compared(t *testing.T, good, bad *tour) {
	sum := testkit.Must(compare.Recordings(good.open(t), bad.open(t), accumulator{}, func(*compare.Difference) {}))(t)
	for i, l := range sum.Lines {
		if differs := i == 3; differs != (l.Steps > 0) || l.WrongA != 0 || l.WrongB != l.Steps {
			t.Errorf("line %d: %+v", i, l)
		}
	}
}

func wired(t *testing.T, v *tour, verdict driver.Verdict, line string) {
	r := testkit.Must(wiring.Check(context.Background(), v.chip, v.chip.Tile))(t)
	lines := r.Lines()
	if r.Verdict != verdict || len(lines) > 1 || line != "" && (len(lines) != 1 || lines[0].Lines[0] != line) {
		t.Errorf("%s: %s, %s, %+v", v.chip, r.Verdict, r.Why, lines)
	}
}

func diagnosed(t *testing.T, v *tour) {
	f := testkit.Must(v.diagnosis.Diagnose())(t)
	if f.Conclusion != diagnose.Unclear || !strings.Contains(f.Causes[0].String(), "uo3=stuck1") {
		t.Errorf("%s: %+v", f.Conclusion, f.Causes)
	}
}

func drawn(t *testing.T, v *tour) {
	for i, want := range []string{" got_uo3 $end", "uo3"} {
		if got := v.wave[i].String(); !strings.Contains(got, want) || strings.Contains(got, "READY") ||
			strings.Contains(got, "BIO") {
			t.Errorf("%.300s\nlacks %q, or names pins of another tile", got, want)
		}
	}
}

func shortened(t *testing.T, v *tour) {
	var steps []transport.Step
	for p, err := range v.open(t).Executions() {
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, p.Steps...)
	}
	s := minimise.Search{Transport: v.chip, Tile: v.chip.Tile}
	r, err := s.Run(context.Background(), steps)
	if err != nil || len(r.Steps) != 1 || !r.Minimal {
		t.Fatalf("%+v, %v", r, err)
	}
	var text bytes.Buffer
	if err := r.Vector(&text, "the sums", v.chip.String(), v.chip.Tile); err != nil {
		t.Fatal(err)
	}
	if _, err := golden.Parse("short.vec", text.String(), tile.Dialect(v.chip.Tile)); err != nil {
		t.Errorf("%v in\n%s", err, text.String())
	}
}

func told(t *testing.T, v *tour) {
	for _, name := range []string{"run.txt", "run.json", "run.xml", "run.html"} {
		text := testkit.Must(os.ReadFile(filepath.Join(v.dir, name)))(t)
		if got := string(text); !strings.Contains(got, "sums/load") || !strings.Contains(got, "uo3") ||
			strings.Contains(got, "BIO") {
			t.Errorf("%s:\n%.600s", name, got)
		}
	}
}
