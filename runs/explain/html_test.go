package explain

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// write returns the page for a run of the suite guide on a chip with a fault, or a good one.
func write(t testing.TB, text string, count int) string {
	t.Helper()
	suite := testkit.Must(golden.LoadFile(golden.FS(), "guide.vec", utf.Dialect))(t)
	var jobs []driver.Job
	for i := range suite.Vectors {
		jobs = append(jobs, driver.Job{Vector: &suite.Vectors[i], File: suite.File})
	}
	var faults []fault.Fault
	if text != "" {
		f := testkit.Must(model.Bits.Parse(text))(t)
		faults = append(faults, f)
	}
	var b bytes.Buffer
	p := &Page{PageOptions: report.PageOptions{Out: &b, Number: func() int { return 7 }}, Explain: func() *Explanation {
		return &Explanation{Verb: "explained by", Suspects: []string{"uo3 <is> stuck"}, Account: "all"}
	}}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(p.Start(report.Run{Transport: "mock:<b>&tt09", Identity: report.Identity{Revision: "tt09",
		Tile: "utf", Chip: report.Chip{Board: "mock"}},
		Tags: files.Tags{"vdd": "1.8"}, Notes: []string{"a <note>"}, Iterations: count, Vectors: len(jobs),
		Started: time.Unix(0, 0)}))
	r := driver.Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: faults, Seed: 1}),
		Rules:  driver.Rules{Count: count},
		Report: func(r *driver.Result) { check(p.Result(r)) }}
	tally, err := r.Run(t.Context(), jobs)
	check(err)
	check(p.End(report.Outcome{Tally: tally, Elapsed: time.Second}))
	return b.String()
}

func TestPage(t *testing.T) {
	for _, c := range []struct {
		fault     string
		count     int
		has, lack []string
	}{
		{"", 1, []string{"<title>PASS: utf, mock:&lt;b&gt;&amp;tt09, mock, 1970-01-01 00:00 UTC, run 7</title>",
			"<dt>tags</dt><dd>vdd=1.8</dd>", "<b>PASS</b>", "<td>guide</td><td class=\"n\">826</td>", "a &lt;note&gt;"},
			[]string{"<svg", ">Explanation<", "Flaky vectors", "<nav>"}},
		{"uo3=stuck1", 1, []string{"<b>FAIL</b>", "<svg",
			`<nav><a href="#explained">Explanation</a>`, `<h2 id="explained">`,
			"uo3 &lt;is&gt; stuck", "more like it", "that are not listed", "<td>uo3</td>"}, []string{"Flaky vectors"}},
		{"uo3=flip:1e-3", 4, []string{"<b>FLAKY</b>", "Flaky vectors", "(iteration 2)"}, nil},
	} {
		html := write(t, c.fault, c.count)
		for _, s := range c.has {
			if !strings.Contains(html, s) {
				t.Errorf("%q: no %q", c.fault, s)
			}
		}
		for _, s := range c.lack {
			if strings.Contains(html, s) {
				t.Errorf("%q: there is %q", c.fault, s)
			}
		}
		if strings.Contains(html, "<b>&tt09") || !strings.Contains(html, "mock:&lt;b&gt;&amp;tt09") {
			t.Errorf("%q: a name is not escaped", c.fault)
		}
	}
}

// The page has no scripts and loads nothing.
func TestNeedsNothing(t *testing.T) {
	html := strings.ReplaceAll(write(t, "uo3=stuck1", 1), `xmlns="http://www.w3.org/2000/svg"`, "")
	for _, bad := range []string{`<script`, `<link`, `<img`, `<iframe`, `://`, `url\(`, `@import`,
		` on[a-z]+=`, `ZgotmplZ`} {
		if found := regexp.MustCompile(bad).FindString(html); found != "" {
			t.Errorf("there is %q", found)
		}
	}
}

