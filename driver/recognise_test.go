package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

var revisions = []tile.Tile{utf.TT09, utf.TT08}

func TestRecogniseThisDesign(t *testing.T) {
	for _, rev := range revisions {
		for name, regs := range map[string]*uint64{
			"unknown": nil,
			"zero":    new(uint64),
			"full": packed(model.Registers{V: 0xFFFFFFFF, Data: 0xFF, N: 7, C: 7, B: 7, U: 7,
				Retry: true, Written: true}),
		} {
			f, err := Recognise(context.Background(), mock.Open(mock.Config{Tile: rev, PowerUp: regs}), rev)
			if err != nil || !f.OK {
				t.Errorf("%s, registers %s before the reset: %q, %v", rev, name, f.Text, err)
			}
		}
	}
}

func packed(r model.Registers) *uint64 {
	p := model.PackRegisters(r)
	return &p
}

// The model's samples for the probe follow from the data sheet: without input, UTF-16 and UTF-8 are at their end.
func TestRecogniseWants(t *testing.T) {
	f, err := Recognise(context.Background(), mock.Open(mock.Config{Tile: utf.TT09}), utf.TT09)
	if err != nil || len(f.Want) < 600 {
		t.Fatalf("%d steps, %v", len(f.Want), err)
	}
	for i, s := range f.Steps {
		want := transport.Sample{Out: model.UEOF | model.BEOF}
		if s.In&model.READ == 0 {
			want = transport.Sample{IOX: 0xFF}
		}
		if f.Want[i] != want {
			t.Fatalf("step %d, %s: wants %+v; the data sheet says %+v", i+1, tile.Describe(utf.TT09, s), f.Want[i],
				want)
		}
	}
}

// Recognise never drives uio, and the chip never samples a floating level.
func TestRecogniseDrivesNoUIO(t *testing.T) {
	steps := utf.TT09.Signature().Steps
	if err := utf.TT09.Lint(steps); err != nil {
		t.Error(err)
	}
	for i, s := range steps {
		if s.Drive != 0 {
			t.Errorf("step %d, %s, drives %02X", i+1, tile.Describe(utf.TT09, s), s.Drive)
		}
	}
}

// another is a different design with its own state.
type another struct {
	answer func(s transport.Step) transport.Sample
}

func (another) String() string { return "another design" }

func (another) Close() error { return nil }

func (a another) Apply(_ context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	for i, s := range steps {
		samples[i] = a.answer(s)
	}
	return len(steps), nil
}

// counter returns a design that counts clock edges on uo and leaves uio undriven, held low.
func counter() another {
	var n uint8
	return another{func(s transport.Step) transport.Sample {
		if n += s.Clocks; s.Reset {
			n = 0
		}
		return transport.Sample{Out: n}
	}}
}

// factoryTest returns Tiny Tapeout's factory test. In reset uo shows ui. Otherwise, if ui0 is high, uo and uio show a
// counter; if it is low, uo shows uio, which is released.
func factoryTest() another {
	var n uint8
	return another{func(s transport.Step) transport.Sample {
		if n += s.Clocks; s.Reset {
			n = 0
		}
		switch {
		case s.Reset:
			return transport.Sample{Out: s.In, IOX: 0xFF}
		case s.In&1 != 0:
			return transport.Sample{Out: n, IO: n}
		}
		return transport.Sample{OutX: 0xFF, IOX: 0xFF}
	}}
}

func fixed(want transport.Sample) another {
	return another{func(transport.Step) transport.Sample { return want }}
}

