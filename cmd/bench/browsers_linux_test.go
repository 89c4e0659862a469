package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/internal/browsertest"
	"utfbench/internal/testkit"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// What the page is measured with.
const (
	mocks   = 200 // boards
	users   = 20  // at a time, each of which has a board for some seconds, and then the next
	askings = 20  // of an address, of which the least, the median and the worst are told
)

// The page of a lab of 200 mocks that one window and then ten windows of Chromium follow, while 20 boards are in use:
// an operation is to load it in one of them. Server and host are processes of their own. The history has a smoke run of
// each board.
func BenchmarkBrowsers(b *testing.B) {
	chromium := browsertest.Start(b)
	f := newFloor(b)
	f.use(b)
	var tabs []*browsertest.Tab
	for _, windows := range []int{1, 10} {
		for len(tabs) < windows {
			tab := chromium.Tab(b)
			tab.Open(b, f.enter(b))
			tab.Wait(b, fmt.Sprintf(`document.querySelectorAll("#boards tr").length === %d && `+
				`document.getElementById("live").textContent === "live"`, mocks))
			tabs = append(tabs, tab)
		}
		b.Run(fmt.Sprint("windows=", windows), func(b *testing.B) { f.measure(b, tabs) })
	}
}

// measure loads the page in windows, one after another, and asks for it, and for the runs, without one.
func (f *floor) measure(b *testing.B, tabs []*browsertest.Tab) {
	of := map[string][]time.Duration{}
	for i := 0; b.Loop(); i++ {
		tab := tabs[i%len(tabs)]
		tab.Open(b, f.page)
		tab.Wait(b, `performance.getEntriesByType("navigation")[0].loadEventEnd > 0`)
		for what, event := range map[string]string{"here": "responseEnd", "parsed": "domContentLoadedEventEnd",
			"loaded": "loadEventEnd"} {
			of[what] = append(of[what], clock(b, tab, event))
		}
	}
	c := f.client(b)
	of["get"], of["runs"] = asked(b, c, f.page), asked(b, c, f.page+"runs")
	for what, times := range of {
		slices.Sort(times)
		b.ReportMetric(ms(times[0]), "ms-"+what+"-least")
		b.ReportMetric(ms(times[len(times)/2]), "ms-"+what)
		b.ReportMetric(ms(times[len(times)-1]), "ms-"+what+"-worst")
	}
	b.ReportMetric(f.memory(b, "VmRSS"), "MB-server")
	b.ReportMetric(f.memory(b, "VmHWM"), "MB-server-most")
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// clock is how long after the begin of its way to a page a window came to an event, by its own clock.
func clock(b *testing.B, tab *browsertest.Tab, event string) time.Duration {
	b.Helper()
	text, err := tab.Eval(`performance.getEntriesByType("navigation")[0].` + event)
	if err != nil {
		b.Fatal(err)
	}
	after, err := strconv.ParseFloat(text, 64) // ms
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(after * float64(time.Millisecond))
}

// asked is how long an address takes, each time.
func asked(b *testing.B, c *http.Client, at string) (all []time.Duration) {
	b.Helper()
	for range askings {
		begun := time.Now()
		r, err := c.Get(at)
		if err != nil {
			b.Fatal(err)
		}
		_, err = io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK {
			b.Fatal(r.Status, err)
		}
		all = append(all, time.Since(begun))
	}
	return all
}

// A floor is a lab as a process, with a host of mocks as another.
type floor struct {
	invite string
	page   string // its address
	server *exec.Cmd
	conn   *lab.Conn
}

var newPage = regexp.MustCompile(`its page, for one browser: (http://[^/]+/)`)

func newFloor(b *testing.B) *floor {
	b.Helper()
	data := b.TempDir()
	f := &floor{invite: filepath.Join(data, "invite")}
	var out *bufio.Reader
	f.server, out = process(b, "benchlab", "serve", "--data", data, "--listen", "127.0.0.1:0", "--page", "127.0.0.1:0")
	for f.page == "" {
		line := testkit.Must(out.ReadString('\n'))(b)
		if found := newPage.FindStringSubmatch(line); found != nil {
			f.page = found[1]
		}
	}
	go io.Copy(io.Discard, out)
	inv, err := lab.ReadInvitation(f.invite)
	if err != nil {
		b.Fatal(err)
	}
	if f.conn, err = lab.Dial(b.Context(), inv); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(f.conn.Close)
	join := []string{"lab", "join", f.invite}
	for i := range mocks {
		join = append(join, "-t", "mock", "--name", fmt.Sprint("b", i))
	}
	_, out = process(b, join...)
	go io.Copy(io.Discard, out)
	f.wait(b)
	var said bytes.Buffer
	if code := run(b.Context(), []string{"lab", "run", f.invite, "--smoke"}, nil, &said, &said); code != exitPass {
		b.Fatal(code, &said)
	}
	return f
}

// wait waits until all boards are there.
func (f *floor) wait(b *testing.B) {
	b.Helper()
	for range 600 {
		if list, err := f.conn.Boards(b.Context()); err == nil && len(list.Boards) == mocks {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	b.Fatal("not all boards come")
}

// process is a bench of its own, until the benchmark ends, and what it prints.
func process(b *testing.B, args ...string) (*exec.Cmd, *bufio.Reader) {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0], cmd.Stderr = "bench", os.Stderr
	if args[0] == "benchlab" {
		cmd.Args = args
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt) // which it outlives if it has ended
		_ = cmd.Wait()
	})
	return cmd, bufio.NewReader(out)
}

