package page

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"utfbench/internal/testkit"
	"utfbench/transport/lab"
)

// Reading and acting require a session; a token is not a session.
func TestNeedsSession(t *testing.T) {
	f := newFake()
	f.boards = []lab.Board{taken("a")}
	p := served(t, f)
	at := p.url.String()
	stranger := &http.Client{Timeout: time.Minute}
	for _, path := range []string{"/", "/stream", "/stop?board=pi1/a"} {
		code, text := get(t, stranger, at+path)
		if code != http.StatusUnauthorized || strings.Contains(text, "eve") {
			t.Errorf("%s: %d %s", path, code, text)
		}
		endsHere(t, text, p.cfg.Tokens)
	}
	code, text := get(t, stranger, at+"/enter?token=x")
	if code != http.StatusForbidden || !strings.Contains(text, "older than 10 minutes") {
		t.Error(code, text)
	}
	endsHere(t, text, p.cfg.Tokens)
	for _, path := range []string{"/stop", "/leave"} {
		code, _ := answer(t)(stranger.PostForm(at+path, url.Values{"board": {"pi1/a"}}))
		if code != http.StatusUnauthorized {
			t.Errorf("%s: %d", path, code)
		}
	}
	if code, _ := get(t, stranger, at+"/nothing"); code != http.StatusNotFound {
		t.Error(code)
	}
	c := p.client(t, "first")
	if _, text := get(t, c, at+"/nothing"); !strings.Contains(text, `<a href="/">the lab</a>`) {
		t.Error("no way to the lab: ", text)
	}
	if code, text := get(t, c, at); code != http.StatusOK || !strings.Contains(text, "eve@pc") {
		t.Error(code, text)
	}
	f.change(func() { delete(f.keys, "first") })
	if code, _ := get(t, c, at); code != http.StatusUnauthorized {
		t.Errorf("a session of a key that is revoked: %d", code)
	}
}

// endsHere checks that a page says how to get a token, and has no link, which would lead to the same page.
func endsHere(t *testing.T, text, tokens string) {
	t.Helper()
	if !strings.Contains(text, tokens) || strings.Contains(text, "<a ") {
		t.Error(text)
	}
}

