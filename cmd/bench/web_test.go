package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/web"
)

// webRelease is the version of the page and of the command in these tests.
const webRelease = "9.9.9"

// buildWeb builds the page in a folder. It skips the test if a build tool is missing.
func buildWeb(t testing.TB) string {
	t.Helper()
	for _, tool := range []string{"bash", "go", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("scripts/web needs ", tool)
		}
	}
	folder := t.TempDir()
	build := exec.Command("bash", "../../scripts/web", folder)
	build.Env = append(os.Environ(), "LDFLAGS=-X main.release="+webRelease)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return folder
}

// The page in Chromium gives the same results as the command. All subtests share one browser and one build.
func TestWeb(t *testing.T) {
	testkit.SkipUnlessFull(t) // builds the whole command for a browser
	b := testkit.StartBrowser(t)
	folder := buildWeb(t)
	s := httptest.NewServer(web.Handler(os.DirFS(folder)))
	defer s.Close()
	for name, test := range map[string]func(*testing.T, *testkit.Browser, string){
		"same recording": recordsAsRun, "a fault": findsAFault, "keyboard": worksByKeyboard, "link": takesALink,
		"bad order": refusesABadOrder, "own vectors": runsOwnVectors, "stop": stopsARun, "screens": fitsScreens,
		"no serial": namesWhatIsMissing, "crash": survivesACrash, "pack": runsADesignOfAPack} {
		t.Run(name, func(t *testing.T) { test(t, b, s.URL) })
	}
	t.Run("not loaded", func(t *testing.T) { saysWhyItIsNotLoaded(t, b, folder) })
	t.Run("offline", func(t *testing.T) { worksOffline(t, b, folder) })
	t.Run("update", func(t *testing.T) { updatesItself(t, b, folder) })
}

// openWeb opens the page, and waits until the bench is loaded.
func openWeb(t testing.TB, b *testkit.Browser, url string) *testkit.Tab {
	t.Helper()
	tab := b.Tab(t)
	tab.Open(t, url)
	loadedWeb(t, tab)
	return tab
}

func loadedWeb(t testing.TB, tab *testkit.Tab) {
	t.Helper()
	tab.Wait(t, fmt.Sprintf(`document.getElementById("version").textContent === "Version %s."`, webRelease))
}

// does performs an action in the page. The action must be possible without waiting.
func does(t testing.TB, tab *testkit.Tab, script string) {
	t.Helper()
	if _, err := tab.Eval("void (() => { " + script + " })()"); err != nil {
		t.Fatal(err)
	}
}

const (
	clickGo = `document.getElementById("go").click();`
	verdict = `(document.getElementById("stop").disabled && document.getElementById("state").textContent)`
)

// short is the end of a link to a suite whose failures are diagnosed quickly.
const short = "/#suite=man7"

func setsFault(faults string) string {
	return fmt.Sprintf(`document.getElementById("fault").value = %q; document.getElementById("seed").value = "7";`,
		faults)
}

// saved clicks the button that saves the recording, and returns the file.
func saved(t *testing.T, tab *testkit.Tab) string {
	t.Helper()
	folder := t.TempDir()
	tab.SetDownloadFolder(t, folder)
	does(t, tab, `document.querySelector("#files a[download$='.rec']").click();`)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if all, _ := filepath.Glob(filepath.Join(folder, "*.rec")); len(all) == 1 {
			return all[0]
		}
	}
	t.Fatal("the browser saved no recording")
	return ""
}

// recordsAsRun checks that page and command record all vectors identically, except for machine and times.
func recordsAsRun(t *testing.T, b *testkit.Browser, url string) {
	defer func(was string) { release = was }(release)
	release = webRelease
	tab := openWeb(t, b, url)
	for _, fault := range []string{"", "uio2=flip:0.003", "uo3=stuck1"}[:testkit.Pick(2, 3)] {
		does(t, tab, setsFault(fault)+clickGo)
		want := map[bool]string{true: "PASS", false: "FAIL"}[fault == ""]
		tab.Wait(t, verdict+fmt.Sprintf(` === %q`, want))
		path := filepath.Join(t.TempDir(), "cli.rec")
		args := []string{"run", "--no-history", "--seed", "7", "--record", path}
		if fault != "" {
			args = append(args, "--fault", fault)
		}
		if code, said := bench(t, args...); code > exitFail {
			t.Fatalf("exit code %d, and it says\n%s", code, said)
		}
		ours, theirs := saved(t, tab), blocksOf(t, path)
		for i, block := range blocksOf(t, ours) {
			if i >= len(theirs) || block != theirs[i] {
				t.Errorf("fault %q: block %d of the page's recording differs from the command's: %.300q", fault, i,
					block)
			}
		}
		if code, said := bench(t, "run", "-t", "replay:"+ours); !strings.Contains(said, want) {
			t.Errorf("judged again: exit code %d, and it says\n%s", code, said)
		}
	}
}

