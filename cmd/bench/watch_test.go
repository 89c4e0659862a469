package main

import (
	"bufio"
	"bytes"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// A run that is watched says where, shows how far it is, and ends when that is asked for there.
func TestWatch(t *testing.T) {
	t.Parallel()
	said, tell := io.Pipe()
	ended := make(chan int, 1)
	var out bytes.Buffer
	go func() {
		ended <- run(t.Context(), []string{"run", "--watch", "--suite", "man7", "--fault", "uo3=stuck1", "--count",
			"1000000", "--no-history", "--no-wiring"}, strings.NewReader(""), &out, tell)
		tell.Close()
	}()
	lines := bufio.NewReader(said)
	line, err := lines.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "watch it, in one browser: http://127.0.0.1:") {
		t.Fatalf("it says %q, %v", line, err)
	}
	go io.Copy(io.Discard, lines)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar}
	defer c.CloseIdleConnections()
	enter := strings.Fields(line)[5]
	base, _, _ := strings.Cut(enter, "/enter")
	get := func(at string) string {
		t.Helper()
		r, err := c.Get(at)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatal(r.Status, err)
		}
		return string(text)
	}
	get(enter)
	name := regexp.MustCompile(`data-id="([^"]+/mock[^"]*)"`).FindStringSubmatch(get(base + "/"))
	if name == nil {
		t.Fatal("the page does not show the mock")
	}
	picture := regexp.MustCompile(`src="(/failure[^"]+)"`)
	for failed := []string(nil); failed == nil; {
		if failed = picture.FindStringSubmatch(get(base + "/")); failed != nil {
			if svg := get(base + html.UnescapeString(failed[1])); !strings.Contains(svg, "<svg") {
				t.Errorf("its first failure is drawn as %s", svg)
			}
		}
	}
	form := url.Values{}
	for _, m := range regexp.MustCompile(`name="(\w+)" value="([^"]*)"`).FindAllStringSubmatch(
		get(base+"/stop?board="+url.QueryEscape(name[1])), -1) {
		form.Set(m[1], strings.ReplaceAll(m[2], "&#43;", "+"))
	}
	r, err := c.PostForm(base+"/stop", form)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if code := <-ended; code != exitInterrupted {
		t.Errorf("exit code %d, and it says\n%s", code, &out)
	}
	if _, err := c.Get(base); err == nil {
		t.Error("the page outlives its run")
	}
}
