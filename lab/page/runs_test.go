package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/browsertest"
	"utfbench/internal/document"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport"
)

type kept struct {
	*history.History
	path string
}

func newKept(t testing.TB) *kept {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	h, err := history.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return &kept{h, path}
}

func (k *kept) enter(t testing.TB, board, host string, v driver.Verdict) (number int) {
	t.Helper()
	return k.tagged(t, board, host, v, nil)
}

func (k *kept) tagged(t testing.TB, board, host string, v driver.Verdict, tags document.Tags) (number int) {
	t.Helper()
	w := history.NewWriter(k.path)
	_ = w.Start(report.Run{Version: "v1", Transport: "lab:" + board, Host: host, Vectors: 362, Count: 2,
		Identity: report.Identity{Tile: "utf", Revision: "tt09", Chip: report.Chip{Board: "tt", Device: "E661"}},
		Tags:     document.Tags{document.Celsius: "31", document.Lot: "l1"}.With(tags),
		Started:  time.Date(2026, 11, 20, 8, 0, 0, 0, time.Local)})
	tally := &driver.Tally{Steps: 40000}
	tally.Verdicts[v]++
	tally.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{}, {Out: 1}})
	vector := &golden.Vector{Name: "s/<b>"}
	tally.Repeats = []*driver.Repeat{{Vector: vector, Executions: 1, Failed: 1}}
	_ = w.Result(&driver.Result{Tile: utf.TT09, Vector: vector, Iteration: 1, Verdict: v, Reason: "of old age"})
	_ = w.End(report.Outcome{Tally: tally, Elapsed: time.Second})
	if w.Note() != "" {
		t.Fatal(w.Note())
	}
	return w.Number()
}

func withRuns(t testing.TB, k *kept) *Page {
	f := newFake()
	f.past = k.History
	p := served(t, f)
	p.cfg.Transport = func(board string) string { return "lab:" + board }
	says := func(words string) account {
		return func(_ context.Context, w io.Writer, _ *history.History, run int) error {
			if run == 13 {
				return errors.New("it is of another tile " + hostile)
			}
			_, err := fmt.Fprintf(w, words, run)
			return err
		}
	}
	p.cfg.Report, p.cfg.Bundle = says("<!DOCTYPE html><style>h1{color:rgb(1,2,3)}</style><h1 onclick='x()'>run %d</h1>"+
		"<script>document.title = 'hacked'</script><a href='#x'>x</a><svg class=waveform></svg>"), says("zip %d")
	return p
}

// Runs are listed, the latest first, and found by board and by words. Their texts are shown as text.
func TestRuns(t *testing.T) {
	k := newKept(t)
	for n := range 2*perPage + 1 {
		k.enter(t, []string{"pi1/a", "pi1/b"}[n%2], "laptop linux/amd64",
			[]driver.Verdict{driver.Pass, driver.Fail}[n/2%2])
	}
	k.enter(t, "pi2/c", hostile, driver.Error)
	p := withRuns(t, k)
	c := p.client(t, "first")
	for path, want := range map[string]struct {
		rows      int
		has, lack []string
	}{
		"/runs": {perPage, []string{`>102</a>`, "pi2/c", `href="/runs?page=2">older`, "362 vectors, 2 times",
			"&lt;script&gt;alert(1)"}, []string{">newer<", "<script>"}},
		"/runs?page=3":                   {2, []string{`>1</a>`, `href="/runs?page=2">newer`}, []string{">older<"}},
		"/runs?page=nonsense":            {perPage, nil, nil},
		"/runs?page=99999999999":         {0, []string{"No matching runs"}, nil},
		"/runs?board=pi1/b":              {perPage, nil, []string{">older<"}},
		"/runs?q=fail+laptop":            {perPage, nil, []string{">older<", "pi2/c"}},
		"/runs?q=error&board=":           {1, []string{"pi2/c", `value="error"`}, nil},
		"/runs?board=pi3%2F%22%3E%3Cimg": {0, []string{"pi3/&#34;&gt;&lt;img", "No matching runs"}, []string{"<img"}},
		"/runs?q=" + strings.Repeat("%FF", 99) + strings.Repeat("%C3%A9", 900): {0, []string{"No matching runs"}, nil},
	} {
		code, text := get(t, c, p.url.String()+path)
		if rows := strings.Count(text, `<th scope="row">`); code != http.StatusOK || rows != want.rows {
			t.Errorf("%.40s: %d, %d rows; want %d", path, code, rows, want.rows)
		}
		for _, has := range want.has {
			if !strings.Contains(text, has) {
				t.Errorf("%.40s: no %s", path, has)
			}
		}
		for _, lack := range want.lack {
			if strings.Contains(text, lack) {
				t.Errorf("%.40s: there is %s", path, lack)
			}
		}
	}
}

