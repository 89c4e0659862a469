//go:build unix

package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
	"utfbench/web"
)

// serialBridge replaces the browser's serial ports by a single one. The server connects that port's streams to a board.
const serialBridge = `(() => {
const port = {
  getInfo: () => ({ usbVendorId: 0x2e8a, usbProductId: 5 }),
  async open() {
    this.hangUp = new AbortController();
    const answer = await fetch("/serial/open", { signal: this.hangUp.signal });
    if (!answer.ok) throw new DOMException("Failed to open serial port.", "NetworkError");
    this.readable = answer.body;
    this.writable = new WritableStream({
      async write(body) { await fetch("/serial/write", { method: "POST", body, keepalive: true }); },
    });
  },
  async close() {
    this.hangUp.abort();
    await fetch("/serial/close", { method: "POST" });
  },
};
addEventListener("unload", () => {}); // as a page with an open port, one with this is never kept for the way back
Object.defineProperty(navigator, "serial", { value: { requestPort: async () => port } });
})()`

// A bridge is the server's end of the serial bridge: one line, which only one tab can open at a time.
type bridge struct {
	line string

	mu   sync.Mutex
	tty  *os.File // nil while the line is closed
	done chan struct{}
}

func (b *bridge) handler(page http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", page)
	mux.HandleFunc("GET /serial/open", b.open)
	mux.HandleFunc("POST /serial/write", b.write)
	mux.HandleFunc("POST /serial/close", b.close)
	return mux
}

