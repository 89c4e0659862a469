package page

import (
	"net/http"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/transport/lab"
)

// withLot returns a page of a lab of four boards: one fails, one is gone, one passed in a retest, one passes.
func withLot(t *testing.T) (*Page, *fake, *kept) {
	k := newKept(t)
	for _, run := range []struct {
		board string
		v     driver.Verdict
	}{{"pi1/b2", driver.Pass}, {"pi1/b10", driver.Fail}, {"pi1/b3", driver.Fail}, {"pi1/b3", driver.Pass}} {
		k.enter(t, run.board, "laptop", run.v)
	}
	f := newFake()
	f.past = k.History
	for _, name := range []string{"b1", "b2", "b3", "b10"} {
		f.boards = append(f.boards, lab.Board{Host: "pi1", Name: name, Kind: "mock", State: lab.Free, Note: "shelf 2"})
	}
	f.boards[0].State = lab.Gone
	return served(t, f), f, k
}

// Boards whose last run failed come first, then those that are gone; the header counts them.
func TestWorstFirst(t *testing.T) {
	p, _, _ := withLot(t)
	v := p.view()
	if want := "boards: 4, not PASS: 1, free: 3, gone: 1; hosts online: 0 of 0"; v.Summary != want {
		t.Errorf("%s; want %s", v.Summary, want)
	}
	var order []string
	for _, r := range v.Tables[0] {
		order = append(order, r.ID)
	}
	if got := strings.Join(order, " "); got != "pi1/b10 pi1/b1 pi1/b2 pi1/b3" {
		t.Error(got)
	}
	bad := v.Tables[0][0]
	if bad.Class != "free bad" || bad.Badge != "fail" || bad.Run != 2 || bad.Texts["note"] != "shelf 2" ||
		bad.Texts["verdict"] != "FAIL" || !strings.HasPrefix(bad.Texts["last-run"], "run 2, ") ||
		bad.Texts["cause"] != "s/<b>: of old age" {
		t.Errorf("%+v", bad)
	}
	_, text := get(t, p.client(t, "first"), p.url.String()+"/")
	if !strings.Contains(text, `<b class="mark verdict fail" data-text="verdict">FAIL</b> `+
		`<a data-run href="/runs/2" data-text="last-run">run 2, `) {
		t.Error(text)
	}
}

// A board that failed does so still after runs that judged nothing.
func TestVoidRuns(t *testing.T) {
	_, f, k := withLot(t)
	s := &Standings{Lab: f}
	for range 2 {
		k.enter(t, "pi1/b10", "laptop", driver.Aborted)
		k.enter(t, "pi1/b10", "laptop", driver.Skipped)
		if is := s.Now()["pi1/b10"]; is.Verdict != "FAIL" || is.Run != 2 {
			t.Errorf("%+v", is)
		}
	}
	all, err := lotsOf(k.History, "l1")
	if err != nil || len(all[0].Boards) != 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	if b := all[0].Boards[1]; b.Board != "pi1/b10" || b.Verdict != "FAIL" || b.Run != 2 {
		t.Errorf("a retest that was stopped hides %+v", b.Standing)
	}
}

// A lot is shown as a page, as CSV and as JUnit.
func TestLot(t *testing.T) {
	p, _, _ := withLot(t)
	for path, wants := range map[string][]string{
		"/lots": {`<tr class="bad"><th scope="row"><a href="/lots/l1">l1</a>`, "1 of 3 boards pass"},
		"/lots/l1": {`<b class="mark verdict fail">FAIL</b>`,
			`<b class="mark verdict flaky">FLAKY</b></td><td class="soft">FAIL`, `<th>first mismatch</th>`,
			`<b class="mark verdict pass">PASS</b></td><td class="soft">PASS<`},
		"/lots/l1/csv": {"lot,board,first,verdict,runs,ended,cause,role\nl1,pi1/b3,FAIL,FLAKY,3 4,",
			"\nl1,pi1/b10,FAIL,FAIL,2,"},
		"/lots/l1/junit": {`<testcase name="pi1/b2" classname="lot.l1"`, `name="l1" tests="3" failures="2"`,
			`<failure message="s/&lt;b&gt;: of old age" type="FAIL">`},
	} {
		code, text := get(t, p.client(t, "first"), p.url.String()+path)
		for _, want := range wants {
			if code != http.StatusOK || !strings.Contains(text, want) {
				t.Errorf("%s: %d, no %s in %s", path, code, want, text)
			}
		}
	}
	if code, _ := get(t, p.client(t, "first"), p.url.String()+"/lots/nosuch"); code != http.StatusNotFound {
		t.Error(code)
	}
}