// A browser renders the page for light and dark screens.
func TestInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed (package chromium)")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "page.html")
	if err := os.WriteFile(path, []byte(write(t, "uo3=stuck1", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		scheme      int // a setting of Blink: 0 is dark, 1 light
		dark, other bool
	}{{1, false, true}, {0, true, false}} {
		shot := filepath.Join(dir, fmt.Sprint(c.scheme, ".png"))
		screenshot(t, browser, path, shot, c.scheme)
		img := decode(t, shot)
		ground := bright(img, 2, 2)
		ink := 0
		for y := range 1200 {
			for x := range 1000 {
				if d := bright(img, x, y) - ground; d > 0x6000 || d < -0x6000 {
					ink++
				}
			}
		}
		if (ground < 0x8000) != c.dark || ink < 5000 || ink > 200_000 {
			t.Errorf("scheme %d: the ground is %04x, and %d of 1.2 million pixels stand out", c.scheme, ground, ink)
		}
	}
}

func screenshot(t *testing.T, browser, page, shot string, scheme int) {
	t.Helper()
	browse(t, browser, page, "--hide-scrollbars", "--window-size=1000,1200",
		fmt.Sprintf("--blink-settings=preferredColorScheme=%d", scheme), "--screenshot="+shot)
}

// browse opens a page in a headless browser, and returns the browser's output.
func browse(t *testing.T, browser, page string, options ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, append(append([]string{"--headless", "--no-sandbox", "--disable-gpu",
		"--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--user-data-dir=" + t.TempDir()}, options...), "file://"+page)...)
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &trouble)
	}
	return string(out)
}

// narrow is a script for a page 400 px wide. It reports broken words in cells and headings, and the width of the page.
const narrow = `<script>
const said = [];
for (const e of document.querySelectorAll('td, th, h3')) {
  const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
  for (let text; text = texts.nextNode();) for (const word of text.data.matchAll(/[^\s/-]+/g)) {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const lines = new Set([...range.getClientRects()].map((r) => r.top));
    if (lines.size > 1) said.push('BROKEN ' + word[0]);
  }
}
said.push('WIDTH ' + document.documentElement.scrollWidth);
parent.postMessage(said.join('.') + '.', '*');
</script>`

// Suggestions are at the top, with commands for the run's chip. The page of a recording shows the recorded times.
func TestTodo(t *testing.T) {
	text := write(t, "uo3=stuck1", 1)
	for _, want := range []string{`<h2 id="todo">What to do</h2>`, "<li>Look here first: uo3 &lt;is&gt; stuck</li>",
		"<code><span>bench</span> <span>loop</span> <span>guide/",
		"<code><span>bench</span> <span>run</span> <span>--again</span> <span>7</span></code>"} {
		if !strings.Contains(text, want) || strings.Index(text, "todo") > strings.Index(text, `id="explained"`) {
			t.Errorf("no %q", want)
		}
	}
	failed := &driver.Tally{}
	failed.Verdicts[driver.Fail]++
	none := &Explanation{Verb: unfit, Suspects: []string{"uo3 is stuck"}}
	if said := fmt.Sprint(new(Page).todos(report.Outcome{Tally: failed}, none)); strings.Contains(said, "uo3") {
		t.Errorf("a fault that does not fit: %s", said)
	}
	for kind, probe := range map[string]bool{report.Mock: false, "rp2040": true} {
		p := Page{shown: []*example{{Result: &driver.Result{Vector: new(golden.Vector)}}}}
		p.run.Kind = kind
		tally := &driver.Tally{}
		tally.Verdicts[driver.Fail]++
		said := fmt.Sprint(p.todos(report.Outcome{Tally: tally}, nil))
		if strings.Contains(said, "for a probe") != probe {
			t.Errorf("%s: %s", kind, said)
		}
	}
	for _, c := range []struct {
		tally  driver.Tally
		doctor bool
	}{{driver.Tally{}, true}, {driver.Tally{Contradictions: 1}, false}, {driver.Tally{IllegalVectors: 1}, false}} {
		c.tally.Verdicts[driver.Error]++
		said := fmt.Sprint(new(Page).todos(report.Outcome{Tally: &c.tally}, nil))
		if strings.Contains(said, "bench doctor") != c.doctor || strings.Contains(said, "Correct the vec") == c.doctor {
			t.Errorf("%d clashes, %d illegal: %s", c.tally.Contradictions, c.tally.IllegalVectors, said)
		}
	}
	if text := write(t, "", 1); strings.Contains(text, "What to do") {
		t.Error("there is something to do after a PASS")
	}
	p := &Page{PageOptions: report.PageOptions{Origin: "gpio:lines",
		OriginStart: &report.Start{Time: time.Unix(0, 0), Host: "its", Bench: "old"}},
		run: report.Run{Transport: "replay:/home/me/a.rec", Started: time.Unix(9, 0), Version: "new"}}
	said := fmt.Sprint(p.facts(report.Outcome{Tally: &driver.Tally{}, Elapsed: time.Second}))
	for _, want := range []string{"{tested gpio:lines}", "{started 1970-01-01T00:00:00Z}", "{bench old}", "{host its}",
		"{judged again 1970-01-01T00:00:09Z by bench new}"} {
		if !strings.Contains(said, want) || strings.Contains(said, "took") || strings.Contains(said, "/home") {
			t.Errorf("no %s in %s", want, said)
		}
	}
}