// blocksOf returns the blocks of a recording as docs/formats.md describes them: the executions unchanged; the others
// without the machine, the times and dependent values, and without the coverage, since a page grades fewer faults.
func blocksOf(t *testing.T, path string) (all []string) {
	t.Helper()
	if _, err := report.Open(path); err != nil {
		t.Fatal(err)
	}
	text := testkit.Must(os.ReadFile(path))(t)
	_, rest, found := bytes.Cut(text, []byte("\n\x03"))
	if !found {
		t.Fatalf("%s is of another version than docs/formats.md", path)
	}
	for len(rest) > 0 {
		kind, n := rest[0], binary.LittleEndian.Uint32(rest[1:])
		payload := rest[5 : 5+n]
		rest = rest[5+n+4:]
		if kind == 'P' {
			all = append(all, string(payload))
			continue
		}
		var fields map[string]any
		if err := json.Unmarshal(payload, &fields); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"time", "host", "seconds", "sha256"} {
			delete(fields, name)
			if end, is := fields["end"].(map[string]any); is {
				delete(end, name)
				delete(end["evidence"].(map[string]any), "coverage")
			}
		}
		again, _ := json.Marshal(fields)
		all = append(all, string(kind)+string(again))
	}
	if len(all) < 3 {
		t.Fatalf("%s has only %d blocks", path, len(all))
	}
	return all
}

// findsAFault: the first failure has a waveform, and the verdict an explanation and a report.
func findsAFault(t *testing.T, b *testkit.Browser, url string) {
	tab := openWeb(t, b, url+short)
	does(t, tab, setsFault("uo3=stuck1")+clickGo)
	tab.Wait(t, verdict+` === "FAIL"`)
	tab.Wait(t, `document.activeElement.id === "result"`)
	tab.Wait(t, `document.getElementById("wave").naturalWidth > 500 && document.getElementById("wave").alt.length > 20`)
	tab.Wait(t, `document.getElementById("suspects").textContent.includes("uo3 is stuck at 1")`)
	tab.Wait(t, `document.getElementById("verdict").textContent.includes("no chip was tested")`)
	tab.Wait(t, `document.querySelectorAll("#files a[download]").length === 2`)
	quietWeb(t, tab)
}

// quietWeb checks that the page's console is empty. A resource that the page's policy forbids would be reported there.
func quietWeb(t *testing.T, tab *testkit.Tab) {
	t.Helper()
	if said := tab.ConsoleOutput(); len(said) > 0 {
		t.Errorf("the console says %s", said)
	}
}

// worksByKeyboard: a user can run the demo and save its files without a mouse.
func worksByKeyboard(t *testing.T, b *testkit.Browser, url string) {
	tab := openWeb(t, b, url+short)
	reach := func(id string) {
		t.Helper()
		for range 40 {
			at, _ := tab.Eval("document.activeElement.id || document.activeElement.download")
			if strings.Contains(at, id) {
				return
			}
			tab.Press(t, "Tab")
		}
		t.Fatalf("Tab does not reach %s", id)
	}
	reach("fault")
	for _, key := range "uo3=stuck1" {
		tab.Press(t, string(key))
	}
	reach("go")
	tab.Press(t, "Enter")
	tab.Wait(t, verdict+` === "FAIL"`)
	reach(".html")
	quietWeb(t, tab)
}

// takesALink: a link fills in the form but starts nothing, and its unknown parts are reported.
func takesALink(t *testing.T, b *testkit.Browser, url string) {
	tab := openWeb(t, b, url+"/#fault=ui0~ui1=and&suite=chip&run=^chip/bmp&nonsense=1&suite=none")
	tab.Wait(t, `document.getElementById("linked").textContent.includes("nonsense, suite=none")`)
	tab.Wait(t, `document.getElementById("fault").value === "ui0~ui1=and"`)
	tab.Wait(t, `document.getElementById("run").value === "^chip/bmp"`)
	tab.Wait(t, `document.getElementById("result").hidden && document.getElementById("going").hidden`)
	board := openWeb(t, b, url+"/#board&shuttle=tt09&design=tt_um_x")
	board.Wait(t, `!document.getElementById("board").hidden && document.getElementById("design").value === "tt_um_x"`)
	board.Wait(t, `document.getElementById("go").disabled`) // no board is connected
}

