package timing

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

func bench(t rapid.TB, faults ...string) *ShmooRunner {
	b := &ShmooRunner{Tile: utf.TT09, Count: 2, Jobs: jobs(t, "chip.vec", "chip/bmp/0000D800/")}
	var all []fault.Fault
	for _, text := range faults {
		f := testkit.Must(model.Bits.Parse(text))(t)
		all = append(all, f)
	}
	m := mock.Open(mock.Config{Tile: utf.TT09, Faults: all, Seed: 1})
	b.Transport, b.Knobs = m, m
	return b
}

// jobs returns the vectors in a file that apply to tt09 and whose names begin with prefix.
func jobs(t rapid.TB, file, prefix string) (all []driver.Job) {
	suite := testkit.Must(golden.LoadFile(golden.FS(), file, utf.Dialect))(t)
	for i := range suite.Vectors {
		if v := &suite.Vectors[i]; strings.HasPrefix(v.Name, prefix) && v.Revision != "tt08" {
			all = append(all, driver.Job{Vector: v, File: suite.File})
		}
	}
	return all
}

// A chip passes down to the limit set by its fault, and not below.
func TestTheLimitIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		half := time.Duration(rapid.IntRange(5, 900).Draw(t, "half period"))
		setup := time.Duration(rapid.IntRange(5, 900).Draw(t, "setup"))
		x := testkit.Must(ParseAxis("pulse=1ns..1us/" + strconv.Itoa(rapid.IntRange(2, 6).Draw(t, "points"))))(t)
		y := testkit.Must(ParseAxis("settle=0..1us/" + strconv.Itoa(rapid.IntRange(2, 6).Draw(t, "points"))))(t)
		b := bench(t, "fmax="+strconv.FormatFloat(5e8/float64(half), 'f', 6, 64)+"Hz", "uio3=setup:"+setup.String())
		g := NewGrid(x, y)
		if err := b.Check(g); err != nil {
			t.Fatal(err)
		}
		if err := b.Measure(context.Background(), g); err != nil {
			t.Fatal(err)
		}
		for _, c := range g.Cells {
			near := func(d, limit time.Duration) bool { return d >= limit-limit/10-1 && d <= limit }
			if near(c.X, half) || near(c.Y, setup) { // near the limit the result is random
				continue
			}
			want := driver.Pass
			if c.X < half || c.Y < setup {
				want = driver.Fail
			}
			if !c.Measured || c.Verdict != want {
				t.Fatalf("%+v with half a period of %s and a setup of %s", c, half, setup)
			}
		}
	})
}

// Just below the limit failures are random and the cell is FLAKY. The same seed gives the same cell.
func TestFlakyCell(t *testing.T) {
	var before []Cell
	for range 2 {
		b := bench(t, "fmax=1MHz") // half a period is 500 ns
		b.Count = 20
		g := NewGrid(Axis{"pulse", []time.Duration{449, 485, 500}}, Axis{})
		if err := b.Measure(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		for x, want := range []driver.Verdict{driver.Fail, driver.Flaky, driver.Pass} {
			if c := g.At(x, 0); c.Verdict != want || c.Vectors != 20*len(b.Jobs) ||
				(c.Failed == c.Vectors) != (want == driver.Fail) {
				t.Errorf("%+v; want %v", *c, want)
			}
		}
		if before != nil && !slices.Equal(before, g.Cells) {
			t.Errorf("one seed gave\n%+v\nand\n%+v", before, g.Cells)
		}
		before = g.Cells
	}
}

// tuned is a transport that records the settings of its knobs, and fails after some number of batches.
type tuned struct {
	*mock.Transport
	set  map[string]time.Duration
	left int
}

var errBroken = errors.New("the cable is out")

func (d *tuned) Tune(ctx context.Context, name string, to time.Duration) (time.Duration, error) {
	d.set[name] = to
	return d.Transport.Tune(ctx, name, to)
}

func (d *tuned) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if d.left--; d.left < 0 {
		return 0, errBroken
	}
	return d.Transport.Apply(ctx, steps, samples)
}

