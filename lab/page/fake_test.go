package page

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// A fake is a lab without a network.
type fake struct {
	mu      sync.Mutex
	boards  []lab.Board
	hosts   []lab.Host
	events  []lab.Event
	keys    map[string]string
	changed chan struct{}
	stopped []string
	refuse  error // the error of Stop
	around  []byte
	past    *history.History
}

func newFake() *fake {
	return &fake{keys: map[string]string{"first": "A", "pi1": "B"}, changed: make(chan struct{})}
}

// change changes the lab and notifies followers.
func (f *fake) change(what func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	what()
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fake) Boards() lab.List {
	f.mu.Lock()
	defer f.mu.Unlock()
	return lab.List{Boards: append([]lab.Board(nil), f.boards...)}
}

func (f *fake) Hosts() []lab.Host {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]lab.Host(nil), f.hosts...)
}

func (f *fake) Events() []lab.Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]lab.Event(nil), f.events...)
}

func (f *fake) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

func (f *fake) Around(context.Context, *lab.Board) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.around, f.refuse
}

func (f *fake) History() *history.History { return f.past }

func (f *fake) Key(name string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.keys[name]
}

func (f *fake) Stop(_ context.Context, b *lab.Board, by string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse == nil {
		f.stopped = append(f.stopped, b.String()+" by "+by)
	}
	return f.refuse
}

// taken returns a board in use.
func taken(name string) lab.Board {
	return lab.Board{Host: "pi1", Name: name, Kind: "mock", State: lab.Taken,
		Holder: &lab.Holder{Key: "pi1", Who: "eve@pc", Does: "bench run", Since: time.Unix(1e9, 0)}}
}

// served serves a lab until the test ends.
func served(t testing.TB, of Lab) *Page {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	cfg := Config{Title: "lab test", Tokens: "Ask for one."}
	p := Serve(l, &url.URL{Scheme: "http", Host: l.Addr().String()}, cfg, of)
	t.Cleanup(p.Close)
	return p
}

// invited returns a URL with a token.
func (p *Page) invited(t testing.TB, key string) string {
	t.Helper()
	return testkit.Must(p.Invite(key, false))(t)
}

// client returns an admitted browser.
func (p *Page) client(t testing.TB, key string) *http.Client {
	t.Helper()
	jar := testkit.Must(cookiejar.New(nil))(t)
	c := &http.Client{Jar: jar, Timeout: time.Minute}
	t.Cleanup(c.CloseIdleConnections)
	if code, text := get(t, c, p.invited(t, key)); code != http.StatusOK {
		t.Fatal(code, text)
	}
	return c
}

func get(t testing.TB, c *http.Client, at string) (code int, text string) {
	t.Helper()
	return answer(t)(c.Get(at))
}

func answer(t testing.TB) func(*http.Response, error) (int, string) {
	return func(r *http.Response, err error) (int, string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text := testkit.Must(io.ReadAll(r.Body))(t)
		return r.StatusCode, string(text)
	}
}

func between(text, a, b string) (string, error) {
	_, rest, has := strings.Cut(text, a)
	found, _, ends := strings.Cut(rest, b)
	if !has || !ends {
		return "", errors.New("no " + a + " in " + text)
	}
	return found, nil
}

// formOf returns the secret in the form of a confirmation page.
func formOf(t *testing.T, c *http.Client, at string) string {
	t.Helper()
	code, text := get(t, c, at)
	secret, err := between(text, `name="form" value="`, `"`)
	if code != http.StatusOK || err != nil || strings.Contains(text, "<script>") {
		t.Fatal(code, err, text)
	}
	return secret
}
