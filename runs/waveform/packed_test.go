package waveform

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
)

func around(whole *Excerpt) *Excerpt {
	r := &driver.Result{Vector: &golden.Vector{Name: "a/b"}, Trace: &whole.Trace}
	if whole.At >= 0 {
		r.First = &driver.Mismatch{Index: whole.At}
	}
	return Around(r)
}

func drawn(t interface{ Fatalf(string, ...any) }, e *Excerpt) []byte {
	var b bytes.Buffer
	if err := SVG(&b, e); err != nil {
		t.Fatalf("%v", err)
	}
	return b.Bytes()
}

// A packed excerpt gives the same picture without a tile.
func TestPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := around(excerpts.Draw(t, "excerpt"))
		text, err := e.Pack()
		if err != nil || len(text) > 4<<10 {
			t.Fatalf("%d bytes, %v", len(text), err)
		}
		there := testkit.Must(Unpack(text))(t)
		if a, b := drawn(t, e), drawn(t, there); !bytes.Equal(a, b) {
			t.Fatalf("%s\nis drawn as\n%s", a, b)
		}
		again, err := there.Pack()
		if err != nil || !bytes.Equal(text, again) {
			t.Fatalf("%s\nand again %s", text, again)
		}
	})
}

// Invalid data is rejected.
func TestUnpack(t *testing.T) {
	const step = `{"does":"x","step":[0,0,0,0,1],"want":[0,0,0,0]}`
	in := `"in":["0","1","2","3","4","5","6","7"]`
	for text, ok := range map[string]bool{
		`{"first":1,"of":2,"at":0,` + in + `,"steps":[` + step + `]}`:                                   true,
		`{"first":2,"of":2,"at":0,` + in + `,"steps":[` + step + `]}`:                                   false,
		`{"first":-1,"of":2,"at":0,` + in + `,"steps":[` + step + `]}`:                                  false,
		`{"first":0,"of":9223372036854775807,"at":0,` + in + `,"steps":[` + step + `]}`:                 false,
		`{"first":0,"of":1,"at":1,` + in + `,"steps":[` + step + `]}`:                                   false,
		`{"first":0,"of":1,"at":-2,` + in + `,"steps":[` + step + `]}`:                                  false,
		`{"first":0,"of":1,"at":0,"in":[],"steps":[` + step + `]}`:                                      false,
		`{"first":0,"of":1,"at":0,` + in + `,"steps":[]}`:                                               false,
		`{"first":0,"of":1,"at":0,` + in + `,"steps":[{"out":["a"]}]}`:                                  false,
		`{"first":0,"of":2,"at":0,` + in + `,"steps":[` + step + `,{"got":[0,0,0,0]}]}`:                 false,
		`{"first":0,"of":1,"at":0,` + in + `,"steps":[{"does":"` + string(long) + `"}]}`:                false,
		`{"first":0,"of":9,"at":0,` + in + `,"steps":[{},{},{},{},{},{},{},{},{}]}`:                     false,
		`{"first":0,"of":9,"at":0,` + in + `,"steps":[{"step":[256]}]}`:                                 false,
		`{"first":1,"of":2,"at":0,` + in + `,"steps":[` + step + `]}` + strings.Repeat(" ", mostPacked): false,
		`null`: false, ``: false, `[]`: false,
	} {
		if _, err := Unpack([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

var long = slices.Repeat([]byte("x"), mostWords+1)

// Any data is either rejected or gives a picture that a page can embed.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte(`{"first":1,"of":2,"at":0,"idle":255,"in":["0","1","2","3","4","5","6","7"],"prior":[0,0,0,1,0],` +
		`"steps":[{"does":"<script>","step":[0,1,2,0,9],"want":[1,0,0,0],"got":[0,0,3,4],"checked":true,` +
		`"out":["a","\u0007","c","d","e","f","g","<h>"]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := Unpack(text)
		if err != nil {
			return
		}
		svg := drawn(t, e)
		readSVG(t, svg)
		if len(svg) > 1<<20 {
			t.Errorf("%d bytes make %d", len(text), len(svg))
		}
		again := testkit.Must(e.Pack())(t)
		if there, err := Unpack(again); err != nil || !bytes.Equal(svg, drawn(t, there)) {
			t.Errorf("%s is another as %s, %v", text, again, err)
		}
	})
}