// runsOwnVectors: a file that the user chooses replaces the suites.
func runsOwnVectors(t *testing.T, b *testkit.Browser, url string) {
	text := testkit.Must(os.ReadFile("../../golden/vectors/man7.vec"))(t)
	tab := openWeb(t, b, url)
	own := testkit.Must(json.Marshal(strings.Replace(string(text), "suite man7", "suite own", 1)))(t)
	does(t, tab, fmt.Sprintf(`const all = new DataTransfer(); all.items.add(new File([%s], "own.vec"));
		document.getElementById("vectors").files = all.files;`, own)+clickGo)
	tab.Wait(t, verdict+` === "PASS"`)
	tab.Wait(t, `document.getElementById("text").textContent.includes("\nown ")`)
}

// refusesABadOrder: a usage error is not a verdict.
func refusesABadOrder(t *testing.T, b *testkit.Browser, url string) {
	tab := openWeb(t, b, url)
	match := func(pattern string) string {
		return setsFault("") + fmt.Sprintf(`document.getElementById("run").value = %q;`, pattern)
	}
	for script, want := range map[string]string{setsFault("uo9=stuck1"): "uo9", match("("): "error parsing regexp",
		match("zzz"): "no vector"} {
		does(t, tab, script+clickGo)
		tab.Wait(t, verdict+` === "NOT RUN"`)
		tab.Wait(t, fmt.Sprintf(`document.getElementById("verdict").textContent.includes(%q)`, want))
	}
}

// stopsARun: a stopped run is not PASS, and the next run is complete.
func stopsARun(t *testing.T, b *testkit.Browser, url string) {
	tab := openWeb(t, b, url)
	does(t, tab, `document.getElementById("count").value = "100";`+clickGo)
	tab.Wait(t, `document.getElementById("progress").value > 0`)
	does(t, tab, `document.getElementById("stop").click();`)
	tab.Wait(t, verdict+` === "ABORTED"`)
	does(t, tab, `document.getElementById("count").value = "1";`+clickGo)
	tab.Wait(t, verdict+` === "PASS"`)
}

func drops(t *testing.T, tab *testkit.Tab, name string, text []byte) {
	t.Helper()
	does(t, tab, fmt.Sprintf(`const all = new DataTransfer();
		all.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q));
		dispatchEvent(new DragEvent("drop", { dataTransfer: all }));`, base64.StdEncoding.EncodeToString(text), name))
}