// The golden unit is not counted among the boards, those without a run are.
func TestLotOfAll(t *testing.T) {
	k := newKept(t)
	of := document.Tags{document.Boards: "3"}
	k.tagged(t, "pi1/gold", "laptop", driver.Pass, document.Tags{document.Golden: "yes"})
	k.tagged(t, "pi1/b1", "laptop", driver.Pass, of)
	k.tagged(t, "pi1/b2", "laptop", driver.Fail, of)
	f := newFake()
	f.past = k.History
	p := served(t, f)
	for path, wants := range map[string][]string{
		"/lots": {"1 of 3 boards pass, 1 without a run<"},
		"/lots/l1": {"1 of 3 boards pass, 1 without a run;",
			"the golden unit, in no yield</th></tr>\n<tr><th scope=\"row\">" +
				`<a href="/runs?board=pi1%2fgold">`, `<th scope="row">1 without a run</th>`},
		"/lots/l1/csv": {"\nl1,pi1/gold,PASS,PASS,1,", ",golden unit\nl1,pi1/b2,FAIL", "\nl1,,,,,,,1 without a run\n"},
		"/lots/l1/junit": {`<testsuite name="l1 golden unit" tests="1"`,
			`<testsuite name="l1" tests="3" failures="1" errors="1"`},
	} {
		code, text := get(t, p.client(t, "first"), p.url.String()+path)
		for _, want := range wants {
			if code != http.StatusOK || !strings.Contains(text, want) {
				t.Errorf("%s: %d, no %s in %s", path, code, want, text)
			}
		}
	}
}

// Boards that were not free when a lot began, and have no run in it, are named.
func TestLotNames(t *testing.T) {
	for _, c := range []struct{ of, absent, want string }{
		{"3", "", "2 without a run"},
		{"3", "pi1/b1 pi1/b2 pi1/b3", "2 without a run: pi1/b2, pi1/b3"},
		{"4", "pi1/b2", "3 without a run: pi1/b2, and 2 more"},
		{"9", "pi1/b2 pi1/b3 pi1/b4 pi1/b5 pi1/b6 pi1/b7",
			"8 without a run: pi1/b2, pi1/b3, pi1/b4, pi1/b5, pi1/b6, and 3 more"},
		{"1", "pi1/b1", ""},
	} {
		k := newKept(t)
		k.tagged(t, "pi1/gold", "laptop", driver.Pass, document.Tags{document.Golden: "yes"})
		tags := document.Tags{document.Boards: c.of}
		if c.absent != "" {
			tags[document.Absent] = c.absent
		}
		k.tagged(t, "pi1/b1", "laptop", driver.Pass, tags)
		all, err := lotsOf(k.History, "")
		if err != nil || len(all) != 1 || all[0].Absent() != c.want {
			t.Errorf("%+v: %v, %v", c, all[0].Absent(), err)
		}
	}
}

// The metrics have boards by state and verdict, runs, rates and the queue.
func TestMetrics(t *testing.T) {
	_, f, _ := withLot(t)
	var b strings.Builder
	if err := (&Standings{Lab: f}).Metrics(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# TYPE bench_lab_boards gauge\n", "\nbench_lab_boards{state=\"gone\"} 1\n",
		"\nbench_lab_waiting 0\n", "\nbench_lab_board_verdict{board=\"pi1/b10\",verdict=\"FAIL\"} 1\n",
		"\nbench_lab_board_steps_per_second{board=\"pi1/b2\"} 40000\n", "\nbench_lab_runs_total 4\n"} {
		if !strings.Contains("\n"+b.String(), want) {
			t.Errorf("no %q in %s", want, &b)
		}
	}
}

// A board that turns bad is reported once; one that was bad before is not.
func TestTurnedBad(t *testing.T) {
	_, f, k := withLot(t)
	s := &Standings{Lab: f}
	before := s.Now()
	k.enter(t, "pi1/b10", "laptop", driver.Fail)
	k.enter(t, "pi1/b2", "laptop", driver.Error)
	now := s.Now()
	if all := turnedBad(before, now); len(all) != 1 || all[0].Board != "pi1/b2" || all[0].Verdict != "ERROR" {
		t.Errorf("%+v", all)
	}
	if all := turnedBad(now, s.Now()); len(all) > 0 {
		t.Errorf("%+v", all)
	}
	if (*Standing)(nil).Bad() || (&Standing{Last: lab.Last{Verdict: "ABORTED"}}).Bad() {
		t.Error("nothing is known, and it is bad")
	}
}
