package rp2040

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"utfbench/transport"
)

// same reports whether two steps are equal, ignoring undriven bits of IO.
func same(a, b transport.Step) bool {
	a.IO &= a.Drive
	b.IO &= b.Drive
	return a == b
}

// stepsOf makes steps from arbitrary bytes: five for each step, and one for its repetitions.
func stepsOf(b []byte) (steps []transport.Step) {
	for ; len(b) >= 6 && len(steps) < 5000; b = b[6:] {
		s := transport.Step{In: b[0], Drive: b[1], IO: b[2], Clocks: b[3], Reset: b[4]&1 != 0}
		for range 1 + int(b[5])*int(b[4]>>6) {
			steps = append(steps, s)
			s.IO += b[4]
		}
	}
	return steps
}

// roundTrip encodes steps into frames, decodes the frames, and checks steps and limits.
func roundTrip(t interface{ Fatalf(string, ...any) }, steps []transport.Step, size, count int) {
	var e encoder
	var d stepDecoder
	for rest := steps; len(rest) > 0; {
		codes, n := e.encode(nil, rest, size, count)
		if n < 1 || n > count || len(codes) > size {
			t.Fatalf("%d steps in %d bytes; at most %d and %d", n, len(codes), count, size)
		}
		taken, err := d.decode(codes)
		if err != nil || !slices.EqualFunc(taken, rest[:n], same) {
			t.Fatalf("codes % X:\ngot  %+v, %v\nwant %+v", codes, taken, err, rest[:n])
		}
		rest = rest[n:]
	}
}

func TestEncodeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := stepsOf(rapid.SliceOf(rapid.Byte()).Draw(t, "steps"))
		roundTrip(t, steps, rapid.IntRange(anyStep, 1100).Draw(t, "size"), rapid.IntRange(1, 1100).Draw(t, "count"))
	})
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte{0xEF, 0, 0, 1, 0xC0, 0xFF, 0xEF, 0xFF, 7, 1, 0xC1, 0xFF}, 1024, 1024)
	f.Fuzz(func(t *testing.T, b []byte, size, count int) {
		roundTrip(t, stepsOf(b), anyStep+size&0xFFF, 1+count&0xFFF)
	})
}

func TestEncodedSize(t *testing.T) {
	read := transport.Step{In: 0xEF, Clocks: 1}
	write := transport.Step{In: 0x6F, Drive: 0xFF, Clocks: 1}
	for _, c := range []struct {
		name string
		step transport.Step
		n    int
		want int
	}{
		{"a read", read, 1, 1},
		{"seven reads", read, 7, 1},
		{"263 reads", read, 263, 2},
		{"a write", write, 1, 2},
		{"263 writes", write, 263, 265},
	} {
		var e encoder
		steps := slices.Repeat([]transport.Step{c.step}, c.n)
		for range worthBuying + 1 { // afterwards the board knows the shape
			e.encode(nil, steps, 1024, 1024)
		}
		if codes, _ := e.encode(nil, steps, 1024, 1024); len(codes) != c.want {
			t.Errorf("%s takes %d bytes, want %d", c.name, len(codes), c.want)
		}
	}
}

// Steps with changing levels take only a few more bytes than the levels alone.
func TestEncodedSizeOfNewLevels(t *testing.T) {
	steps := make([]transport.Step, 240)
	for i := range steps {
		steps[i] = transport.Step{In: uint8(i), Clocks: 1}
	}
	var e encoder
	if codes, n := e.encode(nil, steps, 1024, 1024); n != len(steps) || len(codes) != len(steps)+maxCode+2 {
		t.Errorf("%d steps with another ui each take %d bytes", n, len(codes))
	}
	for i := range steps {
		steps[i].Drive, steps[i].IO = 0xF0, uint8(i)
	}
	if codes, n := e.encode(nil, steps, 1024, 1024); n != len(steps) || len(codes) != 2*len(steps)+maxCode+2 {
		t.Errorf("%d steps with another ui and uio each take %d bytes", n, len(codes))
	}
}

// FuzzUnpack checks that unpack never panics, and returns an error unless the number of bytes matches the masks.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte{0x03, 0xC0, 0x41}, []byte{0xEF, 0, 0, 1, 0, 0})
	f.Fuzz(func(t *testing.T, packed, b []byte) {
		steps := stepsOf(b)
		samples := make([]transport.Sample, len(steps))
		var u unpacker
		if u.unpack(packed, steps, samples) != nil {
			return
		}
		var again unpacker
		var p packer
		canonical := p.pack(steps, samples)
		if err := again.unpack(canonical, steps, make([]transport.Sample, len(steps))); err != nil ||
			len(canonical) > 2*len(steps)+(len(steps)+3)/4 {
			t.Fatalf("%+v packed again is % X: %v", samples, canonical, err)
		}
	})
}

func TestPackRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := stepsOf(rapid.SliceOf(rapid.Byte()).Draw(t, "steps"))
		levels := rapid.SliceOfN(rapid.Byte(), 2*len(steps), 2*len(steps)).Draw(t, "levels")
		want := make([]transport.Sample, len(steps))
		for i := range want {
			want[i] = transport.Sample{Out: levels[2*i] & 3, IO: levels[2*i+1] & 3}
		}
		var p packer
		var u unpacker
		got := make([]transport.Sample, len(steps))
		if err := u.unpack(p.pack(steps, want), steps, got); err != nil || !slices.Equal(got, want) {
			t.Fatalf("got  %+v, %v\nwant %+v", got, err, want)
		}
	})
}

// A frame with a flipped bit is never accepted, and an error if the bit follows the header. For a missing end, the
// decoder waits.
func TestDamagedFrame(t *testing.T) {
	whole := frame{kindSteps, 0x1234, []byte("some samples")}.append(nil)
	for bit := range 8 * len(whole) {
		b := bytes.Clone(whole)
		b[bit/8] ^= 1 << (bit % 8)
		d := decoder{}
		d.feed(b)
		if f, ok, err := d.next(); ok || err == nil && bit >= 8*headerSize {
			t.Errorf("bit %d changed: frame %+v, %v, %v; want an error", bit, f, ok, err)
		}
	}
	for n := range whole {
		d := decoder{}
		d.feed(whole[:n])
		if f, ok, err := d.next(); ok || err != nil {
			t.Errorf("%d bytes of %d: frame %+v, %v, %v; want none yet", n, len(whole), f, ok, err)
		}
	}
}

// FuzzDecoder checks that a stream yields the same intact frames however it is divided, and none after an error.
func FuzzDecoder(f *testing.F) {
	two := frame{kindSteps, 1, []byte{1, 2}}.append(frame{kindPing, 0, nil}.append(nil))
	f.Add(two, uint8(3))
	f.Add([]byte("\x1b[31mnoise"), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, cut uint8) {
		var made []byte
		var d decoder
		var failed error
		for rest := b; len(rest) > 0; {
			n := min(int(cut)+1, len(rest))
			d.feed(rest[:n])
			rest = rest[n:]
			for {
				fr, ok, err := d.next()
				if failed != nil && (ok || !errors.Is(err, failed)) {
					t.Fatalf("after %v comes %+v, %v", failed, fr, err)
				}
				if failed = err; !ok {
					break
				}
				made = fr.append(made)
			}
		}
		if !bytes.HasPrefix(b, made) {
			t.Fatalf("% X was taken for % X", b, made)
		}
	})
}

// A deafPort accepts all input, outputs its text, and then fails.
type deafPort struct{ io.Reader }

func (deafPort) Write(b []byte) (int, error) { return len(b), nil }
func (deafPort) Close() error                { return nil }

// FuzzREPL checks that the REPL's reader ends in time on any output, and reports a start only if the program started.
func FuzzREPL(f *testing.F) {
	const raw = "\r\n>>> \r\nraw REPL; CTRL-B to exit\r\n>"
	f.Add([]byte(raw + "OKbench in step 0\r\n\x04\x04>R\x01\x80\x00\x01\x04bench-answer:00000000 {}\r\n\x04\x04>"))
	f.Add([]byte(raw + "R\x00OKbench in step 0\r\n\x04\x04>" + raw + "OK\x04Traceback\r\n\x04>"))
	f.Add([]byte("login: \x1b[31m>>> " + raw + raw))
	f.Fuzz(func(t *testing.T, said []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		l := newLink(deafPort{bytes.NewReader(said)})
		defer l.close()
		if l.enterRaw(ctx) == nil {
			if _, err := l.run(ctx, "pass"); err == nil {
				if err := l.start(ctx, "pass"); err == nil && !bytes.Contains(said, []byte(ready)) {
					t.Errorf("started, and the board did not say %q", ready)
				}
			}
		}
		if err := ctx.Err(); err != nil {
			t.Errorf("after 10 s: %v", err)
		}
	})
}