// Pages and cookies have the security headers and attributes.
func TestHeaders(t *testing.T) {
	p := served(t, newFake())
	for _, scheme := range []string{"http", "https"} {
		p.url.Scheme = scheme
		r := testkit.Must(new(http.Client).Get(strings.Replace(p.invited(t, "first"), "https:", "http:", 1)))(t)
		r.Body.Close()
		for name, want := range map[string]string{"Content-Security-Policy": policy,
			"X-Content-Type-Options": "nosniff",
			"Referrer-Policy":        "no-referrer", "Cache-Control": "no-store"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		c := r.Cookies()[0]
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure != (scheme == "https") || c.Path != "/" {
			t.Errorf("by %s: %s", scheme, c)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Error(policy)
	}
}

// A request for a foreign host name is rejected even with a session, which prevents DNS rebinding.
func TestHosts(t *testing.T) {
	p := served(t, newFake())
	p.url.Host = "lab.example.com:7061"
	for host, want := range map[string]bool{"lab.example.com": true, "LAB.example.com:7061": true, "localhost:9": true,
		"127.0.0.1:7061": true, "[::1]:7061": true, "10.1.2.3": true, "evil.com": false, "evil.com:7061": false,
		"lab.example.com.evil.com": false, "xlab.example.com": false, "": false, "127.0.0.1.evil.com": false,
		"[::1].evil.com": false, "lab.example.com@evil.com": false, "evil.com#lab.example.com": false} {
		if got := p.is(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	q := served(t, newFake())
	r := testkit.Must(http.NewRequestWithContext(t.Context(), "GET", q.invited(t, "first"), nil))(t)
	r.Host = "evil.com"
	if code, _ := answer(t)(http.DefaultClient.Do(r)); code != http.StatusMisdirectedRequest {
		t.Error(code)
	}
}

// asked returns the form by which the page confirms a stop.
func asked(t *testing.T, c *http.Client, p *Page, board string) url.Values {
	t.Helper()
	code, text := get(t, c, p.url.String()+"/stop?board="+board)
	if code != http.StatusOK {
		t.Fatal(code, text)
	}
	form := url.Values{}
	for _, m := range regexp.MustCompile(`name="(\w+)" value="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		form.Set(m[1], strings.ReplaceAll(m[2], "&#43;", "+"))
	}
	return form
}

// Only a form of the session stops a board, in the name of its key, and only the holder that it shows.
func TestStop(t *testing.T) {
	f := newFake()
	f.boards = []lab.Board{taken("a"), {Host: "pi1", Name: "b", State: lab.Free}}
	p := served(t, f)
	c, other := p.client(t, "pi1"), p.client(t, "first")
	form, others := asked(t, c, p, "pi1/a"), asked(t, other, p, "pi1/a")
	post := func(change func(url.Values, http.Header)) int {
		t.Helper()
		v, h := url.Values{}, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		for name := range form {
			v.Set(name, form.Get(name))
		}
		change(v, h)
		r, err := http.NewRequestWithContext(t.Context(), "POST", p.url.String()+"/stop", strings.NewReader(v.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = h
		code, _ := answer(t)(c.Do(r))
		return code
	}
	for what, change := range map[string]func(url.Values, http.Header){
		"no secret":          func(v url.Values, _ http.Header) { v.Del("form") },
		"another's secret":   func(v url.Values, _ http.Header) { v.Set("form", others.Get("form")) },
		"from another site":  func(_ url.Values, h http.Header) { h.Set("Sec-Fetch-Site", "cross-site") },
		"from the same site": func(_ url.Values, h http.Header) { h.Set("Sec-Fetch-Site", "same-site") },
		"another origin":     func(_ url.Values, h http.Header) { h.Set("Origin", "http://evil.com") },
		"no origin":          func(_ url.Values, h http.Header) { h.Set("Origin", "null") },
		"another holder":     func(v url.Values, _ http.Header) { v.Set("key", "first") },
		"another time":       func(v url.Values, _ http.Header) { v.Set("since", "2001-09-09T01:46:41Z") },
		"a free board":       func(v url.Values, _ http.Header) { v.Set("board", "pi1/b") },
		"no board":           func(v url.Values, _ http.Header) { v.Set("board", "pi1/c") },
		"a long form":        func(v url.Values, _ http.Header) { v.Set("more", strings.Repeat("x", mostForm)) },
	} {
		if code := post(change); code != http.StatusForbidden && code != http.StatusConflict {
			t.Errorf("%s: %d", what, code)
		}
	}
	if len(f.stopped) > 0 {
		t.Fatal(f.stopped)
	}
	own := func(_ url.Values, h http.Header) { h.Set("Sec-Fetch-Site", "same-origin") }
	if code := post(own); code != http.StatusOK {
		t.Error(code) // of the page after the redirect
	}
	if !slices.Equal(f.stopped, []string{"pi1/a by pi1"}) {
		t.Error(f.stopped)
	}
	f.refuse = errors.New("its host does not hear")
	if code := post(func(url.Values, http.Header) {}); code != http.StatusConflict {
		t.Error(code)
	}
}

// Leaving ends the session.
func TestLeave(t *testing.T) {
	p := served(t, newFake())
	c := p.client(t, "first")
	_, text := get(t, c, p.url.String())
	form := testkit.Must(between(text, `name="form" value="`, `"`))(t)
	at := testkit.Must(url.Parse(p.url.String()))(t)
	cookies := c.Jar.Cookies(at)
	if code, _ := answer(t)(c.PostForm(p.url.String()+"/leave", url.Values{"form": {form}})); code != http.StatusOK {
		t.Error(code)
	}
	c.Jar.SetCookies(at, cookies) // like a thief
	if code, _ := get(t, c, p.url.String()); code != http.StatusUnauthorized {
		t.Error(code)
	}
}

// hostile contains markup, a script and a template action.
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>'{{.}}`

// An event of a run links to it.
func TestEventOfRun(t *testing.T) {
	f := newFake()
	f.events = []lab.Event{{Number: 2, What: "run 7: FAIL", Run: 7}, {Number: 1, What: "is here"}}
	p := served(t, f)
	_, text := get(t, p.client(t, "first"), p.url.String())
	for _, want := range []string{`href="/runs/7" data-text="what">run 7: FAIL</a>`,
		`<a data-run data-text="what">is here</a>`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s has no %s", text, want)
		}
	}
}

// Foreign text is shown as text everywhere.
func TestHostile(t *testing.T) {
	f := newFake()
	b := taken("a")
	b.What, b.Reason, b.Holder.Who, b.Holder.Does, b.Name = hostile, hostile, hostile, hostile, hostile
	b.Progress = &lab.Progress{Run: &lab.Run{Verdicts: hostile, First: hostile}}
	f.boards, f.hosts = []lab.Board{b}, []lab.Host{{Name: hostile, Machine: hostile, Bench: hostile}}
	f.events = []lab.Event{{Host: hostile, Board: hostile, What: hostile}}
	p := served(t, f)
	c := p.client(t, "first")
	for _, path := range []string{"/", "/stop?board=" + url.QueryEscape(b.String()), "/stop?board=" +
		url.QueryEscape(hostile+hostile)} {
		_, text := get(t, c, p.url.String()+path)
		for _, bad := range []string{"<img src=", "alert(1)</", `src=x onerror=alert(2)>`, "ZgotmplZ"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %s", path, bad)
			}
		}
		if !strings.Contains(text, "alert(1)") {
			t.Errorf("%s does not show it", path)
		}
	}
}

// A stream's changes between two states turn a page of the first into one of the second.
func TestChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) row {
			return row{ID: rapid.StringMatching("[a-e]").Draw(t, "id"),
				Class:   rapid.StringMatching("[xy]").Draw(t, "class"),
				Texts:   texts{"name": rapid.StringMatching("[uv]").Draw(t, "text")},
				Picture: rapid.StringMatching("[pq]?").Draw(t, "picture")}
		}), 0, 5, func(r row) string { return r.ID })
		shown := map[string]row{}
		var order []string
		var last *view
		for range rapid.IntRange(1, 5).Draw(t, "states") {
			now := &view{Summary: rapid.StringMatching("[st]").Draw(t, "summary")}
			now.Tables[0] = draw.Draw(t, "rows")
			c := now.since(last)
			last = now
			if c != nil {
				order = follow(t, c, shown, order)
			}
			for i, id := range order {
				if want := now.Tables[0][i]; !want.same(ptr(shown[id])) || id != want.ID {
					t.Fatalf("it shows %v of %v, and there is %v", order, shown, now.Tables[0])
				}
			}
			if len(order) != len(now.Tables[0]) {
				t.Fatalf("it shows %v, and there is %v", order, now.Tables[0])
			}
		}
	})
}

func ptr[T any](v T) *T { return &v }

// follow applies a change as the script does.
func follow(t *rapid.T, c *change, shown map[string]row, order []string) []string {
	text := testkit.Must(json.Marshal(c))(t)
	var got change
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	u := got.Tables["boards"]
	if u == nil {
		return order
	}
	for _, r := range u.Rows {
		shown[r.ID] = *r
	}
	if u.Order != nil || u.Empty {
		return u.Order
	}
	return order
}