// frame shows a page 400 px wide, since a window cannot be that narrow
const frame = `<output></output><script>
addEventListener('message', (e) => { document.querySelector('output').append(e.data); });
</script><iframe src="page.html" width="400" height="900"></iframe>`

// On a narrow screen no word in a table is broken, and only wide elements scroll.
func TestNarrow(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed (package chromium)")
	}
	dir := t.TempDir()
	for file, text := range map[string]string{"page.html": write(t, "uo3=flip:1e-3", 4) + narrow, "frame.html": frame} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	said := browse(t, browser, filepath.Join(dir, "frame.html"), "--dump-dom", "--hide-scrollbars",
		"--virtual-time-budget=10000")
	measured := regexp.MustCompile(`<output>(.*)</output>`).FindStringSubmatch(said)
	if measured == nil || measured[1] != "WIDTH 400." {
		t.Errorf("the page says %q; want a width of 400 px, and no word broken", measured)
	}
}

// On paper, the page of a failing run takes three sheets. Folded parts stay folded, with a note on their size. A
// failure and its waveform are on the same sheet, even at the end of a sheet.
func TestPrinted(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed (package chromium)")
	}
	reader, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext is not installed (package poppler-utils)")
	}
	dir := t.TempDir()
	path, pdf := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.pdf")
	const failures = `<section><h2 id="failures">`
	html := strings.Replace(write(t, "uo3=stuck1", 1), failures, strings.Repeat("<br>", 32)+failures, 1)
	if err := os.WriteFile(path, []byte(html), 0o644); err != nil {
		t.Fatal(err)
	}
	browse(t, browser, path, "--print-to-pdf="+pdf, "--no-pdf-header-footer")
	text := testkit.Must(exec.Command(reader, "-layout", pdf, "-").Output())(t)
	if pages := bytes.Count(text, []byte("\f")); pages > 3 || !bytes.Contains(text, []byte("500 of them by name")) {
		t.Errorf("%d pages; want 3 at most:\n%s", pages, text)
	}
	waves := regexp.MustCompile(`(?m)^ +clk$`)
	for i, page := range bytes.Split(text, []byte("\f")) {
		if said := bytes.Count(page, []byte("is 1, not 0\n")); said != len(waves.FindAll(page, -1)) {
			t.Errorf("page %d parts a failure from its waveform:\n%s", i+1, page)
		}
	}
}

func decode(t *testing.T, path string) image.Image {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	return testkit.Must(png.Decode(f))(t)
}

func bright(img image.Image, x, y int) int {
	r, g, b, _ := img.At(x, y).RGBA()
	return int(r+g+b) / 3
}
