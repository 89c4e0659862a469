package web

import (
	"context"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"utfbench/internal/failure"
	"utfbench/internal/testkit"
)

// folder returns a folder with all files of the page. Each file contains its name.
func folder() fstest.MapFS {
	all := fstest.MapFS{"secret": {Data: []byte("secret")}}
	for _, name := range pageFiles {
		all[name] = &fstest.MapFile{Data: []byte(name)}
	}
	return all
}

// Only the files of the page are served, with their types and the policy.
func TestHandler(t *testing.T) {
	h := Handler(folder())
	for path, want := range map[string]string{"/": "index.html", "/index.html": "index.html", "/page.js": "page.js",
		"/bench.wasm": "bench.wasm", "/secret": "", "/../handler.go": "", "/wasm/": ""} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := w.Body.String(); w.Code == 200 && got != want || w.Code != 200 && want != "" {
			t.Errorf("%s: %d %q; want %q", path, w.Code, got, want)
		}
		if policy := w.Header().Get("Content-Security-Policy"); want != "" && (policy == "" ||
			strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "'unsafe-eval'")) {
			t.Errorf("%s: the policy is %q", path, policy)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/bench.wasm", nil))
	if got := w.Header().Get("Content-Type"); got != "application/wasm" {
		t.Errorf("WebAssembly is %s", got)
	}
}

// A folder that lacks a file is refused, and the error names the file.
func TestCheck(t *testing.T) {
	if err := Check(folder()); err != nil {
		t.Error(err)
	}
	for _, name := range pageFiles {
		f := folder()
		delete(f, name)
		if err := Check(f); err == nil || !strings.Contains(err.Error(), "no "+name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// The page declares the server's policy, for use on other servers. It refers to no other machine, nor has inline code.
func TestPageKeepsThePolicy(t *testing.T) {
	text := testkit.Must(os.ReadFile("page/index.html"))(t)
	html := string(text)
	said := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(html)
	if said == nil || said[1]+"; frame-ancestors 'none'" != policy { // valid only in a header
		t.Errorf("the page says %q; want %q", said, policy)
	}
	if found := regexp.MustCompile(`(?i)\son\w+=|\sstyle=|<style|<script>|https?://`).FindString(html); found != "" {
		t.Errorf("the page has %q", found)
	}
	for _, name := range []string{"page.js", "port.js", "worker.js", "service.js"} {
		text := testkit.Must(os.ReadFile("page/" + name))(t)
		unsafe := regexp.MustCompile(`innerHTML|insertAdjacentHTML|document\.write|\beval\(|https?://`)
		if found := unsafe.Find(text); found != nil {
			t.Errorf("%s has %q", name, found)
		}
	}
}

// The service worker caches every file of the page except itself.
func TestServiceKeepsAll(t *testing.T) {
	text := testkit.Must(os.ReadFile("page/service.js"))(t)
	for _, name := range pageFiles {
		if name != "service.js" && !strings.Contains(string(text), `"`+name+`"`) {
			t.Errorf("it does not keep %s", name)
		}
	}
}

// Serve serves a complete folder, only to this machine, until its context ends.
func TestServe(t *testing.T) {
	path := t.TempDir()
	if err := Serve(t.Context(), io.Discard, path, ""); err == nil || !strings.Contains(err.Error(), "no index.html") {
		t.Errorf("an empty folder: %v", err)
	}
	for _, name := range pageFiles {
		if err := os.WriteFile(filepath.Join(path, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, address := range []string{"0.0.0.0:0", "nowhere", ":8080", "192.0.2.1:80"} {
		if err := Serve(t.Context(), io.Discard, path, address); failure.KindOf(err) != failure.User {
			t.Errorf("%s: %v", address, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	ended := make(chan error)
	go func() { ended <- Serve(ctx, w, path, "127.0.0.1:0") }()
	line := make([]byte, 200)
	n, _ := r.Read(line)
	if !strings.HasPrefix(string(line[:n]), "serving http://127.0.0.1:") {
		t.Errorf("it says %q", line[:n])
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
