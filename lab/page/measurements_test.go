package page

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/cause/shmoo"
	"utfbench/cause/timing"
	"utfbench/driver"
	"utfbench/internal/browser/browsertest"
	"utfbench/internal/tags"
	"utfbench/runs/history"
	"utfbench/runs/measurement"
)

// measured enters a measurement of a board into a history, which may keep so many bytes of documents.
func (k *kept) measured(t testing.TB, document []byte, room int) (number int) {
	t.Helper()
	m, err := measurement.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range k.Measurements(history.MeasurementFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	number, _, err = k.TakeMeasurement(&history.Measurement{About: m.About, By: "pi1", SHA256: fmt.Sprint(n)}, document,
		int64(room))
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// aShmoo is the document of one, of so many columns.
func aShmoo(t testing.TB, board string, columns int) []byte {
	t.Helper()
	g, err := shmoo.Parse(fmt.Sprintf("pulse=10ns..1us/%d", columns), "settle=0..100ns/6")
	if err != nil {
		t.Fatal(err)
	}
	g.About = shmoo.About{Bench: "v1", Transport: "lab:" + board, Board: "rpi " + hostile, Device: "E661", Tile: "utf",
		Revision: "tt09", Vectors: 36, Count: 3, Made: time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC),
		Tags: tags.Set{"vdd": "1.8"}}
	verdicts := []driver.Verdict{driver.Fail, driver.Flaky, driver.Pass, driver.Pass, driver.Error}
	for i := range g.Cells {
		v := verdicts[i%columns*len(verdicts)/columns]
		g.Cells[i] = shmoo.Cell{X: g.X.Values[i%columns], Y: g.Y.Values[i/columns], Verdict: v, Vectors: 36, Done: true}
		if v == driver.Error {
			g.Cells[i].Trouble = hostile
		}
	}
	var b bytes.Buffer
	if err := g.JSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func aTiming(t testing.TB, board string) []byte {
	t.Helper()
	r := timing.Report{Bench: "v1", Transport: "lab:" + board, Board: "rpi", Tile: "utf", Revision: "tt09", Vectors: 20,
		Count: 3, Made: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), Tick: 1, Period: 27, Own: 20, Setup: 3, Hold: 2,
		Inputs: []timing.Input{{Names: []string{"ui5", hostile}, Setup: 3}}, LimitedBy: []string{hostile}}
	for bit := range 8 {
		r.Lines = append(r.Lines, timing.Line{Name: fmt.Sprint("uo", bit), Edges: bit, Least: 5,
			Most: 6 + time.Duration(bit)})
	}
	var b bytes.Buffer
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Measurements are listed, the latest first, and found; each is a document that a policy shuts in. Nothing of what they
// say is more than text.
func TestMeasurements(t *testing.T) {
	k := newKept(t)
	others := [][]byte{aShmoo(t, "pi1/a", 12), aTiming(t, "pi1/a"), aTiming(t, "pi2/b"+hostile)}
	room := len(slices.Concat(others...)) // for which the first has to make room
	k.measured(t, aShmoo(t, "pi1/a", 9), room)
	for _, document := range others {
		k.measured(t, document, room)
	}
	k.enter(t, "pi1/a", "h", driver.Pass)
	p := withRuns(t, k)
	c := p.client(t, "first")
	const html = "text/html; charset=utf-8"
	for path, want := range map[string]struct {
		code         int
		policy, kind string
		has, lacks   string
	}{
		"/measurements":                      {200, policy, html, `"/measurements/4"`, `"/measurements/1"`},
		"/measurements?q=shmoo":              {200, policy, html, "54 cells over", "highest clock"},
		"/measurements?q=absent":             {200, policy, html, "No shmoo and no timing fits", "<table"},
		"/measurements?board=pi1/a&q=timing": {200, policy, html, "highest clock 37.04MHz", "cells over"},
		"/measurements?page=2":               {200, policy, html, ">newer<", "<table"},
		"/measurements/2":                    {200, reportPolicy, html, `<svg `, "<table"},
		"/measurements/3":                    {200, reportPolicy, html, "by 20 vectors", "shmoo</b>"},
		"/measurements/2/picture":            {200, picturePolicy, "image/svg+xml", `class="shmoo"`, "<img"},
		"/measurements/3/picture":            {404, policy, html, "It is a timing", ""},
		"/measurements/2/document":           {200, policy, "application/json", `"schema": 1`, ""},
		"/measurements/1":                    {404, policy, html, "later ones: 54 cells", ""},
		"/measurements/1/picture":            {404, policy, html, "It made room for later ones", ""},
		"/measurements/9":                    {404, policy, html, "has none of this number", ""},
		"/measurements/..%2Fkeys/document":   {404, policy, html, "numbered from 1", ""},
		"/runs?board=pi1/a":                  {200, policy, html, `src="/measurements/2/picture"`, `"/measurements/1`},
		"/runs?board=pi1%2Fa&page=1":         {200, policy, html, `<a href="/measurements/3">timing 3</a>`, "pi2/b"},
		"/runs":                              {200, policy, html, `href="/measurements"`, "Last shmoo"},
		"/runs?board=pi1/a&q=tt09":           {200, policy, html, `?board=pi1%2Fa&amp;q=tt09"`, ""},
	} {
		r, err := c.Get(p.url.String() + path)
		code, text := answer(t)(r, err)
		if code != want.code || r.Header.Get("Content-Security-Policy") != want.policy ||
			r.Header.Get("Content-Type") != want.kind || !strings.Contains(text, want.has) ||
			want.lacks != "" && strings.Contains(text, want.lacks) {
			t.Errorf("%s: %d %s %.900s", path, code, r.Header, text)
		}
		if want.kind != "application/json" && strings.Contains(text, "<script>alert") {
			t.Errorf("%s: %s", path, text)
		}
		if code, _ := get(t, &http.Client{}, p.url.String()+path); code != http.StatusUnauthorized {
			t.Errorf("%s without a session: %d", path, code)
		}
	}
}

// showsMeasurements: what was measured last on a board is drawn among its runs, and fits the screen.
func showsMeasurements(t *testing.T, b *browsertest.Browser) {
	k := newKept(t)
	k.enter(t, "pi1/a", "h", driver.Pass)
	k.enter(t, "pi1/a", "h", driver.Pass)
	k.measured(t, aShmoo(t, "pi1/a", 40), 1<<20)
	k.measured(t, aTiming(t, "pi1/a"), 1<<20)
	p := withRuns(t, k)
	tab := entered(t, b, p, "first")
	for path, drawn := range map[string]string{
		"/runs?board=pi1/a": `document.querySelector("img.drawn").naturalWidth > 500 &&
			document.querySelectorAll("table.timing td.bar rect").length === 7 &&
			document.querySelectorAll("table.timing td.bar rect")[6].getBoundingClientRect().width > 30`,
		"/measurements":   `document.querySelectorAll("#measurements tbody tr").length === 2`,
		"/measurements/1": `document.querySelector("svg.shmoo").getBoundingClientRect().width > 300`,
		"/measurements/2": `document.querySelectorAll("rect").length === 7`,
	} {
		tab.Open(t, p.url.String()+path)
		for _, width := range []int{400, 1200} {
			tab.Screen(t, width, 900, width == 400)
			tab.Wait(t, fmt.Sprintf("innerWidth === %d && document.documentElement.scrollWidth === %[1]d", width))
			tab.Wait(t, drawn)
		}
	}
	quiet(t, tab)
}
