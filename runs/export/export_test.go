package export

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// A played tile has a reference that returns given samples for any steps.
type played struct {
	samples []transport.Sample
	refuses bool // rejects every step
}

func (*played) Name() string                  { return "played" }
func (*played) Revision() string              { return "r2" }
func (*played) Others() []tile.Tile           { return nil }
func (*played) Idle() uint8                   { return 0 }
func (*played) Drives(transport.Step) uint8   { return 0 }
func (p *played) New() tile.Reference         { return p }
func (p *played) Lint([]transport.Step) error { return lintOf(p.refuses) }

func lintOf(refuses bool) error {
	if refuses {
		return &tile.IllegalStepError{Step: 1, Reason: "both would drive"}
	}
	return nil
}

func (p *played) Run(steps []transport.Step, samples []transport.Sample) error {
	copy(samples[:len(steps)], p.samples)
	return nil
}

// three has a step of each kind: a reset, a uio line that the bench drives, and a plain sample.
var three = []transport.Step{
	{In: 0x12, Reset: true, Clocks: 10},
	{In: 0x80, IO: 0xA5, Drive: 0x0F, Clocks: 1},
	{In: 0x7F},
}

var shown = []transport.Sample{
	{OutX: 0xFF, IOX: 0xFF},
	{Out: 0xC1, IO: 0x05, IOX: 0xF0},
	{Out: 0x40, OutX: 0x0F, IO: 0x33},
}

func job(name string, checks ...golden.Check) driver.Job {
	return driver.Job{File: "own.vec", Vector: &golden.Vector{Name: name, Line: 7,
		Sequence: golden.Sequence{Steps: three, Checks: checks}}}
}

// recorded returns a recording of one vector that was completed, then interrupted, and of one that was not run.
func recorded(t *testing.T) *report.Recording {
	t.Helper()
	path := t.TempDir() + "/a.rec"
	var b bytes.Buffer
	w := report.NewWriter(&b)
	trace := func(n int) *driver.Trace {
		return &driver.Trace{Steps: three, Got: []transport.Sample{
			{OutX: 0xFF, IOX: 0xFF}, {Out: 0xC3, IO: 0x05, IOX: 0x80}, {}}[:n]}
	}
	v := job("own/a").Vector
	err := errors.Join(w.Start(report.Run{Vectors: 2, Count: 2}),
		w.Result(&driver.Result{Vector: v, Iteration: 1, Verdict: driver.Fail, Trace: trace(3)}),
		w.Result(&driver.Result{Vector: job("own/b").Vector, Iteration: 1, Verdict: driver.Skipped}),
		w.Result(&driver.Result{Vector: v, Iteration: 2, Verdict: driver.Error, Trace: trace(2)}),
		w.End(report.Outcome{Tally: &driver.Tally{}}))
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, b.String())
	rec, err := report.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func TestCSV(t *testing.T) {
	var b strings.Builder
	e := Exporter{Tile: &played{samples: shown}, Formats: []Format{NewCSV(&b, 0)}}
	if err := e.AddJobs(t.Context(), driver.Iterations([]driver.Job{job("own/a")}, 1)); err != nil {
		t.Fatal(err)
	}
	const want = `vector,step,ui,uio,uio_driven,rst_n,clocks,linger,uo_want,uo_mask,uio_want,uio_mask
own/a,1,12,00,00,0,10,0,00,00,00,00
own/a,2,80,05,0F,1,1,0,C1,FF,05,0F
own/a,3,7F,00,00,1,0,0,40,F0,33,FF
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}

func TestCSVOfARecording(t *testing.T) {
	var b strings.Builder
	e := Exporter{Tile: &played{samples: shown}, Formats: []Format{NewCSV(&b, 1)}}
	if err := errors.Join(e.AddRecording(t.Context(), "a", recorded(t), nil), e.End()); err != nil {
		t.Fatal(err)
	}
	const want = "vector,step,ui,uio,uio_driven,rst_n,clocks,linger,uo_want,uo_mask,uio_want,uio_mask," +
		`uo_got,uio_got,iteration
own/a,1,12,00,00,0,10,0,00,00,00,00,xxxxxxxx,xxxxxxxx,1
own/a,2,80,05,0F,1,1,0,C1,FF,05,0F,11000011,x0000101,1
own/a,3,7F,00,00,1,0,0,40,F0,33,FF,00000000,00000000,1
own/a,1,12,00,00,0,10,0,00,00,00,00,xxxxxxxx,xxxxxxxx,2
own/a,2,80,05,0F,1,1,0,C1,FF,05,0F,11000011,x0000101,2
own/a,3,7F,00,00,1,0,0,40,F0,33,FF,,,2
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
	if e.Vectors != 2 || e.Steps != 6 || e.Omitted != 1 {
		t.Errorf("%d vectors, %d steps, %d left out; want 2, 6, 1", e.Vectors, e.Steps, e.Omitted)
	}
}

