package measurement

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"utfbench/cause/shmoo"
	"utfbench/cause/timing"
	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/internal/tags"
)

var when = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

// aShmoo and aTiming are documents as the bench writes them.
func aShmoo(t testing.TB) []byte {
	t.Helper()
	g := shmoo.New(shmoo.Axis{Knob: "pulse", Values: []time.Duration{10, 20}}, shmoo.Axis{})
	g.About = shmoo.About{Bench: "v1", Transport: "lab:pi1/a", Board: "rpi", Device: "E661", Tile: "utf", Made: when,
		Revision: "tt09", Vectors: 4, Count: 1, Tags: tags.Set{"vdd": "1.8"}}
	g.Cells[0] = shmoo.Cell{X: 10, Verdict: driver.Fail, Vectors: 4, Failed: 4, Done: true}
	var b bytes.Buffer
	if err := g.JSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func aTiming(t testing.TB) []byte {
	t.Helper()
	r := timing.Report{Bench: "v1", Transport: "lab:pi1/a", Board: "rpi", Tile: "utf", Made: when, Tick: 1,
		Lines: []timing.Line{{Name: "uo3", Edges: 2, Least: 5, Most: 6}}, Period: 27, Own: 20, Setup: 3}
	var b bytes.Buffer
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A document of either kind is known by what is in it.
func TestRead(t *testing.T) {
	for want, text := range map[string][]byte{
		`{"kind":"shmoo","made":"2026-11-23T08:00:00Z","transport":"lab:pi1/a","board":"rpi","device":"E661",` +
			`"tile":"utf","revision":"tt09","tags":{"vdd":"1.8"},"bench":"v1","words":"2 cells over pulse; 1 FAIL; ` +
			`1 not measured"}`: aShmoo(t),
		`{"kind":"timing","made":"2026-11-23T08:00:00Z","transport":"lab:pi1/a","board":"rpi","tile":"utf",` +
			`"revision":"","bench":"v1","words":"highest clock 37.04MHz, of the chip alone 50MHz, set-up of the ` +
			`inputs 3ns"}`: aTiming(t),
	} {
		m, err := Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(m.About); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
		if (m.Shmoo == nil) == (m.Timing == nil) {
			t.Error("it is both, or neither")
		}
	}
}

// What no bench writes is refused in one sentence.
func TestNone(t *testing.T) {
	const not = "not what bench "
	shmoo, timing := string(aShmoo(t)), string(aTiming(t))
	for _, c := range []struct{ text, old, new, words string }{
		{"{}", "", "", "it is neither what bench shmoo --json writes nor what bench timing --json writes"},
		{shmoo, "", "no JSON ", "it is neither "},
		{shmoo, "{", "{}{", "it is neither "},
		{shmoo, ": 1,", ": 2,", not + "shmoo --json writes, or of another version: schema 2"},
		{shmoo, "    null\n", "    null, null\n", not + "shmoo --json writes: 3 cells do not fill"},
		{timing, ": 27,", ": -1,", not + "timing --json writes: least_period_ns is -1"},
		{timing, ": 27,", ": 0,", "it says no period"},
		{shmoo, "lab:pi1/a", `lab:\u001b[2J`, "texts in it that are not printable"},
		{shmoo, `"bench"`, "\"b\u202e\":0,\"bench\"", "texts in it that are not printable"},
		{timing, "2026-", "0044-", "it was made in the year 44"},
		{timing, "rpi", strings.Repeat("b", 17<<10), "it describes its target in"},
	} {
		text, words := strings.Replace(c.text, c.old, c.new, 1), c.words
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), words) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want %q", err, words)
		}
	}
}

// Whatever is read can be listed and drawn, and all that is said of it is printable.
func FuzzRead(f *testing.F) {
	f.Add(aShmoo(f))
	f.Add(aTiming(f))
	f.Add([]byte(`{"schema":1,"tick_ns":1,"lines":[{"line":"uo3"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Read(text)
		if err != nil {
			return
		}
		about, err := json.Marshal(m.About)
		if err != nil || printable.Text(string(about)) != string(about) {
			t.Errorf("%s, %v", about, err)
		}
		var to bytes.Buffer
		if m.Shmoo != nil {
			err = m.Shmoo.SVG(&to)
		} else {
			err = m.Timing.Write(&to)
		}
		if err != nil {
			t.Error(err)
		}
	})
}