// runsADesignOfAPack: a pack dropped onto the page offers its designs, and the recording can be diagnosed.
func runsADesignOfAPack(t *testing.T, b *testkit.Browser, url string) {
	const design = "tt_um_bench_turn"
	netlist := testkit.Must(os.ReadFile("../../tile/gates/testdata/turn.v"))(t)
	t.Chdir(t.TempDir())
	of := map[string]string{design + ".v": string(netlist), "info.yaml": "project: {title: Turns}\n"}
	for path, text := range of {
		path = filepath.Join("projects", design, path)
		if err := cmp.Or(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if code, said := bench(t, "shuttle", "pack", ".", "--out", "tt.pack"); code != 0 {
		t.Fatal(said)
	}
	text := testkit.Must(os.ReadFile("tt.pack"))(t)
	tab := openWeb(t, b, url+"/#design="+design)
	drops(t, tab, "tt.pack", text)
	tab.Wait(t, fmt.Sprintf(`document.getElementById("packed").value === %q`, design))
	tab.Wait(t, `document.getElementById("packtext").textContent.startsWith("1 design")`)
	does(t, tab, setsFault("")+`document.getElementById("run").value = "0$";`+clickGo)
	tab.Wait(t, verdict+` === "PASS"`)
	tab.Wait(t, `document.getElementById("text").textContent.includes("coverage ")`)
	does(t, tab, setsFault("uo0=stuck1")+clickGo)
	tab.Wait(t, verdict+` === "FAIL"`)
	tab.Wait(t, fmt.Sprintf(`document.getElementById("hint").textContent.includes("FILE.rec --tile tt.pack:%s  #")`,
		design))
	rec := saved(t, tab)
	code, said := bench(t, "diagnose", rec, "--tile", "tt.pack:"+design)
	if code != 0 || !strings.Contains(said, "uo0 is stuck at 1") {
		t.Errorf("exit code %d, and it says\n%s", code, said)
	}
	for _, width := range []int{390, 1280} {
		tab.SetScreen(t, width, 900, false)
		tab.Wait(t, `document.documentElement.scrollWidth <= innerWidth`)
		if folder := os.Getenv("BENCH_SHOTS"); folder != "" {
			tab.Screenshot(t, filepath.Join(folder, fmt.Sprintf("web-pack-%d.png", width)))
		}
	}
	quietWeb(t, tab)
}

// panics is a script that makes the bench in the worker panic: it sends an answer without an id.
const panics = `worker.postMessage({ do: "answer" });`

// survivesACrash: if the worker crashes, the run is an ERROR, and the next run works.
func survivesACrash(t *testing.T, b *testkit.Browser, url string) {
	tab := openWeb(t, b, url)
	does(t, tab, panics)
	tab.Wait(t, verdict+` === "ERROR"`)
	loadedWeb(t, tab)
	does(t, tab, clickGo)
	tab.Wait(t, verdict+` === "PASS"`)
}

// saysWhyItIsNotLoaded: the page shows the received bytes and the time, and reports a truncated or missing program.
func saysWhyItIsNotLoaded(t *testing.T, b *testkit.Browser, folder string) {
	pages, program := web.Handler(os.DirFS(folder)), testkit.Must(os.ReadFile(filepath.Join(folder, "bench.wasm")))(t)
	cut := make(chan bool)
	var missing atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/bench.wasm":
			pages.ServeHTTP(w, r)
		case missing.Load():
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Length", strconv.Itoa(len(program)))
			_, _ = w.Write(program[:3e6])
			_ = http.NewResponseController(w).Flush()
			<-cut
			panic(http.ErrAbortHandler)
		}
	}))
	defer s.Close()
	tab := b.Tab(t)
	tab.AddInitScript(t, `delete Navigator.prototype.serviceWorker`) // the service worker would load it, too
	tab.Open(t, s.URL)
	const says = `document.getElementById("version").textContent`
	tab.Wait(t, fmt.Sprintf(says+`.match(/^Loading the bench: 3.0 of %.1f MB, [0-9.]+ s$/) !== null`,
		float64(len(program))/1e6))
	cut <- true
	tab.Wait(t, says+`.startsWith("The bench could not be loaded: ")`)
	missing.Store(true)
	tab.Open(t, s.URL+"/?again")
	tab.Wait(t, says+`.startsWith("The bench could not be loaded: bench.wasm: 404 ")`)
	tab.Wait(t, `document.getElementById("go").disabled`)
}

// namesWhatIsMissing: in a browser without Web Serial, the page says so, names the browser, and offers the demo.
func namesWhatIsMissing(t *testing.T, b *testkit.Browser, url string) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 Gecko/20100101 Firefox/140.0":                      "This Firefox has no Web Serial",
		"Mozilla/5.0 AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15": "Safari has no Web Serial",
		"Mozilla/5.0 Android Chrome/140.0 Mobile Safari/537.36":         "Mobile browsers",
	} {
		tab := b.Tab(t)
		tab.AddInitScript(t, fmt.Sprintf(`delete Navigator.prototype.serial;
			Object.defineProperty(navigator, "userAgent", { value: %q })`, agent))
		tab.Open(t, url+"/#board")
		loadedWeb(t, tab)
		tab.Wait(t, fmt.Sprintf(`document.getElementById("noserial").innerText.startsWith(%q)`, want))
		tab.Wait(t, `document.getElementById("connect").disabled && document.getElementById("go").disabled`)
		does(t, tab, `document.querySelector("input[value=mock]").click();`+clickGo)
		tab.Wait(t, verdict+` === "PASS"`)
	}
}

// fitsScreens: the page fits a phone, is dark on a dark screen, and names each control.
func fitsScreens(t *testing.T, b *testkit.Browser, url string) {
	tab := b.Tab(t)
	for _, width := range []int{390, 1280} {
		tab.SetScreen(t, width, 900, width == 390)
		tab.Open(t, fmt.Sprintf("%s/?%d%s", url, width, short[1:]))
		loadedWeb(t, tab)
		does(t, tab, setsFault("uo3=stuck1")+clickGo)
		tab.Wait(t, verdict+` === "FAIL"`)
		tab.Wait(t, `document.documentElement.scrollWidth <= innerWidth`)
		tab.Wait(t,
			fmt.Sprintf(`getComputedStyle(document.querySelector("#first .wide"), "::before").content.includes(`+
				`"scroll sideways") === %t`, width == 390))
		if folder := os.Getenv("BENCH_SHOTS"); folder != "" {
			tab.Screenshot(t, filepath.Join(folder, fmt.Sprintf("web-%d.png", width)))
		}
	}
	tab.SetScreen(t, 390, 900, true)
	tab.Wait(t, `getComputedStyle(document.body).backgroundColor === "rgb(20, 23, 27)"`)
	tab.Wait(t, `[...document.querySelectorAll("input, select, textarea")].every((e) => e.labels.length > 0)`)
	tab.Wait(t, `[...document.querySelectorAll("button, a")].every((e) => e.textContent.trim() !== "")`)
}