func TestVerilog(t *testing.T) {
	var b strings.Builder
	p := &played{samples: shown}
	about := About{Tile: p, Source: "a test,\n`define TOP", Digest: "0123", Bench: `v1\`}
	e := Exporter{Tile: p, Formats: []Format{NewVerilog(&b, about)}}
	if err := errors.Join(e.AddRecording(t.Context(), "a", recorded(t), nil), e.End()); err != nil {
		t.Fatal(err)
	}
	head, body, ok := strings.Cut(b.String(), testbench)
	const want = `  initial begin
    begins;

    vector("own/a");
    apply(68'h12_00_00_0_0A_00_00_00_00); // 1 reset, ui 12, 10 clocks
    apply(68'h80_05_0F_1_01_C1_FF_05_0F); // 2 clock, ui 80, uio x5
    apply(68'h7F_00_00_1_00_40_F0_33_FF); // 3 look, ui 7F

    vector("own/a@2");
    apply(68'h12_00_00_0_0A_00_00_00_00); // 1 reset, ui 12, 10 clocks
    apply(68'h80_05_0F_1_01_C1_FF_05_0F); // 2 clock, ui 80, uio x5
    apply(68'h7F_00_00_1_00_40_F0_33_FF); // 3 look, ui 7F

    ends("level 1 of uo1-uo5, level 0 of uo0, uo6 never compared: a chip with stuck outputs there passes too");
  end
endmodule
`
	if !ok || body != want {
		t.Errorf("got\n%s", body)
	}
	for _, line := range []string{"//   tile      played r2", "//   vectors   SHA-256 0123", "//   bench     v1",
		"`define TOP played", "`define UTFBENCH_TURNS 8'h00"} {
		if !slices.Contains(strings.Split(head, "\n"), line) {
			t.Errorf("the head has no line %q:\n%s", line, head)
		}
	}
	if strings.Contains(head, "\n`define TOP\n") || strings.Count(head, "define TOP") != 2 {
		t.Errorf("a comment has got out of its line:\n%s", head)
	}
}

func TestQuoted(t *testing.T) {
	for s, want := range map[string]string{
		"chip/a":                 `"chip/a"`,
		"a\"b\\c":                `"a\"b\\c"`,
		"é\n":                    `"\303\251\012"`,
		strings.Repeat("x", 999): `"` + strings.Repeat("x", nameBytes) + `"`,
	} {
		if got := quoted(s); got != want {
			t.Errorf("%q is %s; want %s", s, got, want)
		}
	}
}

// Steps that must not reach a chip, and vectors that the reference contradicts, are not exported.
func TestRefused(t *testing.T) {
	wrong := golden.Check{Step: 1, Out: golden.Bits{Mask: 0x02, Level: 0x02}, Line: 9}
	for want, c := range map[string]struct {
		tile *played
		job  driver.Job
	}{
		"own.vec:7: step 1 after the reset: both would drive": {&played{samples: shown, refuses: true},
			job("a")},
		"own.vec:7: the reference contradicts the vector at line 9, step 1 after the reset": {&played{samples: shown},
			job("a", wrong)},
	} {
		e := Exporter{Tile: c.tile}
		err := e.AddJobs(t.Context(), driver.Iterations([]driver.Job{c.job}, 1))
		if err == nil || !strings.HasPrefix(err.Error(), want) || e.Vectors != 0 {
			t.Errorf("%d vectors, error %v; want none, %s", e.Vectors, err, want)
		}
	}
}

func TestOtherRevisionIsLeftOut(t *testing.T) {
	old := job("own/old")
	old.Vector.Revision = "r1"
	e := Exporter{Tile: &played{samples: shown}}
	err := e.AddJobs(t.Context(), driver.Iterations([]driver.Job{old, job("own/a")}, 1))
	if err != nil || e.Vectors != 1 || e.Omitted != 1 {
		t.Errorf("%d vectors, %d left out, %v; want one each", e.Vectors, e.Omitted, err)
	}
}

// A failed write is reported.
func TestFailedWrite(t *testing.T) {
	full := errors.New("the disk is full")
	p := &played{samples: shown}
	for name, to := range map[string]Format{"verilog": NewVerilog(fails{full}, About{Tile: p}),
		"csv": NewCSV(fails{full}, 0)} {
		e := Exporter{Tile: p, Formats: []Format{to}}
		if err := e.AddJobs(t.Context(), driver.Iterations([]driver.Job{job("a")}, 1)); !errors.Is(err, full) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type fails struct{ err error }

func (f fails) Write([]byte) (int, error) { return 0, f.err }
