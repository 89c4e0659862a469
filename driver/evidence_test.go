package driver

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// The bit-sliced counters agree with simple counters.
func TestEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e Evidence
		var want [16]LineEvidence
		for range rapid.IntRange(0, 300).Draw(t, "steps") {
			s := transport.Step{Drive: rapid.Byte().Draw(t, "drive")}
			w := transport.Sample{OutX: rapid.Byte().Draw(t, "x"), IOX: rapid.Byte().Draw(t, "iox")}
			w.Out, w.IO = rapid.Byte().Draw(t, "out")&^w.OutX, rapid.Byte().Draw(t, "io")
			e.Add([]transport.Step{s}, []transport.Sample{w})
			for i := range 8 {
				count(&want[i], w.Out>>i&1, w.OutX>>i&1)
				count(&want[8+i], w.IO>>i&1, (w.IOX|s.Drive)>>i&1)
			}
		}
		for i, got := range e.Lines() {
			if want[i].Line = transport.Lines[transport.UO+i]; got != want[i] {
				t.Fatalf("%+v; want %+v", got, want[i])
			}
		}
	})
}

func count(l *LineEvidence, level, unknown uint8) {
	switch {
	case unknown != 0:
	case level != 0:
		l.High++
	default:
		l.Low++
	}
}

func TestEvidenceAllocatesNothing(t *testing.T) {
	var e Evidence
	steps, want := make([]transport.Step, 1000), make([]transport.Sample, 1000)
	if n := testing.AllocsPerRun(10, func() { e.Add(steps, want) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// The verdict of a zero Result or Tally is not PASS.
func TestZeroIsNoPass(t *testing.T) {
	var r Result
	var tally Tally
	if r.Verdict == Pass || tally.Verdict() == Pass {
		t.Errorf("%s, %s", r.Verdict, tally.Verdict())
	}
}

// dim is the UTF chip's tile with a reference that knows only some outputs.
type dim struct {
	utf.Tile
	knows transport.Outputs
	level int // 0 or 1 if the reference knows only this level of a line; otherwise it knows both
}

func (d dim) New() tile.Reference { return &dimmed{d.Tile.New(), d} }

type dimmed struct {
	tile.Reference
	of dim
}

func (d *dimmed) Run(steps []transport.Step, samples []transport.Sample) error {
	if err := d.Reference.Run(steps, samples); err != nil {
		return err
	}
	for i := range samples[:len(steps)] {
		forget := ^d.of.knows
		switch levels := samples[i].Levels(); d.of.level {
		case 0:
			forget |= levels
		case 1:
			forget |= ^levels
		}
		samples[i].SetUnknown(forget)
	}
	return nil
}

// A run with a DoubtReason is WEAK for that reason, whatever outputs the user accepts.
func TestDoubtIsNoPass(t *testing.T) {
	r := Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09}),
		Rules: Rules{DoubtReason: "uo3 was stuck", AcceptedLines: ^transport.Outputs(0)}}
	tally, err := r.Run(t.Context(), allJobs(t))
	if err != nil || tally.Verdict() != Weak || tally.Weakness() != "uo3 was stuck" {
		t.Errorf("%s, %q, %v", tally.Verdict(), tally.Weakness(), err)
	}
}

// If the level of a line was never known, Weakness says that it may be undriven, but only for a line of uio.
func TestNoLevel(t *testing.T) {
	const why = " never compared: neither the reference nor the samples had a level of "
	for never, want := range map[transport.Outputs]string{2: "uo1" + why + "uo1",
		0x802: "uo1, uio3" + why + "uo1, uio3 (perhaps the design does not drive uio3)"} {
		tally := Tally{Outputs: never | 1, UnknownLines: never}
		tally.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{OutX: 0xFE, IOX: 0xFF},
			{Out: 1, OutX: 0xFE, IOX: 0xFF}})
		if got := tally.Weakness(); got != want {
			t.Errorf("%v: %q; want %q", never, got, want)
		}
	}
}

// A level that was never compared makes a run WEAK, unless the design provably never drives it, by its gates or because
// all its inputs or states were compared.
func TestMissingLevel(t *testing.T) {
	const stuck = " never compared: a chip with stuck outputs there passes too"
	for _, c := range []struct {
		outputs    transport.Outputs // uo0 was compared at both levels, uo1 and uo2 at 0
		impossible tile.Levels
		coverage   *tile.FaultCoverage
		want       string
	}{
		{7, tile.Levels{}, nil, "level 1 of uo1-uo2" + stuck},
		{7, tile.Levels{High: 2}, nil, "level 1 of uo2" + stuck},
		{7, tile.Levels{High: 6}, nil, ""},
		{0x107, tile.Levels{High: 0x106}, nil, "uio0 never compared"},
		{0x107, tile.Levels{High: 4}, nil, "uio0 and level 1 of uo1" + stuck},
		{7, tile.Levels{}, &tile.FaultCoverage{Faults: 1, Found: 1, ProvedInputs: 256}, ""},
		{7, tile.Levels{High: 6}, &tile.FaultCoverage{Faults: 1, BesideModel: true}, ""},
		{7, tile.Levels{}, &tile.FaultCoverage{Faults: 1, Found: 1}, "level 1 of uo1-uo2" + stuck},
	} {
		tally := Tally{Outputs: c.outputs, ImpossibleLevels: c.impossible, Coverage: c.coverage}
		tally.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{OutX: 0xF8, IOX: 0xFF},
			{Out: 1, OutX: 0xF8, IOX: 0xFF}})
		tally.Verdicts[Pass] = 1
		verdict := Pass
		if c.want != "" {
			verdict = Weak
		}
		if got := tally.Weakness(); got != c.want || tally.Verdict() != verdict {
			t.Errorf("%v, impossible %v: %s, %q; want %q", c.outputs, c.impossible, tally.Verdict(), got, c.want)
		}
	}
}