// If the vectors of a shmoo keep an output at one level, WriteText says that a PASS proves little.
func TestWeakCells(t *testing.T) {
	still := golden.Sequence{Steps: []transport.Step{{In: 0xFF, Reset: true, Clocks: 1}}}
	for _, c := range []struct {
		jobs func([]driver.Job) []driver.Job
		want string
	}{
		{func([]driver.Job) []driver.Job { return jobs(t, "structural.vec", "") }, ""},
		{func(all []driver.Job) []driver.Job { return all },
			"PASS proves little: level 1 of uo1, uo4-uo5, uio1 never compared"},
		{func([]driver.Job) []driver.Job {
			return []driver.Job{{Vector: &golden.Vector{Name: "still", Sequence: still}}}
		}, "PASS proves little: level 1 of uo0-uo5, uio0-uio7 and level 0 of uo6-uo7 never compared"},
	} {
		b, g := bench(t), NewGrid(Axis{Knob: "pulse", Values: []time.Duration{1000, 2000}}, Axis{})
		b.Jobs = c.jobs(b.Jobs)
		if err := b.Check(g); err != nil {
			t.Fatal(err)
		}
		if err := b.Measure(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := g.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if g.Cells[0].Verdict != driver.Pass || strings.Contains(text.String(), "PASS proves") != (c.want != "") ||
			!strings.Contains(text.String(), c.want) {
			t.Errorf("%s, want %q", &text, c.want)
		}
	}
}

// The knobs are restored after any outcome, and cells measured so far are kept.
func TestKnobsArePutBack(t *testing.T) {
	for _, left := range []int{0, 3, 1000} {
		b := bench(t)
		d := &tuned{mock.Open(mock.Config{Tile: utf.TT09}), map[string]time.Duration{}, left}
		b.Transport, b.Knobs = d, d
		x, _ := ParseAxis("pulse=20ns..2us/5")
		g := NewGrid(x, Axis{})
		err := b.Measure(t.Context(), g)
		if broken := left < 5; broken != errors.Is(err, errBroken) {
			t.Errorf("after %d batches: %v", left, err)
		}
		if d.set["pulse"] != fault.DefaultTime || d.set["settle"] != fault.DefaultTime {
			t.Errorf("after %d batches the knobs stand at %v", left, d.set)
		}
		done := 0
		for _, c := range g.Cells {
			if c.Mark() == "." {
				done++
			}
		}
		if want := min(left, 5); done != want {
			t.Errorf("after %d batches %d cells passed; want %d", left, done, want)
		}
	}
}

func TestAxes(t *testing.T) {
	for text, want := range map[string][]time.Duration{
		"pulse=10ns..40ns/4": {10, 20, 30, 40},
		"pulse=10ns..1us/3":  {10, 100, 1000},
		"settle=0..2ns/9":    {0, 1, 2},
		"pulse=2ns..1ns/4":   nil,
		"pulse=-1ns..1ns/4":  nil,
		"pulse=1ns..2ns/1":   nil,
		"pulse=1ns..2ns/101": nil,
		"pulse=1MHz..2MHz/2": nil,
		"pulse=1ns":          nil,
		"=1ns..2ns/2":        nil,
		"pulse":              nil,
	} {
		a, err := ParseAxis(text)
		if (err == nil) != (want != nil) || err == nil && !slices.Equal(a.Values, want) {
			t.Errorf("%s: %v, %v; want %v", text, a.Values, err, want)
		}
	}
}

// partly returns a grid with two measured cells. One has an actual time of 12 ns where 10 ns were requested.
func partly() *Grid {
	x, _ := ParseAxis("pulse=10ns..100ns/3")
	g := NewGrid(x, Axis{"settle", []time.Duration{0, 1500}})
	g.Cells[0] = Cell{X: 12, Verdict: driver.Fail, Vectors: 4, Failed: 4, Measured: true}
	g.Cells[5] = Cell{X: 100, Y: 1500, Verdict: driver.Pass, Vectors: 4, Measured: true}
	return g
}

func TestPictures(t *testing.T) {
	g := partly()
	var text bytes.Buffer
	if err := g.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := "    settle 1.5µs |             .\n       settle 0s | #            \n" +
		"                 +-|-----|-----|----\n           pulse   12ns  32ns  100ns\n"
	if got := text.String(); !strings.HasPrefix(got, want) ||
		!strings.Contains(got, "incomplete: 2 of 6 cells") {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

// If a chip fails beyond the rating of its output pads, WriteText names the pads as a possible cause.
func TestFailBeyondPads(t *testing.T) {
	for _, c := range []struct {
		period time.Duration
		noChip bool
		want   bool
	}{{20, false, true}, {31, false, false}, {20, true, false}} {
		g := NewGrid(Axis{"period", []time.Duration{c.period}}, Axis{})
		g.About.NoChip = c.noChip
		g.Cells[0] = Cell{X: c.period, Verdict: driver.Fail, Measured: true}
		var text strings.Builder
		if err := g.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(text.String(), "FAIL beyond 33MHz may be of the output pads"); got != c.want {
			t.Errorf("%+v: %s", c, &text)
		}
	}
}

func FuzzParseAxis(f *testing.F) {
	for _, s := range []string{"pulse=20ns..2us", "pulse=20ns..2us/8", "settle=0..500ns/3", "x=..", "pulse=2us..1us",
		"p=0..1ns/100", "=1..2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAxis(s)
		if err != nil {
			if strings.Count(err.Error(), "\n") > strings.Count(strconv.Quote(s), "\n") {
				t.Error(err)
			}
			return
		}
		if len(a.Values) < 1 || len(a.Values) > 100 || !slices.IsSorted(a.Values) || a.Values[0] < 0 {
			t.Errorf("%q: %v", s, a)
		}
		if len(slices.Compact(slices.Clone(a.Values))) != len(a.Values) {
			t.Errorf("%q: a value twice: %v", s, a.Values)
		}
	})
}

func TestJSON(t *testing.T) {
	one := NewGrid(Axis{"pulse", []time.Duration{10}}, Axis{})
	one.About = About{Transport: "mock", Vectors: 4, Count: 1}
	one.Cells[0] = Cell{X: 12, Verdict: driver.Error, BenchError: "a < b", Measured: true}
	for want, g := range map[string]*Grid{
		`{"schema":1,"bench":"","transport":"mock","board":"","revision":"","vectors":4,"count":1,"whole":true,` +
			`"x":{"knob":"pulse","values_ns":[10]},` +
			`"cells":[{"x_ns":12,"verdict":"ERROR","vectors":0,"failed":0,"trouble":"a < b"}]}`: one,
		`{"schema":1,"bench":"","transport":"","board":"","revision":"","vectors":0,"count":0,"whole":false,` +
			`"x":{"knob":"pulse","values_ns":[10,32,100]},` +
			`"y":{"knob":"settle","values_ns":[0,1500]},"cells":[` +
			`{"x_ns":12,"y_ns":0,"verdict":"FAIL","vectors":4,"failed":4},null,null,null,null,` +
			`{"x_ns":100,"y_ns":1500,"verdict":"PASS","vectors":4,"failed":0}]}`: partly(),
	} {
		var b, compact bytes.Buffer
		err := g.WriteJSON(&b)
		if err == nil {
			err = json.Compact(&compact, b.Bytes())
		}
		if err != nil || strings.TrimSpace(compact.String()) != want {
			t.Errorf("%v\n%s\nwant\n%s", err, &b, want)
		}
	}
}

// The picture can be inserted into a page, and everything that colours show is also written as text.
func TestSVG(t *testing.T) {
	g := partly()
	g.Cells[1] = Cell{X: 32, Verdict: driver.Error, BenchError: "a < b", Measured: true}
	var b strings.Builder
	if err := g.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	words, boxes := "", map[string]int{}
	for dec := xml.NewDecoder(strings.NewReader(b.String())); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		switch token := token.(type) {
		case xml.CharData:
			words += string(token) + "\n"
		case xml.StartElement:
			if !strings.Contains(" svg title desc style g rect path text ", " "+token.Name.Local+" ") {
				t.Errorf("element %s", token.Name.Local)
			}
			if token.Name.Local == "rect" {
				boxes[token.Attr[0].Value]++
			}
		}
	}
	for _, want := range []string{"6 cells over pulse and settle; 1 PASS; 1 FAIL; 1 ERROR; 3 not measured\n",
		"\npulse 12ns, settle 0s: FAIL, 4 of 4 failed\n",
		": ERROR, a < b\n", "\npulse 32ns, settle 1.5µs: not measured\n"} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is missing in\n%s", want, words)
		}
	}
	if want := map[string]int{"pass": 2, "fail": 2, "error": 2, "unmeasured": 4}; !maps.Equal(boxes, want) {
		// the legend has a box for each look
		t.Errorf("%v; want %v", boxes, want)
	}
}