// use has users use boards, until the benchmark ends.
func (f *floor) use(b *testing.B) {
	ctx, end := context.WithCancel(context.Background())
	jobs := testkit.Jobs[driver.Job](b, "man7.vec")[:1]
	var all sync.WaitGroup
	for user := range users {
		all.Go(func() {
			for board := user; ctx.Err() == nil; board = (board + users) % mocks {
				f.hold(ctx, fmt.Sprint("b", board), jobs)
			}
		})
	}
	b.Cleanup(func() { end(); all.Wait() })
}

// hold has a board for some seconds, and runs a vector on it some times a second.
func (f *floor) hold(ctx context.Context, board string, jobs []driver.Job) {
	of := native.New("lab:" + board)
	of.Lab.Invitation, of.Lab.Does = f.invite, "bench run"
	c, err := of.Open(ctx)
	if err != nil {
		return // at the end, or on a machine that is too busy
	}
	defer c.Close()
	var mu sync.Mutex
	did := lab.Run{Of: 100, First: "chip/bmp/0000007E/utf16-le-nochk step 1 (uo3 OVERLONG)"}
	native.Follow(c, func() lab.Run {
		mu.Lock()
		defer mu.Unlock()
		return did
	})
	for ctx.Err() == nil && did.Done < did.Of {
		if _, err := (&driver.Runner{Transport: c, Tile: c.Tile}).Run(ctx, jobs); err != nil {
			return
		}
		mu.Lock()
		did.Done++
		did.Verdicts = fmt.Sprint("PASS ", did.Done)
		mu.Unlock()
		time.Sleep(50 * time.Millisecond)
	}
}

// enter is an address that lets a browser in.
func (f *floor) enter(b *testing.B) string {
	b.Helper()
	p := testkit.Must(f.conn.Page(b.Context()))(b)
	return p.URL
}

// client is a browser without a window.
func (f *floor) client(b *testing.B) *http.Client {
	b.Helper()
	jar := testkit.Must(cookiejar.New(nil))(b)
	c := &http.Client{Jar: jar}
	r := testkit.Must(c.Get(f.enter(b)))(b)
	r.Body.Close()
	return c
}

// memory is what the server has of it, in MB, as Linux says.
func (f *floor) memory(b *testing.B, of string) float64 {
	b.Helper()
	text := testkit.Must(os.ReadFile(fmt.Sprintf("/proc/%d/status", f.server.Process.Pid)))(b)
	found := regexp.MustCompile(of + `:\s*(\d+) kB`).FindSubmatch(text)
	if found == nil {
		b.Fatalf("no %s in %s", of, text)
	}
	kib, _ := strconv.Atoi(string(found[1])) // digits
	return float64(kib) * 1024 / 1e6
}