func TestWeak(t *testing.T) {
	const all, both = ^transport.Outputs(0), 2
	jobs := allJobs(t)
	for _, c := range []struct {
		knows    transport.Outputs
		level    int
		accepted string
		want     Verdict
		why, gap string
	}{
		{all, both, "", Pass, "", ""},
		{0xFFFE, both, "", Weak, "uo0 never compared", "uo0"},
		{0x00F0, both, "uo0-uo3", Weak, "uio0-uio7 never compared", "uo0-uo3, uio0-uio7"},
		{0x00F0, both, "uo0-uo3,uio0-uio7", Pass, "", "uo0-uo3, uio0-uio7"},
		{all, 0, "", Weak, "level 1 of uo0-uo7, uio0-uio7 never compared", "level 1 of uo0-uo7, uio0-uio7"},
		{all, 1, "", Weak, "level 0 of uo0-uo7, uio0-uio7 never compared", "level 0 of uo0-uo7, uio0-uio7"},
		{all, 1, "uo0-uo7,uio0-uio7", Pass, "", "level 0 of uo0-uo7, uio0-uio7"},
		{0, both, "uo0-uo7,uio0-uio7", Skipped, "", "uo0-uo7, uio0-uio7"},
	} {
		var accepted transport.Outputs
		if c.accepted != "" {
			var err error
			if accepted, err = ParseOutputs(c.accepted); err != nil {
				t.Fatal(err)
			}
		}
		of := dim{utf.TT09, c.knows, c.level}
		// without checkpoints, which would contradict a reference that knows less
		bare := make([]Job, len(jobs))
		for i, j := range jobs {
			v := *j.Vector
			v.Checks = nil
			bare[i] = Job{Vector: &v, File: j.File}
		}
		r := Runner{Tile: of, Transport: mock.Open(mock.Config{Tile: utf.TT09}), Rules: Rules{AcceptedLines: accepted}}
		tally, err := r.Run(t.Context(), bare)
		if err != nil {
			t.Fatal(err)
		}
		why, gap := tally.Weakness(), tally.Gap().String()
		if got := tally.Verdict(); got != c.want || c.want != Skipped && !strings.Contains(why, c.why) ||
			c.why == "" && c.want == Pass && why != "" || gap != c.gap {
			t.Errorf("knows %04x at %d, accepted %q: %s, %q, gap %q; want %s, %q, gap %q", uint16(c.knows), c.level,
				c.accepted, got, why, gap, c.want, c.why, c.gap)
		}
	}
}

// A vector in which nothing can be compared is SKIPPED.
func TestNothingToCompare(t *testing.T) {
	r := Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09})}
	tally, err := r.Run(t.Context(), []Job{{Vector: &golden.Vector{Name: "s/empty"}}})
	if err != nil || tally.Verdicts[Pass] != 0 || tally.Verdict() != Skipped {
		t.Errorf("%s, %v, %+v", tally.Verdict(), err, tally.Verdicts)
	}
}

func TestParseOutputs(t *testing.T) {
	for list, want := range map[string]transport.Outputs{"uo0": 1, "uo0-uo7": 0xFF, "uio0-uio7,uo3": 0xFF08,
		"uo7-uio0": 0x180, " uo1 , uo2": 6} {
		if got, err := ParseOutputs(list); err != nil || got != want {
			t.Errorf("%q: %04x, %v; want %04x", list, uint16(got), err, uint16(want))
		}
	}
	for _, list := range []string{"", "uo8", "ui0", "uo3-uo1", "uo1-", "-uo1", "clk", "uo0 uo1"} {
		if got, err := ParseOutputs(list); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("%q: %04x, %v; want an error that says what is allowed", list, uint16(got), err)
		}
	}
}

// mortal is a tile whose references fail once they have run a number of steps in total.
type mortal struct {
	utf.Tile
	left *int
}

var errDead = errors.New("the simulator has died")

func (m mortal) New() tile.Reference { return &dying{m.Tile.New(), m.left} }

type dying struct {
	tile.Reference
	left *int
}

func (d *dying) Run(steps []transport.Step, samples []transport.Sample) error {
	if *d.left -= len(steps); *d.left < 0 {
		return errDead
	}
	return d.Reference.Run(steps, samples)
}

// A reference that fails, at any stage, makes the vector an ERROR that does not blame the transport.
func TestReferenceFails(t *testing.T) {
	jobs := allJobs(t)[:40]
	steps := 0
	for _, j := range jobs {
		steps += len(j.Vector.Steps)
	}
	for at := 0; at < steps; at += 7 {
		left := at
		said := ""
		r := Runner{Tile: mortal{utf.TT09, &left}, Transport: mock.Open(mock.Config{Tile: utf.TT09}),
			Report: func(r *Result) { said += r.Reason }}
		tally, err := r.Run(t.Context(), jobs)
		if !errors.Is(err, errDead) || tally.Verdict() != Error || tally.Verdicts[Fail] != 0 ||
			tally.Executions() != len(jobs) {
			t.Fatalf("after %d steps: %s, %v", at, tally.Verdict(), err)
		}
		if strings.Contains(said, "transport") || !strings.Contains(said, "the reference failed") {
			t.Fatalf("after %d steps: %q", at, said)
		}
	}
}