// The default vectors move every line in both directions, so that a shmoo covers every line.
func TestTelling(t *testing.T) {
	named := regexp.MustCompile(EveryLinePattern)
	jobs := slices.DeleteFunc(testkit.AllJobs[driver.Job](t),
		func(j driver.Job) bool { return !named.MatchString(j.Vector.Name) })
	if len(jobs) != 36 {
		t.Fatal(len(jobs))
	}
	steps := 0
	var rises, falls, levels uint32 // ui, uio, uo, rst_n
	r := driver.Runner{Transport: mock.Open(mock.Config{Tile: utf.TT09}), Tile: utf.TT09,
		Report: func(r *driver.Result) {
			trace := r.Trace
			for i, s := range trace.Steps {
				now := uint32(s.In) | uint32(s.IO&s.Drive|trace.Got[i].IO&^s.Drive)<<8 | uint32(trace.Got[i].Out)<<16
				if !s.Reset {
					now |= 1 << 24
				}
				rises, falls, levels = rises|now&^levels, falls|levels&^now, now
			}
			steps += len(trace.Steps)
		}}
	if _, err := r.Run(t.Context(), jobs); err != nil || steps != 1352 || rises&falls != 1<<25-1 {
		t.Errorf("%v; %d steps, of ui, uio, uo and rst_n rise %b and fall %b", err, steps, rises, falls)
	}
}
