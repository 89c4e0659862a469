package page

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"utfbench/internal/browsertest"
	"utfbench/transport/lab"
)

// diverged is a first failure as a bench sends it.
const diverged = `{"vector":"chip/a","first":3,"of":9,"at":1,"idle":0,"in":["/WR","1","2","3","4","5","6","7"],` +
	`"prior":[0,0,0,1,1],"steps":[{"does":"write <b>","step":[1,65,255,0,1],"want":[1,0,0,0],"got":[1,0,0,0]},` +
	`{"does":"look","step":[0,0,0,0,1],"want":[1,0,7,0],"got":[3,0,7,0],"checked":true,` +
	`"out":["a","b","c","d","e","f","g","h"]}]}`

// failing returns a board with a failing run.
func failing(name, first string) lab.Board {
	b := taken(name)
	b.Progress = &lab.Progress{Run: &lab.Run{Done: 3, Of: 12, Verdicts: "FAIL 1", First: first, Drawn: true}}
	return b
}

// The first failure has a picture at an address of its own. It is drawn here and may run no script.
func TestPicture(t *testing.T) {
	f := newFake()
	f.boards, f.around = []lab.Board{failing("a", "v/7"), failing("b", "v/8"), taken("c")}, []byte(diverged)
	p := served(t, f)
	c := p.client(t, "first")
	at := p.url.String() + pictureOf(&f.boards[0])
	r, err := c.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	code, text := answer(t)(r, nil)
	if code != http.StatusOK || r.Header.Get("Content-Type") != "image/svg+xml" ||
		r.Header.Get("Content-Security-Policy") != picturePolicy ||
		!strings.Contains(text, "chip/a: steps 4 to 5 of 9") || !strings.Contains(text, "write &lt;b&gt;") {
		t.Error(code, r.Header, text)
	}
	if code, _ := get(t, &http.Client{}, at); code != http.StatusUnauthorized {
		t.Errorf("without a session: %d", code)
	}
	absent := map[string]string{"another failure's": strings.Replace(at, "pi1%2Fa", "pi1%2Fb", 1),
		"no board": strings.Replace(at, "pi1%2Fa", "pi1%2Fd", 1),
		"none":     p.url.String() + "/failure?" + url.Values{"board": {"pi1/c"}, "of": {""}}.Encode()}
	for what, at := range absent {
		if code, text := get(t, c, at); code != http.StatusNotFound {
			t.Errorf("%s: %d %s", what, code, text)
		}
	}
	for what, change := range map[string]func(){"nobody answers": func() { f.refuse = errors.New("it is gone") },
		"nonsense": func() { f.around, f.refuse = []byte(`{"steps":[]}`), nil }} {
		f.change(change)
		if code, text := get(t, c, at); code != http.StatusNotFound || strings.Contains(text, "<svg") {
			t.Errorf("%s: %d %s", what, code, text)
		}
	}
}

// seen is an expression that reports whether a picture was drawn.
const seen = `(() => { const i = document.querySelector(".picture:not([hidden]) img"); ` +
	`return Boolean(i) && i.complete && i.naturalWidth > 500; })()`

// drawsTheFailure checks that the waveform of the first failure appears, on light and dark screens, and disappears with
// its run.
func drawsTheFailure(t *testing.T, b *browsertest.Browser) {
	f := newFake()
	f.boards, f.around = []lab.Board{taken("a")}, []byte(diverged)
	p := served(t, f)
	tab := entered(t, b, p, "first")
	tab.Wait(t, `document.querySelector("#boards .picture").hidden`)
	f.change(func() { f.boards = []lab.Board{failing("a", "v/7")} })
	tab.Wait(t, seen)
	for _, dark := range []bool{false, true} {
		tab.Screen(t, 400, 900, dark)
		tab.Wait(t, `document.documentElement.scrollWidth === 400 && `+seen)
	}
	f.change(func() { f.boards = []lab.Board{{Host: "pi1", Name: "a", Kind: "mock", State: lab.Free}} })
	tab.Wait(t, `document.querySelector("#boards .picture").hidden`)
	tab.Wait(t, `window.same === 1`)
	quiet(t, tab)
}