// A run's page is its report under a restrictive policy, or else its entry in the history; its files are downloads.
func TestRun(t *testing.T) {
	k := newKept(t)
	for range 14 {
		k.enter(t, "pi1/a", "h", driver.Error)
	}
	if err := os.Remove(k.Recording(14)); err != nil {
		t.Fatal(err)
	}
	p := withRuns(t, k)
	c := p.client(t, "first")
	for path, want := range map[string]struct {
		code         int
		policy, kind string
		has          string
	}{
		"/runs/1":                   {200, reportPolicy, "text/html; charset=utf-8", "run 1</h1>"},
		"/runs/13":                  {200, policy, "text/html; charset=utf-8", "again here: it is of another tile"},
		"/runs/14":                  {200, policy, "text/html; charset=utf-8", "Its recording is gone"},
		"/runs/14/recording":        {404, policy, "text/html; charset=utf-8", "It was pruned"},
		"/runs/14/bundle":           {200, policy, "application/zip", "zip 14"},
		"/runs/1/recording":         {200, policy, "application/octet-stream", "utfbench recording"},
		"/runs/2/bundle":            {200, policy, "application/zip", "zip 2"},
		"/runs/13/bundle":           {404, policy, "text/html; charset=utf-8", "another tile"},
		"/runs/15":                  {404, policy, "text/html; charset=utf-8", "has none of this number"},
		"/runs/0":                   {404, policy, "text/html; charset=utf-8", "numbered from 1"},
		"/runs/-1":                  {404, policy, "text/html; charset=utf-8", "numbered from 1"},
		"/runs/x":                   {404, policy, "text/html; charset=utf-8", "numbered from 1"},
		"/runs/..%2Fkeys/recording": {404, policy, "text/html; charset=utf-8", "numbered from 1"},
	} {
		r, err := c.Get(p.url.String() + path)
		code, text := answer(t)(r, err)
		if code != want.code || r.Header.Get("Content-Security-Policy") != want.policy ||
			r.Header.Get("Content-Type") != want.kind || !strings.Contains(text, want.has) {
			t.Errorf("%s: %d %s %.200s", path, code, r.Header, text)
		}
		if strings.Contains(text, "<script>alert") || strings.Contains(text, "s/<b>") && path == "/runs/14" {
			t.Errorf("%s: %s", path, text)
		}
		if code, _ := get(t, &http.Client{}, p.url.String()+path); code != http.StatusUnauthorized {
			t.Errorf("%s without a session: %d", path, code)
		}
	}
}

// A page without a history says so.
func TestNoRuns(t *testing.T) {
	p := served(t, newFake())
	for _, path := range []string{"/runs", "/runs/1"} {
		if code, text := get(t, p.client(t, "first"), p.url.String()+path); code != http.StatusNotFound ||
			!strings.Contains(text, "No runs are kept here") {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
}

// showsRuns checks that the list fits the screen, and that a report's styles apply and its
// scripts do not run.
func showsRuns(t *testing.T, b *browsertest.Browser) {
	k := newKept(t)
	long := "a_name_that_is_as_long_as_names_can_be_12"
	for _, v := range []driver.Verdict{driver.Pass, driver.Fail, driver.Error} {
		k.enter(t, long+"/"+long, long+hostile, v)
	}
	p := withRuns(t, k)
	tab := entered(t, b, p, "first")
	tab.Open(t, p.url.String()+"/runs?"+url.Values{"board": {long + "/" + long}}.Encode())
	for _, width := range []int{400, 1200} {
		tab.Screen(t, width, 900, width == 400)
		tab.Wait(t, fmt.Sprintf("innerWidth === %d && document.documentElement.scrollWidth === %[1]d", width))
	}
	tab.Wait(t, `document.querySelectorAll("#runs tbody tr").length === 3`)
	quiet(t, tab)
	tab.Wait(t, `document.querySelector("#runs tbody a").click() === undefined`)
	tab.Wait(t, `document.querySelector("h1").innerText === "run 3" && document.title !== "hacked"`)
	tab.Wait(t, `getComputedStyle(document.querySelector("h1")).color === "rgb(1, 2, 3)"`)
	if said := tab.Said(); !slices.ContainsFunc(said, func(s string) bool {
		return strings.Contains(s, "sandbox") ||
			strings.Contains(s, "Content Security Policy")
	}) {
		t.Errorf("a script was forbidden, and the console says %q", said)
	}
}

// A run's row names the key that handed it in, since a recording can claim any host and board.
func TestRowNamesTheKey(t *testing.T) {
	r := &history.Run{Number: 1, By: "eve", Start: report.Start{Host: "bob's machine", Transport: "lab:bob/b1"}}
	if row := rowOf(newKept(t).History, r); row.Asker != "eve, bob's machine" {
		t.Errorf("%q", row.Asker)
	}
}
