package export

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"utfbench/transport"
)

// tiny is an uncommon video mode.
var tiny = mode{clocks: 20, lines: 12}

// play adds until clocks to a VGA, starting at the frame's clock number from, with negative or positive syncs. per is
// the number of clocks of a pixel. change may change the sample at a clock.
func play(v *VGA, m mode, per, from, until int, negative bool, change func(clock int, got *transport.Sample)) {
	for clock := range until {
		at := (clock + from) / per
		x, y := at%m.clocks, at/m.clocks%m.lines
		s := transport.Sample{Out: uint8(x)&0x77 ^ uint8(y)&0x77}
		if (x >= m.clocks-5 && x < m.clocks-1) != negative {
			s.Out |= hsync
		}
		if (y == m.lines-2) != negative {
			s.Out |= vsync
		}
		got := s
		if change != nil {
			change(clock, &got)
		}
		v.AddClock(got, s)
	}
}

// Raster infers the geometry from the syncs, whatever their polarity and wherever the stream begins.
func TestRaster(t *testing.T) {
	for _, negative := range []bool{false, true} {
		for _, from := range []int{0, 1, 17, 130, 239} {
			var v VGA
			play(&v, tiny, 1, from, 720, negative, nil)
			r, err := v.Raster()
			if err != nil {
				t.Fatalf("negative %v, from %d: %v", negative, from, err)
			}
			if r.mode.clocks != 20 || r.mode.lines != 12 {
				t.Errorf("negative %v, from %d: %s", negative, from, r)
			}
			p := r.Picture()
			if p.MissingPixels+p.WrongPixels != 0 {
				t.Errorf("negative %v, from %d: %s", negative, from, p)
			}
			a, b := r.Place(300-from), r.Place(300-from+240)
			if b.Frame != a.Frame+1 || a.X != b.X || a.Y != b.Y {
				t.Errorf("negative %v, from %d: %v and a frame later %v", negative, from, a, b)
			}
		}
	}
}

// A common mode is drawn without its borders, and a wrong pixel is named and counted.
func TestPicture(t *testing.T) {
	small := mode{name: "6x4", clocks: 20, lines: 12, left: 7, top: 3, width: 6, height: 4}
	modes = append(modes, small)
	defer func() { modes = modes[:len(modes)-1] }()
	var v VGA
	const per, wrong = 2, 2*240*1 + 2*(20*2+5) // a clock in frame 2
	play(&v, small, per, 0, 3*480, true, func(clock int, got *transport.Sample) {
		if clock == wrong {
			got.Out ^= 1
		}
	})
	r, err := v.Raster()
	if err != nil {
		t.Fatal(err)
	}
	if want := "6x4: 40 clocks a line, 12 lines a frame"; r.String() != want {
		t.Errorf("%s; want %s", r, want)
	}
	at, p := r.Place(wrong), r.Picture()
	if at.Blanked || p.WrongPixels != 1 || p.Frame != at.Frame || p.MissingPixels != 0 {
		t.Fatalf("%v: %s", at, p)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil || img.Bounds().Dx() != 12 || img.Bounds().Dy() != 4 {
		t.Fatal(err, img.Bounds())
	}
	for y := range 4 {
		for x := range 6 {
			if differs := img.At(x, y) != img.At(x+6, y); differs != (x == at.X && y == at.Y) {
				t.Errorf("pixel %d %d differs: %v; want only %v", x, y, differs, at)
			}
		}
	}
}

// Outputs without sync pulses yield an error, not a picture.
func TestBrokenSyncs(t *testing.T) {
	var v VGA
	play(&v, tiny, 1, 0, 100, true, nil)
	if _, err := v.Raster(); err == nil || !strings.Contains(err.Error(), "vsync (uo3) begins 0 times") {
		t.Error(err)
	}
	v = VGA{}
	play(&v, tiny, 1, 0, 720, true, func(_ int, got *transport.Sample) { got.Out |= hsync })
	if _, err := v.Raster(); err == nil || !strings.Contains(err.Error(), "hsync (uo7) begins 0 times") {
		t.Error(err)
	}
	v = VGA{}
	play(&v, tiny, 1, 0, 720, true, func(clock int, got *transport.Sample) { got.SetUnknown(0x77) })
	r, err := v.Raster()
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Picture(); p.WrongPixels+p.MissingPixels != 240 || p.MissingPixels > 60 {
		t.Errorf("no colour has a level: %s", p)
	}
}

// FuzzVGA checks that no samples cause a panic.
func FuzzVGA(f *testing.F) {
	var v VGA
	play(&v, tiny, 1, 3, 500, true, nil)
	var seed []byte
	for _, s := range v.clocks {
		seed = append(seed, s.got, 0)
	}
	f.Add(seed)
	f.Add([]byte{0x80, 0, 0, 0, 0x88, 0, 8, 0, 0x80, 0, 0, 0, 0x88, 0xFF})
	f.Fuzz(func(t *testing.T, samples []byte) {
		if len(samples) > 4000 {
			return
		}
		v := new(VGA)
		for i := 0; i+1 < len(samples); i += 2 {
			s := transport.Sample{Out: samples[i], OutX: samples[i+1]}
			v.AddClock(s, transport.Sample{Out: samples[i+1], OutX: samples[i] & 1})
		}
		var b bytes.Buffer
		r, err := v.Raster()
		if err != nil {
			return
		}
		for clock := range v.clocks {
			if at := r.Place(clock); at.X < 0 || at.Y < 0 || at.Frame < 1 {
				t.Fatalf("clock %d: %+v", clock, at)
			}
		}
		if err := r.Picture().Write(&b); err != nil {
			t.Fatal(err)
		}
	})
}