func TestRecogniseOtherDesigns(t *testing.T) {
	for _, c := range []struct {
		name string
		end  another
		text string
	}{
		{"nothing selected", fixed(transport.Sample{}), "step 1, reset, uo is 00000000 and uio 00000000, not " +
			"11000000 and 00000000: wrong on uo6-uo7: uo is always 00000000"},
		{"all high", fixed(transport.Sample{Out: 0xFF, IO: 0xFF}), "uo is always 11111111"},
		{"nothing is read", fixed(transport.Sample{OutX: 0xFF, IOX: 0xFF}), "uo is xxxxxxxx and uio xxxxxxxx"},
		{"uo as this one's at idle", fixed(transport.Sample{Out: 0xC0}), "at step 3, "},
		{"a counter", counter(), "at step 1, reset, uo is 00000000"},
		{"the factory test", factoryTest(), "at step 1, reset, uo is 11111111"},
		{"ui to uo", another{func(s transport.Step) transport.Sample { return transport.Sample{Out: s.In} }},
			"at step 1, "},
		{"READ to uo7 and uo6 alone, by a clock", latched(), "at step 3, "},
	} {
		f, err := Recognise(context.Background(), c.end, utf.TT09)
		if err != nil || f.OK || f.LikelyMiswired || !strings.Contains(f.Text, c.text) {
			t.Errorf("%s: OK %v, alike %v, %q, %v; want %q", c.name, f.OK, f.LikelyMiswired, f.Text, err, c.text)
		}
	}
}

// latched returns a design that shows the UTF chip's outputs one clock edge late.
func latched() another {
	now := transport.Sample{Out: model.UEOF | model.BEOF}
	return another{func(s transport.Step) transport.Sample {
		if s.Clocks > 0 {
			now = transport.Sample{}
			if s.In&model.READ != 0 {
				now.Out = model.UEOF | model.BEOF
			}
		}
		return now
	}}
}

// Recognise rejects a chip with a single wrong bit in any one sample.
func TestRecogniseMissesNoBit(t *testing.T) {
	f := testkit.Must(Recognise(context.Background(), mock.Open(mock.Config{Tile: utf.TT09}), utf.TT09))(t)
	rapid.Check(t, func(t *rapid.T) {
		at, line, unknown := rapid.IntRange(0, len(f.Steps)-1).Draw(t, "step"), rapid.IntRange(0, 15).Draw(t, "line"),
			rapid.Bool().Draw(t, "unknown")
		if line >= 8 && f.Steps[at].In&model.READ == 0 {
			t.Skip("nobody drives uio")
		}
		chip, n := utf.TT09.New(), -1
		odd := another{func(s transport.Step) transport.Sample {
			m := testkit.Step(t, chip, s)
			if n++; n == at {
				break1(&m, line, unknown)
			}
			return m
		}}
		got, err := Recognise(context.Background(), odd, utf.TT09)
		if want := fmt.Sprintf("at step %d, ", at+1); err != nil || got.OK || !got.LikelyMiswired ||
			!strings.Contains(got.Text, want) {
			t.Fatalf("OK %v, alike %v, %q, %v; want alike and %q", got.OK, got.LikelyMiswired, got.Text, err, want)
		}
		if name := transport.Outputs(0xFFFF).Names()[line]; !strings.Contains(got.Text, "nothing but "+
			name+" differs") {
			t.Fatalf("%q; want %s named", got.Text, name)
		}
	})
}

func break1(m *transport.Sample, line int, unknown bool) {
	bit := uint8(1) << (line % 8)
	levels, x := &m.Out, &m.OutX
	if line >= 8 {
		levels, x = &m.IO, &m.IOX
	}
	if unknown {
		*levels, *x = *levels&^bit, *x|bit
	} else {
		*levels ^= bit
	}
}

// Recognise rejects more than half of the chips with a single fault, so its message must mention a broken chip. Other
// faults, such as uo3=stuck0, appear only after a byte is written.
func TestRecogniseWithFaults(t *testing.T) {
	for _, rev := range revisions {
		ours, like, all := 0, 0, everyFault()
		for i := 0; i < len(all); i += stride {
			text := all[i]
			f, err := Recognise(context.Background(), faulty(t, rev, text), rev)
			if err != nil || f.Text == "" || f.OK && f.LikelyMiswired {
				t.Errorf("%s, %s: OK %v, alike %v, %q, %v", rev, text, f.OK, f.LikelyMiswired, f.Text, err)
			}
			if f.OK {
				ours++
			}
			if f.LikelyMiswired {
				like++
			}
			if strings.HasPrefix(text, "uo") && strings.HasSuffix(text, "=stuck1") && !f.LikelyMiswired {
				t.Errorf("%s, %s: OK %v, %q; want it alike", rev, text, f.OK, f.Text)
			}
		}
		if stride == 1 && (ours != 551 || like != 435) {
			t.Errorf("%s: of %d single faults %d are recognised and %d more alike; want 551 and 435", rev,
				len(all), ours, like)
		}
	}
}

