package page

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/lab"
	"utfbench/lab/labtest"
	"utfbench/lab/user"
)

// served serves the page of a lab whose good and faulty boards have run a job, and returns its address and the run.
func served(t *testing.T) (address string, r *user.Run) {
	t.Helper()
	l := labtest.Serve(t, nil)
	l.Join("pi1", l.Enter("pi1", lab.HostRole), labtest.Mocks("", "uo3=stuck1"))
	s := l.Enter("alice", lab.UserRole)
	r = &user.Run{Store: s, Name: "page1", Boards: l.AwaitBoards(s, 2), OnResult: func(lab.Result) {},
		Job: lab.Job{Tile: "utf", Suites: []string{"structural"}, Count: 1, Timeout: time.Minute, Seed: 1}}
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	told, ended := make(chan string, 1), make(chan error, 1)
	p := &Page{Store: s, Version: "test"}
	failure.Go(func() { ended <- p.Serve(ctx, "127.0.0.1:0", func(a string) { told <- a }) })
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return <-told, r
}

func get(t *testing.T, url, host string) (status int, text, policy string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body), resp.Header.Get("Content-Security-Policy")
}

// The page shows the boards, faulty ones first, results and reports, but only below its secret and on its own host.
func TestPage(t *testing.T) {
	address, _ := served(t)
	status, text, policy := get(t, address, "")
	if status != http.StatusOK || !strings.Contains(text, "page.js") ||
		!strings.Contains(policy, "default-src 'none'") {
		t.Errorf("%d, %s, %s", status, policy, text)
	}
	_, text, _ = get(t, address+"now", "")
	if fail, pass := strings.Index(text, `"FAIL"`), strings.Index(text, `"PASS"`); fail < 0 || pass < fail {
		t.Errorf("%s", text)
	}
	for _, job := range []string{"page1.0", "page1.1"} {
		status, text, policy = get(t, address+"report/pi1/"+job, "")
		if status != http.StatusOK || !strings.HasPrefix(text, "<!DOCTYPE html>") ||
			!strings.HasPrefix(policy, "sandbox;") {
			t.Errorf("%s: %d, %s, %.200s", job, status, policy, text)
		}
	}
	bare := address[:strings.LastIndex(strings.TrimSuffix(address, "/"), "/")] + "/"
	for url, host := range map[string]string{bare: "",
		strings.TrimSuffix(address, "/") + "x/": "", address: "evil.example"} {
		if status, text, _ := get(t, url, host); status != http.StatusForbidden {
			t.Errorf("%s for %q: %d, %s", url, host, status, text)
		}
	}
	for _, path := range []string{"report/pi1/none.0", "report/pi1/..", "page.go", "report/pi1/page1.7"} {
		if status, text, _ := get(t, address+path, ""); status == http.StatusOK {
			t.Errorf("%s: %s", path, text)
		}
	}
	if err := new(Page).Serve(t.Context(), "0.0.0.0:0", func(string) {}); err == nil {
		t.Error("it serves other machines")
	}
}

// In a browser 390 pixels wide the page needs no horizontal scrolling.
func TestInBrowser(t *testing.T) {
	tab := testkit.StartBrowser(t).Tab(t)
	address, _ := served(t)
	tab.SetScreen(t, 390, 800, false)
	tab.Open(t, address)
	for _, want := range []string{`innerText.includes("2 boards, 2 results")`, `innerText.includes("pi1.m0")`,
		`querySelector(".bad").innerText == "FAIL"`, `querySelectorAll("[href$='report/pi1/page1.1']").length == 1`} {
		tab.Wait(t, "document.body."+want)
	}
	wide := strings.Repeat("tt_um_a_design_with_a_long_name_", 8)
	script := `let one = document.createElement("ul"); document.body.append(one);
		one.append(result({verdict: "ERROR", host: "pi1", board: "a", job: "r.1", text: "` + wide + `"}),
			board({state: "busy", host: "pi1", name: "a", kind: "mock", job: "r.1", done: 1, of: 2}));
		document.documentElement.scrollWidth`
	if width, err := tab.Eval(script); err != nil || width != "390" {
		t.Errorf("the page is %s pixels wide, %v", width, err)
	}
}
