package page

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"utfbench/internal/browsertest"
	"utfbench/transport/lab"
)

// parking returns a lab of a free, a taken and a gone board, and a log of parked boards.
func parking(t testing.TB) (*Page, *[]string) {
	f := newFake()
	f.boards = []lab.Board{{Host: "pi1", Name: "a", Kind: "mock", What: hostile, State: lab.Free}, taken("b"),
		{Host: "pi1", Name: "c", Kind: "mock", State: lab.Gone}}
	p := served(t, f)
	parked := new([]string)
	p.cfg.Park = func(b *lab.Board, by string) {
		f.change(func() {
			*parked = append(*parked, b.String()+" for "+by)
			f.events = []lab.Event{{Number: 1, Host: b.Host, Board: b.Name, What: "was parked for " + by}}
		})
	}
	return p, parked
}

// Only a form of the session parks a board, in the name of its key, and only a free board.
func TestPark(t *testing.T) {
	p, parked := parking(t)
	c, other := p.client(t, "pi1"), p.client(t, "first")
	at := p.url.String() + "/park"
	mine, others := formOf(t, c, at+"?board=pi1/a"), formOf(t, other, at+"?board=pi1/a")
	post := func(secret, board string) int {
		t.Helper()
		code, _ := answer(t)(c.PostForm(at, url.Values{"form": {secret}, "board": {board}}))
		return code
	}
	for _, try := range [][2]string{{"", "pi1/a"}, {others, "pi1/a"}} {
		if code := post(try[0], try[1]); code != http.StatusForbidden {
			t.Errorf("%v: %d", try, code)
		}
	}
	for _, board := range []string{"pi1/b", "pi1/c", "x", ""} {
		code, _ := get(t, c, at+"?board="+board)
		if posted := post(mine, board); code != http.StatusConflict || posted != http.StatusConflict {
			t.Errorf("%q: asked %d, done %d", board, code, posted)
		}
	}
	if len(*parked) > 0 {
		t.Fatal(*parked)
	}
	if code := post(mine, "pi1/a"); code != http.StatusOK || !slices.Equal(*parked, []string{"pi1/a for pi1"}) {
		t.Error(code, *parked)
	}
	p.cfg.Park = nil
	if code := post(mine, "pi1/a"); code != http.StatusConflict {
		t.Errorf("where nothing is parked: %d", code)
	}
}

// parksABoard checks that a confirmed request parks a free board and that an event reports it.
func parksABoard(t *testing.T, b *browsertest.Browser) {
	p, parked := parking(t)
	tab := entered(t, b, p, "first")
	tab.Wait(t, `[...document.querySelectorAll(".park")].map(a => a.offsetHeight > 0).join() === "false,true,false"`)
	tab.Wait(t, `document.querySelector(".free .park").click() === undefined`)
	tab.Wait(t, `document.title === "park pi1/a?"`)
	tab.Wait(t, `document.querySelector("form button").click() === undefined`)
	tab.Wait(t, `document.title === "lab test"`)
	tab.Wait(t, cell("events", "1", "td:last-child")+` === "was parked for first"`)
	if !slices.Equal(*parked, []string{"pi1/a for first"}) {
		t.Error(*parked)
	}
	quiet(t, tab)
}