// open forwards the board's output until the tab closes the port or is closed.
func (b *bridge) open(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	if b.tty != nil {
		b.mu.Unlock()
		http.Error(w, "busy", http.StatusConflict)
		return
	}
	tty, err := os.OpenFile(b.line, os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		b.mu.Unlock()
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	b.tty, b.done = tty, make(chan struct{})
	done := b.done
	b.mu.Unlock()
	stop := context.AfterFunc(r.Context(), func() { tty.SetReadDeadline(time.Now()) })
	defer stop()
	flush := http.NewResponseController(w)
	w.WriteHeader(http.StatusOK)
	flush.Flush()
	part := make([]byte, 4096)
	for {
		n, err := tty.Read(part)
		if _, werr := w.Write(part[:n]); err != nil || werr != nil || flush.Flush() != nil {
			break
		}
	}
	b.mu.Lock()
	b.tty = nil
	b.mu.Unlock()
	tty.Close()
	close(done)
}

func (b *bridge) write(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tty == nil {
		http.Error(w, "closed", http.StatusConflict)
		return
	}
	b.tty.Write(text)
}

func (b *bridge) close(http.ResponseWriter, *http.Request) {
	b.mu.Lock()
	done := b.done
	b.mu.Unlock()
	<-done
}

// bridged serves the page, with a board behind navigator.serial.
func bridged(t *testing.T, folder string, c boardtest.Config) (*boardtest.Board, *bridge, string) {
	t.Helper()
	board := boardtest.Start(t, c)
	b := &bridge{line: board.TTY}
	s := httptest.NewServer(b.handler(web.Handler(os.DirFS(folder))))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return board, b, s.URL
}

// slowly is the timeout for an emulated board on a busy machine.
const slowly = "1m"

// connected returns a tab in which the user has followed a link that names a suite and has selected the board.
func connected(t *testing.T, b *testkit.Browser, url, patience string) *testkit.Tab {
	t.Helper()
	tab := b.Tab(t)
	tab.AddInitScript(t, serialBridge)
	tab.Open(t, url+"/#board&suite=sequences&run=tt09$&patience="+patience)
	loadedWeb(t, tab)
	does(t, tab, `document.getElementById("connect").click();`)
	tab.Wait(t, `document.getElementById("port").textContent === "A board is connected (USB 2E8A:0005)."`)
	return tab
}

// The page opens an emulated board by its serial port. It judges, parks and describes the chip as the command does.
func TestWebBoard(t *testing.T) {
	testkit.SkipUnlessFull(t)
	boardtest.RequireMicroPython(t)
	chromium := testkit.StartBrowser(t)
	folder := buildWeb(t)
	t.Run("pass", func(t *testing.T) { judgesABoard(t, chromium, folder) })
	t.Run("wiring", func(t *testing.T) { namesAWire(t, chromium, folder) })
	t.Run("pack", func(t *testing.T) { judgesADesign(t, chromium, folder) })
}

// Two tabs share a port, and a tab may be closed during a run.
func TestWebBoardTabs(t *testing.T) {
	testkit.SkipUnlessFull(t)
	boardtest.RequireMicroPython(t)
	chromium := testkit.StartBrowser(t)
	folder := buildWeb(t)
	t.Run("two tabs", func(t *testing.T) { tellsTheSecondTab(t, chromium, folder) })
	t.Run("closed", func(t *testing.T) { parksWhenClosed(t, chromium, folder) })
}

func judgesABoard(t *testing.T, chromium *testkit.Browser, folder string) {
	board, _, url := bridged(t, folder, demo(t, "tt-demo-rp2350"))
	tab := connected(t, chromium, url, slowly)
	for range 2 { // the port can be opened again
		does(t, tab, clickGo)
		tab.Wait(t, verdict+` === "PASS"`)
		for id, want := range map[string]string{"opened": "rp2040:web-serial, board tt-demo-rp2350, compared with",
			"notes": "the chip's ROM says tt09", "verdict": "the chip answered", "left": "the chip is parked",
			"compared": "output bits"} {
			tab.Wait(t, `document.getElementById("`+id+`").textContent.includes("`+want+`")`)
		}
		if board.Lines() != transport.ParkStep {
			t.Errorf("it is not parked: %+v", board.Lines())
		}
	}
	if folder := os.Getenv("BENCH_SHOTS"); folder != "" {
		tab.SetScreen(t, 1280, 900, false)
		tab.Screenshot(t, folder+"/web-board.png")
	}
	board.Check(t)
	quietWeb(t, tab)
}

// namesAWire: a chip behind a bad wire is not judged, and the wire is named.
func namesAWire(t *testing.T, chromium *testkit.Browser, folder string) {
	config := demo(t, "tt-demo-rp2350")
	config.Wires = []string{"uio2=open:low"}
	_, _, url := bridged(t, folder, config)
	tab := connected(t, chromium, url, slowly)
	does(t, tab, clickGo)
	tab.Wait(t, verdict+` === "WIRING"`)
	tab.Wait(t, `document.getElementById("hint").textContent.includes("uio2")`)
}

// judgesADesign: the board selects a design of a dropped pack, and its samples are compared with the pack's netlist.
func judgesADesign(t *testing.T, chromium *testkit.Browser, folder string) {
	file := ownPack(t, "same", "same")
	config, _ := surveyable(t, file, 0, 1)
	board, _, url := bridged(t, folder, config)
	tab := connected(t, chromium, url, slowly)
	drops(t, tab, "own.pack", testkit.Must(os.ReadFile(file))(t))
	tab.Wait(t, `document.getElementById("packtext").textContent.startsWith("3 designs")`)
	does(t, tab, `document.getElementById("packed").value = "tt_um_wokwi_413919752282163201";
		document.getElementById("suite").value = document.getElementById("run").value = "";`+clickGo)
	tab.Wait(t, verdict+` === "PASS"`)
	for id, want := range map[string]string{"opened": "compared with the netlist gates-", "left": "the chip is parked",
		"text": "coverage "} {
		tab.Wait(t, `document.getElementById("`+id+`").textContent.includes("`+want+`")`)
	}
	board.Check(t)
	quietWeb(t, tab)
}

// tellsTheSecondTab: while one tab has the port, a second tab says so.
func tellsTheSecondTab(t *testing.T, chromium *testkit.Browser, folder string) {
	_, _, url := bridged(t, folder, demo(t, "tt-demo-rp2350"))
	first, second := connected(t, chromium, url, slowly), connected(t, chromium, url, slowly)
	does(t, first, `document.getElementById("count").value = "100";`+clickGo)
	first.Wait(t, `document.getElementById("progress").value > 0`)
	does(t, second, clickGo)
	second.Wait(t, verdict+` === "ERROR"`)
	second.Wait(t, `document.getElementById("verdict").textContent.includes("another tab or program uses it")`)
	does(t, first, `document.getElementById("stop").click();`)
	first.Wait(t, verdict+` === "ABORTED"`)
	does(t, second, clickGo)
	second.Wait(t, verdict+` === "PASS"`)
}

// parksWhenClosed: if a tab navigates away, is killed or panics in a run, the chip is parked, and the next run passes.
func parksWhenClosed(t *testing.T, chromium *testkit.Browser, folder string) {
	board, _, url := bridged(t, folder, demo(t, "tt-demo-rp2350"))
	for i := range 10 {
		tab := connected(t, chromium, url, "") // the board waits as long
		does(t, tab, `document.getElementById("count").value = "100";`+clickGo)
		tab.Wait(t, `document.getElementById("progress").value > 0`)
		time.Sleep(time.Duration(i*37%100) * time.Millisecond)
		switch i % 3 {
		case 0:
			tab.Open(t, "about:blank#gone")
		case 1:
			tab.Kill(t)
		case 2:
			does(t, tab, panics)
			tab.Wait(t, verdict+` === "ERROR"`)
		}
		end := time.Now().Add(20 * time.Second) // the board needs three seconds on an idle machine
		for board.Lines() != transport.ParkStep && time.Now().Before(end) {
			time.Sleep(10 * time.Millisecond)
		}
		if board.Lines() != transport.ParkStep {
			t.Fatalf("%d: it is not parked: %+v", i, board.Lines())
		}
	}
	tab := connected(t, chromium, url, slowly)
	does(t, tab, clickGo)
	tab.Wait(t, verdict+` === "PASS"`)
	board.Check(t)
}
