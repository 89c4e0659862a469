package export

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// played is a tile whose reference returns given samples whatever the steps are.
type played struct {
	samples []transport.Sample
	refuses bool // the lint rejects every step
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

// three has one step of each kind: a reset, a step that drives a line of uio, and a plain sample.
var three = []transport.Step{
	{In: 0x12, Reset: true, Clocks: 10},
	{In: 0x80, IO: 0xA5, Drive: 0x0F, Clocks: 1},
	{In: 0x7F},
}

var expected = []transport.Sample{
	{OutX: 0xFF, IOX: 0xFF},
	{Out: 0xC1, IO: 0x05, IOX: 0xF0},
	{Out: 0x40, OutX: 0x0F, IO: 0x33},
}

func job(name string, checks ...golden.Check) driver.Job {
	return driver.Job{File: "own.vec", Vector: &golden.Vector{Name: name, Line: 7,
		Sequence: golden.Sequence{Steps: three, Checks: checks}}}
}

func written(t *testing.T, b *Testbench, jobs ...driver.Job) (string, error) {
	t.Helper()
	var text strings.Builder
	err := b.Write(t.Context(), &text, driver.Iterations(jobs, 1))
	return text.String(), err
}

func TestTestbench(t *testing.T) {
	p := &played{samples: expected}
	text, err := written(t, &Testbench{Tile: p, Digest: "01\n`define TOP", BenchVersion: `v1\`}, job("own/a"))
	if err != nil {
		t.Fatal(err)
	}
	head, body, ok := strings.Cut(text, testbench)
	const want = `  initial begin
    begins;

    // own.vec:7
    vector("own/a");
    apply(68'h12_00_00_0_0A_00_00_00_00); // 1 reset, ui 12, 10 clocks
    apply(68'h80_05_0F_1_01_C1_FF_05_0F); // 2 clock, ui 80, uio xxxx0101
    apply(68'h7F_00_00_1_00_40_F0_33_FF); // 3 look, ui 7F

    ends("level 1 of uo1-uo5 and level 0 of uo0, uo6 never compared: a chip with stuck outputs there passes too");
  end
endmodule
`
	if !ok || body != want {
		t.Errorf("got\n%s", body)
	}
	for _, line := range []string{"//   tile      played r2", "//   bench     v1",
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

// Write refuses steps that must not reach a chip, and vectors that the reference contradicts.
func TestRefused(t *testing.T) {
	wrong := golden.Check{Step: 1, Out: golden.Bits{Mask: 0x02, Level: 0x02}, Line: 9}
	for want, c := range map[string]struct {
		tile *played
		job  driver.Job
	}{
		"own.vec:7: step 2 (the reset is step 1): both would": {&played{samples: expected, refuses: true}, job("a")},
		"own.vec:7: the reference contradicts the vector at line 9, step 2:": {
			&played{samples: expected}, job("a", wrong)},
	} {
		b := Testbench{Tile: c.tile}
		_, err := written(t, &b, c.job)
		if err == nil || !strings.HasPrefix(err.Error(), want) || !b.IsEmpty() {
			t.Errorf("%s, error %v; want no vector, %s", &b, err, want)
		}
	}
}

func TestOtherRevisionIsLeftOut(t *testing.T) {
	old := job("own/old")
	old.Vector.Revision = "r1"
	b := Testbench{Tile: &played{samples: expected}}
	_, err := written(t, &b, old, job("own/a"))
	if err != nil || b.String() != "1 vector, 3 steps, without the 1 that are for another revision" {
		t.Errorf("%s, %v; want one vector and one omitted", &b, err)
	}
}

// A write error is returned.
func TestFailedWrite(t *testing.T) {
	full := errors.New("the disk is full")
	b := Testbench{Tile: &played{samples: expected}}
	if err := b.Write(t.Context(), fails{full}, driver.Iterations([]driver.Job{job("a")}, 1)); !errors.Is(err, full) {
		t.Error(err)
	}
}

type fails struct{ err error }

func (f fails) Write([]byte) (int, error) { return 0, f.err }
