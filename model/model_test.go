package model

import (
	"math/rand/v2"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"utfbench/transport"
)

var reset = transport.Step{In: Idle, Reset: true, Clocks: 1}

func write(strobe, b uint8) transport.Step {
	return transport.Step{In: Idle &^ (READ | strobe), IO: b, Drive: 0xFF, Clocks: 1}
}

// For every scalar value, reading and writing agree with the standard library's encodings.
func TestEncodingsAgreeWithUnicode(t *testing.T) {
	var c Chip
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		v := uint32(r)
		want8 := utf8.AppendRune(nil, r)
		n := UTF8Len(v)
		if int(n) != len(want8) {
			t.Fatalf("UTF8Len(%X) = %d, want %d", v, n, len(want8))
		}
		c.Step(reset)
		for i, b := range want8 {
			if got := UTF8Byte(v, n, uint8(i)); got != b {
				t.Fatalf("UTF8Byte(%X, %d) = %02X, want %02X", v, i, got, b)
			}
			c.Step(write(BIO, b))
		}
		if c.regs.V != v || c.status != Ready {
			t.Fatalf("% X written as UTF-8 gives %X, status %02X; want %X", want8, c.regs.V, c.status, v)
		}
		want16 := utf16.AppendRune(nil, r)
		if int(UTF16Len(v)) != 2*len(want16) {
			t.Fatalf("UTF16Len(%X) = %d, want %d", v, UTF16Len(v), 2*len(want16))
		}
		c.Step(reset)
		for i, u := range want16 {
			hi, lo := UTF16Byte(v, UTF16Len(v), uint8(2*i), true), UTF16Byte(v, UTF16Len(v), uint8(2*i+1), true)
			if uint16(hi)<<8|uint16(lo) != u {
				t.Fatalf("unit %d of %X is %02X%02X, want %04X", i, v, hi, lo, u)
			}
			c.Step(write(UIO, hi))
			c.Step(write(UIO, lo))
		}
		if c.regs.V != v {
			t.Fatalf("%04X written as UTF-16 gives %X, want %X", want16, c.regs.V, v)
		}
	}
}

// Every value belongs to exactly one class, and has properties if and only if it is below 80000000.
func TestValueClasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Uint32().Draw(t, "v")
		s := ValueStatus(v)
		classes := 0
		for _, is := range []bool{v < 0x80000000, v >= 0x80000000 && underflow(v), v >= 0x80000000 &&
			overlong(v), s&Invalid != 0} {
			if is {
				classes++
			}
		}
		if classes != 1 {
			t.Fatalf("%08X is in %d classes, status %02X", v, classes, s)
		}
		if p := ValueProperties(v); (p != 0) != (v < 0x80000000) {
			t.Fatalf("%08X has properties %02X", v, p)
		}
	})
}

// UTF-8 input, even if incomplete or overlong, is read back byte by byte as written.
func TestUTF8ComesBackAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Uint8Range(0xC0, 0xFD).Draw(t, "first")
		rest := rapid.SliceOfN(rapid.Uint8Range(0x80, 0xBF), 0, 5).Draw(t, "rest")
		c := New(TT09)
		c.Step(reset)
		c.Step(write(BIO, first))
		wrote := []uint8{first}
		for _, b := range rest {
			if c.Out(Idle)&Ready != 0 {
				break
			}
			c.Step(write(BIO, b))
			wrote = append(wrote, b)
		}
		if int(c.len8) != len(wrote) {
			t.Fatalf("% X has length %d", wrote, c.len8)
		}
		for i, b := range wrote {
			if got := c.Step(transport.Step{In: Idle &^ BIO, Clocks: 1}).IO; got != b {
				t.Fatalf("% X: byte %d comes back as %02X", wrote, i, got)
			}
		}
	})
}

func TestUnknownUntilReset(t *testing.T) {
	c := New(TT09)
	all := transport.Sample{OutX: 0xFF, IOX: 0xFF}
	if got := c.Step(transport.Step{In: Idle, Clocks: 1}); got != all {
		t.Errorf("before the reset: %+v, want all unknown", got)
	}
	if got := c.Step(transport.Step{In: Idle, Reset: true}); got != all {
		t.Errorf("rst_n low without a clock: %+v, want all unknown", got)
	}
	if got, want := c.Step(reset), (transport.Sample{Out: UEOF | BEOF}); got != want {
		t.Errorf("after the reset: %+v, want %+v", got, want)
	}
	half := write(BIO, 0x41)
	half.Drive = 0x0F
	if got, want := c.Step(half), (transport.Sample{OutX: 0xFF, IO: 1, IOX: 0xF0}); got != want {
		t.Errorf("a byte of which half floats: %+v, want %+v", got, want)
	}
	if got, want := c.Step(reset), (transport.Sample{Out: UEOF | BEOF}); got != want {
		t.Errorf("after the next reset: %+v, want %+v", got, want)
	}
}