// worksOffline: once loaded, the page works without its server.
func worksOffline(t *testing.T, b *testkit.Browser, folder string) {
	s := httptest.NewServer(web.Handler(os.DirFS(folder)))
	tab := openWeb(t, b, s.URL)
	tab.Wait(t, `navigator.serviceWorker.getRegistration().then((r) => Boolean(r?.active))`)
	s.CloseClientConnections()
	s.Close()
	tab.Open(t, s.URL+"/#suite=man7")
	tab.Wait(t, `location.hash === "#suite=man7"`)
	does(t, tab, `window.old = true; location.reload();`)
	tab.Wait(t, "!window.old") // otherwise the old page could be mistaken for the new one
	loadedWeb(t, tab)
	does(t, tab, clickGo)
	tab.Wait(t, verdict+` === "PASS"`)
}

// BenchmarkWeb measures the size of the page, the time to load it with and without the cache, and the time to a verdict
// on a good chip and on one that fails every vector.
func BenchmarkWeb(b *testing.B) {
	chromium := testkit.StartBrowser(b)
	folder := buildWeb(b)
	s := httptest.NewServer(web.Handler(os.DirFS(folder)))
	defer s.Close()
	var tab *testkit.Tab
	took := map[string]time.Duration{}
	measure := func(name string, do func()) {
		began := time.Now()
		do()
		took[name] += time.Since(began)
	}
	measure("ms-first-load", func() { tab = openWeb(b, chromium, s.URL) })
	tab.Wait(b, `navigator.serviceWorker.getRegistration().then((r) => Boolean(r?.active))`)
	for b.Loop() {
		measure("ms-load", func() { tab.Open(b, s.URL+"/?again"); loadedWeb(b, tab) })
		for name, c := range map[string][2]string{"ms-run": {"", "PASS"}, "ms-fail": {"uo3=stuck1", "FAIL"}} {
			measure(name, func() {
				does(b, tab, setsFault(c[0])+clickGo)
				tab.Wait(b, verdict+fmt.Sprintf(" === %q", c[1]))
			})
		}
	}
	for name, all := range took {
		n := b.N
		if name == "ms-first-load" {
			n = 1
		}
		b.ReportMetric(float64(all.Milliseconds())/float64(n), name)
	}
	program := testkit.Must(os.ReadFile(filepath.Join(folder, "bench.wasm")))(b)
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	_, _ = w.Write(program)
	_ = w.Close()
	b.ReportMetric(float64(len(program))/1e6, "MB")
	b.ReportMetric(float64(packed.Len())/1e6, "MB-gzip")
}

// updatesItself: a newer page is fetched completely, and appears once no tab shows the old one.
func updatesItself(t *testing.T, b *testkit.Browser, built string) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(built)); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(web.Handler(os.DirFS(folder)))
	defer s.Close()
	tab := openWeb(t, b, s.URL)
	tab.Wait(t, `navigator.serviceWorker.getRegistration().then((r) => Boolean(r?.active))`)
	for file, change := range map[string][2]string{"index.html": {"<title>utfbench", "<title>newer"},
		"service.js": {`VERSION = "`, `VERSION = "newer`}} {
		text := testkit.Must(os.ReadFile(filepath.Join(folder, file)))(t)
		newer := strings.Replace(string(text), change[0], change[1], 1)
		if err := os.WriteFile(filepath.Join(folder, file), []byte(newer), 0o644); err != nil || newer == string(text) {
			t.Fatal(file, err)
		}
	}
	tab.Open(t, s.URL+"/?once")
	tab.Wait(t, `document.title === "utfbench"`)
	tab.Wait(t, `navigator.serviceWorker.getRegistration().then((r) => Boolean(r.waiting))`)
	newer := ""
	for i := 0; i < 20 && newer != "true"; i++ { // on a busy machine the old page may still count as shown
		tab.Open(t, "about:blank#gone")
		tab.Open(t, fmt.Sprint(s.URL, "/?again=", i))
		loadedWeb(t, tab)
		newer = testkit.Must(tab.Eval(`document.title === "newer"`))(t)
	}
	if newer != "true" {
		t.Error("the old page is shown again and again")
	}
}
