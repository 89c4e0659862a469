package page

import (
	"fmt"
	"testing"
	"time"

	"utfbench/internal/browsertest"
	"utfbench/transport/lab"
)

// All browser tests share one Chromium, whose start takes longer than the tests.
func TestInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	for name, test := range map[string]func(*testing.T, *browsertest.Browser){"follows the lab": followsTheLab,
		"text is text": showsTextAsText, "lost": saysWhenItIsLost, "fits the screen": fitsTheScreen,
		"a run alone": showsTheEndOfARun, "a picture": drawsTheFailure, "runs": showsRuns,
		"park": parksABoard} {
		t.Run(name, func(t *testing.T) { test(t, b) })
	}
}

// entered returns a tab that was admitted and follows the lab.
func entered(t *testing.T, b *browsertest.Browser, p *Page, key string) *browsertest.Tab {
	t.Helper()
	tab := b.Tab(t)
	tab.Open(t, p.invited(t, key))
	tab.Wait(t, `document.getElementById("live")?.textContent === "live"`)
	if said, err := tab.Eval(`window.same = 1`); err != nil { // reloading the page would lose it
		t.Fatal(said, err)
	}
	return tab
}

// quiet checks that the page was never reloaded and logged nothing.
func quiet(t *testing.T, tab *browsertest.Tab) {
	t.Helper()
	if said := tab.Said(); len(said) > 0 {
		t.Errorf("the console says %s", said)
	}
}

// cell returns an expression for the text of a cell.
func cell(table, id, of string) string {
	return fmt.Sprintf(`(document.querySelector('#%s tr[data-id="%s"]')?.querySelector(%q)?.innerText || "")`, table,
		id, of)
}

// followsTheLab checks that the page follows the lab without reloading, and that a confirmed stop stops the board.
func followsTheLab(t *testing.T, b *browsertest.Browser) {
	f := newFake()
	f.boards = []lab.Board{{Host: "pi1", Name: "a", Kind: "mock", State: lab.Free}}
	p := served(t, f)
	tab := entered(t, b, p, "first")
	tab.Wait(t, cell("boards", "pi1/a", ".state")+` === "free"`)
	tab.Wait(t, `getComputedStyle(document.querySelector(".act .stop")).display === "none"`)
	a := taken("a")
	f.change(func() {
		a.Progress = &lab.Progress{Steps: 12345, Run: &lab.Run{Done: 3, Of: 12, Verdicts: "PASS 2, FAIL 1",
			First: "v/7"}}
		f.boards = []lab.Board{a, taken("b")}
		f.events = []lab.Event{{Number: 2, Host: "pi1", What: "run 7: FAIL", Run: 7},
			{Number: 1, Host: "pi1", What: "is here"}}
	})
	tab.Wait(t, cell("boards", "pi1/a", ".state")+` === "taken"`)
	tab.Wait(t, cell("boards", "pi1/a", ".use")+`.includes("12,345")`)
	tab.Wait(t, cell("boards", "pi1/a", ".first")+` === "first failure: v/7"`)
	tab.Wait(t, `document.querySelector("progress").value === 3 && document.querySelector("progress").max === 12`)
	tab.Wait(t, cell("events", "1", "td:last-child")+` === "is here"`)
	tab.Wait(t, `[...document.querySelectorAll("#events a")].map(a => a.getAttribute("href")).join() === "/runs/7,"`)
	tab.Wait(t, `[...document.querySelectorAll("#boards tr")].map(r => r.dataset.id).join() === "pi1/a,pi1/b"`)
	f.change(func() { f.boards = f.boards[1:] })
	tab.Wait(t, `[...document.querySelectorAll("#boards tr")].map(r => r.dataset.id).join() === "pi1/b"`)
	tab.Wait(t, `window.same === 1`)
	tab.Wait(t, `document.querySelector(".act .stop").click() === undefined`)
	tab.Wait(t, `document.title === "stop pi1/b?"`)
	tab.Wait(t, `document.querySelector("form button").click() === undefined`)
	tab.Wait(t, `document.title === "lab test"`)
	if len(f.stopped) != 1 || f.stopped[0] != "pi1/b by first" {
		t.Error(f.stopped)
	}
	quiet(t, tab)
}

