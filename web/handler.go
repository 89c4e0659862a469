//go:build !js

package web

import (
	"io"
	"io/fs"
	"net/http"
	"path"

	"utfbench/internal/failure"
)

// policy restricts the page to its own scripts, its WebAssembly and its server.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
	"style-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// pageFiles lists the files of the page.
var pageFiles = []string{"index.html", "page.css", "icon.svg", "port.js", "page.js", "worker.js", "service.js",
	"wasm_exec.js", "bench.wasm"}

// types maps the extensions of pageFiles to media types. The machine's own table may differ or lack WebAssembly.
var types = map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".wasm": "application/wasm"}

// Check returns an error unless a folder contains all files of the page.
func Check(folder fs.FS) error {
	for _, name := range pageFiles {
		if info, err := fs.Stat(folder, name); err != nil || !info.Mode().IsRegular() {
			return failure.Usagef("there is no %s in it: name the folder that scripts/web builds, or that the "+
				"archive bench-web of a release has", name)
		}
	}
	return nil
}

// Handler serves only the page's files from a folder.
func Handler(folder fs.FS) http.Handler {
	mux := http.NewServeMux()
	for _, name := range pageFiles {
		mux.HandleFunc("GET /"+name, file(folder, name))
	}
	mux.HandleFunc("GET /{$}", file(folder, "index.html"))
	return mux
}

func file(folder fs.FS, name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f, err := folder.Open(name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer f.Close()
		content, seeks := f.(io.ReadSeeker)
		info, err := f.Stat()
		if err != nil || !seeks {
			http.Error(w, "the file cannot be read", http.StatusInternalServerError)
			return
		}
		secure(w.Header(), name)
		http.ServeContent(w, r, name, info.ModTime(), content)
	}
}

func secure(h http.Header, name string) {
	h.Set("Content-Type", types[path.Ext(name)])
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache") // the browser has to revalidate its copy
}