func faulty(t *testing.T, rev tile.Tile, text string) transport.Transport {
	t.Helper()
	f := testkit.Must(model.Bits.Parse(text))(t)
	return mock.Open(mock.Config{Tile: rev, Faults: []fault.Fault{f}})
}

func TestTellRevision(t *testing.T) {
	for _, rev := range revisions {
		got, f, err := DetectRevision(context.Background(), mock.Open(mock.Config{Tile: rev}), utf.TT09)
		if err != nil || !f.OK || got != rev || !strings.HasSuffix(f.Text, " steps as "+rev.Revision()) {
			t.Errorf("%s: told %s, %v, %q, %v", rev, got, f.OK, f.Text, err)
		}
	}
	if err := utf.TT09.Lint(utf.TT09.RevisionSteps()); err != nil {
		t.Error(err)
	}
}

func TestTellNeitherRevision(t *testing.T) {
	for _, end := range []another{fixed(transport.Sample{}), fixed(transport.Sample{OutX: 0xFF, IOX: 0xFF}),
		counter(), factoryTest()} {
		_, f, err := DetectRevision(context.Background(), end, utf.TT09)
		if err != nil || f.OK || !strings.Contains(f.Text, "not as tt09: at step ") ||
			!strings.Contains(f.Text, "; not as tt08: at step ") {
			t.Errorf("told %v, %q, %v", f.OK, f.Text, err)
		}
	}
}

// No single fault makes a chip look like the other revision.
func TestTellRevisionWithFaults(t *testing.T) {
	told := map[tile.Tile]int{}
	all := everyFault()
	for i := 0; i < len(all); i += stride {
		for _, rev := range revisions {
			got, f, err := DetectRevision(context.Background(), faulty(t, rev, all[i]), utf.TT09)
			switch {
			case err != nil:
				t.Errorf("%s, %s: %v", rev, all[i], err)
			case f.OK && got != rev:
				t.Errorf("%s with %s is told as %s", rev, all[i], got)
			case f.OK:
				told[rev]++
			}
		}
	}
	if stride == 1 && (told[utf.TT09] != 165 || told[utf.TT08] != 183) {
		t.Errorf("of %d single faults %v leave the revision told; want 165 of tt09, 183 of tt08", len(all), told)
	}
}

func TestProbesGiveTheTransportsError(t *testing.T) {
	gone := errors.New("the cable is out")
	for name, ask := range map[string]func(transport.Transport) error{
		"Recognise": func(tr transport.Transport) error {
			_, err := Recognise(context.Background(), tr, utf.TT09)
			return err
		},
		"TellRevision": func(tr transport.Transport) error {
			_, _, err := DetectRevision(context.Background(), tr, utf.TT09)
			return err
		},
	} {
		if err := ask(&broken{mock.Open(mock.Config{Tile: utf.TT09}), 5, gone}); !errors.Is(err, gone) {
			t.Errorf("%s: %v; want %v", name, err, gone)
		}
	}
}

// A short response without an error is reported as the transport's fault, not the chip's.
func TestShortAnswer(t *testing.T) {
	short := half{mock.Open(mock.Config{Tile: utf.TT09})}
	if _, err := Recognise(context.Background(), short, utf.TT09); err == nil ||
		!strings.Contains(err.Error(), "without an error") {
		t.Errorf("Recognise: %v; want an error", err)
	}
	if _, _, err := DetectRevision(context.Background(), short, utf.TT09); err == nil ||
		!strings.Contains(err.Error(), "without an error") {
		t.Errorf("TellRevision: %v; want an error", err)
	}
}

// half is a transport that returns samples for only half of a batch.
type half struct{ transport.Transport }

func (h half) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	return h.Transport.Apply(ctx, steps[:len(steps)/2], samples)
}
