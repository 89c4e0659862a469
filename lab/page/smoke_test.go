package page

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/browsertest"
	"utfbench/transport/lab"
)

// smoking returns a lab of a free, a taken and a gone board, and a log of its runs.
func smoking(t testing.TB, no *string) (*Page, *[]string) {
	f := newFake()
	f.boards = []lab.Board{{Host: "pi1", Name: "a", Kind: "mock", What: hostile, State: lab.Free}, taken("b"),
		{Host: "pi1", Name: "c", Kind: "mock", State: lab.Gone}}
	p := served(t, f)
	begun := new([]string)
	p.cfg.NoSmoke = func() string { return *no }
	p.cfg.Smoke = func(b *lab.Board, by string) error {
		if slices.Contains(*begun, b.String()+" by "+by) {
			return errors.New("a smoke run goes on there already")
		}
		*begun = append(*begun, b.String()+" by "+by)
		return nil
	}
	return p, begun
}

// Only a form of the session starts a run, in the name of its key, on a free board, and only where runs are possible.
func TestSmoke(t *testing.T) {
	no := ""
	p, begun := smoking(t, &no)
	c, other := p.client(t, "pi1"), p.client(t, "first")
	at := p.url.String() + "/smoke"
	mine, others := formOf(t, c, at+"?board=pi1/a"), formOf(t, other, at+"?board=pi1/a")
	post := func(secret, board string) (int, string) {
		t.Helper()
		return answer(t)(c.PostForm(at, url.Values{"form": {secret}, "board": {board}}))
	}
	for _, try := range [][2]string{{"", "pi1/a"}, {others, "pi1/a"}, {mine, "pi1/b"}, {mine, "pi1/c"}, {mine, "x"}} {
		if code, _ := post(try[0], try[1]); code != http.StatusForbidden && code != http.StatusConflict {
			t.Errorf("%v: %d", try, code)
		}
	}
	if code, _ := get(t, c, at+"?board=pi1/b"); code != http.StatusConflict {
		t.Errorf("of a board that is taken: %d", code)
	}
	no = "The first invitation was taken away."
	if code, text := post(mine, "pi1/a"); code != http.StatusConflict || !strings.Contains(text, no) {
		t.Error(code, text)
	}
	if _, text := get(t, c, p.url.String()); !strings.Contains(text, no) || strings.Contains(text, `class="smokes"`) {
		t.Error(text)
	}
	if no = ""; len(*begun) > 0 {
		t.Fatal(*begun)
	}
	if code, _ := post(mine, "pi1/a"); code != http.StatusOK || !slices.Equal(*begun, []string{"pi1/a by pi1"}) {
		t.Error(code, *begun)
	}
	if code, text := post(mine, "pi1/a"); code != http.StatusConflict || !strings.Contains(text, "goes on there") {
		t.Error(code, text)
	}
	p.cfg.Smoke = nil
	if code, _ := post(mine, "pi1/a"); code != http.StatusConflict {
		t.Errorf("where none can be begun: %d", code)
	}
}

// beginsASmokeRun checks that a confirmed request starts a run on a free board only.
func beginsASmokeRun(t *testing.T, b *browsertest.Browser) {
	no := ""
	p, begun := smoking(t, &no)
	tab := entered(t, b, p, "first")
	tab.Wait(t, `[...document.querySelectorAll(".smoke")].map(a => a.offsetHeight > 0).join() === "false,true,false"`)
	tab.Wait(t, `document.querySelector(".free .smoke").click() === undefined`)
	tab.Wait(t, `document.title === "smoke run on pi1/a?"`)
	tab.Wait(t, `document.querySelector("form button").click() === undefined`)
	tab.Wait(t, `document.title === "lab test"`)
	if !slices.Equal(*begun, []string{"pi1/a by first"}) {
		t.Error(*begun)
	}
	quiet(t, tab)
}