// In either revision no pin activity moves a register out of its range, or makes the model panic.
func TestRegistersStayInRange(t *testing.T) {
	for _, rev := range []Revision{TT09, TT08} {
		c := New(rev)
		c.Step(reset)
		for _, s := range randomSteps(5, 300_000) {
			c.Step(s)
			if r := c.regs; r.N > 4 || r.C > 4 || r.B > 6 || r.U > 4 {
				t.Fatalf("%s after %+v: %+v", rev, s, r)
			}
		}
	}
}

// Run returns the same samples as Step, even with unknown levels and contention.
func TestRunIsStep(t *testing.T) {
	for _, rev := range []Revision{TT09, TT08} {
		a, b := New(rev), New(rev)
		rng := rand.New(rand.NewPCG(7, 0))
		steps := randomSteps(8, 100_000)
		for i := range steps {
			switch rng.IntN(50) {
			case 0:
				steps[i].Drive = uint8(rng.Uint32()) // drives part of a byte, or against the chip
			case 1:
				steps[i].Clocks = uint8(rng.IntN(4))
			}
		}
		got := make([]transport.Sample, len(steps))
		a.Run(steps, got)
		unknown := 0
		for i, s := range steps {
			if want := b.Step(s); got[i] != want {
				t.Fatalf("%s: step %d, %+v: Run gives %+v, Step %+v", rev, i, s, got[i], want)
			} else if want.OutX != 0 {
				unknown++
			}
		}
		if *a != *b || unknown == 0 {
			t.Errorf("%s: %+v and %+v; %d samples were unknown", rev, *a, *b, unknown)
		}
	}
}

// Random steps distinguish the two revisions.
func TestRevisionsDiffer(t *testing.T) {
	a, b := New(TT09), New(TT08)
	differ := 0
	for _, s := range append([]transport.Step{reset}, randomSteps(6, 10_000)...) {
		if a.Step(s) != b.Step(s) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("10,000 steps by chance do not tell tt08 from tt09")
	}
}

func randomSteps(seed uint64, n int) []transport.Step {
	rng := rand.New(rand.NewPCG(seed, 0))
	steps := make([]transport.Step, n)
	for i := range steps {
		s := transport.Step{In: mostlyHigh(rng), IO: uint8(rng.Uint32()), Clocks: 1, Reset: rng.IntN(40) == 0}
		if s.In&READ == 0 {
			s.Drive = 0xFF
		}
		steps[i] = s
	}
	return steps
}

// mostlyHigh returns a random byte with three of four bits high on average, so that few strobes are low at once.
func mostlyHigh(rng *rand.Rand) uint8 {
	a, b := rng.Uint32(), rng.Uint32()
	return uint8(a | b)
}

// typicalSteps returns steps as in a vector: reset, a value in, flags, the value out in all forms.
func typicalSteps(n int) (steps []transport.Step) {
	rng := rand.New(rand.NewPCG(1, 1))
	for len(steps) < n {
		steps = append(steps, reset)
		for _, b := range utf8.AppendRune(nil, rng.Int32N(0xD800)) {
			steps = append(steps, write(BIO, b))
		}
		steps = append(steps, transport.Step{In: Idle}, transport.Step{In: Idle &^ ERRS})
		for _, strobe := range []uint8{CIO, UIO, BIO} {
			for range 5 {
				steps = append(steps, transport.Step{In: Idle &^ strobe, Clocks: 1})
			}
		}
	}
	return steps[:n]
}

func BenchmarkStep(b *testing.B) {
	for name, steps := range map[string][]transport.Step{"typical": typicalSteps(8192),
		"random": randomSteps(1, 8192)} {
		b.Run(name, func(b *testing.B) {
			c := New(TT09)
			c.Step(reset)
			samples := make([]transport.Sample, len(steps))
			b.ReportAllocs()
			for b.Loop() {
				c.Run(steps, samples)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(steps)), "ns/step")
		})
	}
}