// showsTextAsText checks that foreign text is shown as text, both at first and in updates, and that a search works.
func showsTextAsText(t *testing.T, b *browsertest.Browser) {
	f := newFake()
	one, two := taken("a"), taken("b")
	one.What, one.Holder.Who, one.Reason = hostile, hostile, hostile
	two.What, two.Holder.Does = hostile, hostile
	f.boards = []lab.Board{one}
	p := served(t, f)
	tab := entered(t, b, p, "first")
	two.Name = "b" + hostile
	f.change(func() {
		f.boards = append(f.boards, two)
		f.events = []lab.Event{{Number: 1, Host: hostile, What: hostile}}
	})
	tab.Wait(t, `document.querySelectorAll("#boards tr").length === 2`)
	tab.Wait(t, `document.body.innerText.split("<script>alert(1)</script>").length === 9`)
	tab.Wait(t, `document.querySelectorAll("img[onerror]").length === 0`)
	tab.Wait(t, `document.querySelectorAll("script").length === 1`)
	find := func(words string) {
		tab.Wait(t, fmt.Sprintf(`find.value = %q, find.dispatchEvent(new Event("input"))`, words))
	}
	rows := `[...document.querySelectorAll("#boards tr")].filter(r => r.offsetHeight > 0).length`
	for words, n := range map[string]int{"": 2, "BENCH run": 1, "onerror": 2, "nothing": 0} {
		find(words)
		tab.Wait(t, fmt.Sprintf("%s === %d", rows, n))
	}
	quiet(t, tab)
}

// saysWhenItIsLost checks that a page reports the end of its session and an unreachable lab.
func saysWhenItIsLost(t *testing.T, b *browsertest.Browser) {
	f := newFake()
	p := served(t, f)
	revoked, cut := entered(t, b, p, "pi1"), entered(t, b, p, "first")
	f.change(func() { delete(f.keys, "pi1") })
	revoked.Wait(t, `live.textContent.startsWith("Session ended") && live.className.includes("lost")`)
	cut.Wait(t, `live.textContent === "live"`)
	p.Close()
	cut.Wait(t, `live.textContent.startsWith("No answer")`)
}

// showsTheEndOfARun checks that the page of a single run shows its end, though the server ends with it.
func showsTheEndOfARun(t *testing.T, b *browsertest.Browser) {
	board := taken("mock")
	s := NewSolo(board, lab.Host{Machine: "this one"})
	s.Progress = func() *lab.Progress { return &lab.Progress{Run: &lab.Run{Done: 2, Of: 2, Verdicts: "FAIL 2"}} }
	p := served(t, s)
	tab := entered(t, b, p, "pi1")
	if _, err := p.Invite("first", false); err == nil {
		t.Error("others than who runs it come in")
	}
	s.Tell("first failure: v/1", false)
	tab.Wait(t, cell("events", "1", "td:last-child")+` === "first failure: v/1"`)
	s.Tell("the run has ended: FAIL", true)
	p.Close()
	tab.Wait(t, `live.textContent.startsWith("No answer")`)
	tab.Wait(t, cell("boards", "pi1/mock", ".use")+`.includes("the run has ended: FAIL")`)
	tab.Wait(t, cell("boards", "pi1/mock", ".use")+`.includes("2 of 2 executions: FAIL 2")`)
}

// fitsTheScreen checks that long names and words do not exceed the screen's width, and that light and dark modes work.
func fitsTheScreen(t *testing.T, b *browsertest.Browser) {
	f := newFake()
	long := "a_name_that_is_as_long_as_names_can_be_12"
	board := taken(long)
	board.Host, board.What, board.Reason = long, long+long+long, long+long+long+long
	board.Progress = &lab.Progress{Run: &lab.Run{Of: 1, First: long + long + long}}
	f.boards = []lab.Board{board}
	f.hosts = []lab.Host{{Name: long, Machine: long + long, Bench: long, Heard: time.Unix(0, 0)}}
	f.events = []lab.Event{{Number: 1, Host: long, Board: long, What: long + long + long}}
	p := served(t, f)
	tab := entered(t, b, p, "first")
	for _, c := range []struct {
		width int
		dark  bool
	}{{400, false}, {1200, true}} {
		tab.Screen(t, c.width, 900, c.dark)
		tab.Wait(t, fmt.Sprintf("innerWidth === %d && document.documentElement.scrollWidth === %[1]d", c.width))
		ground := `Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0])`
		tab.Wait(t, fmt.Sprintf("(%s < 128) === %v", ground, c.dark))
	}
	quiet(t, tab)
}
