package page

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"sync"

	"utfbench/runs/explain"
)

//go:embed page.html page.css page.js
var files embed.FS

// templates parses the templates on first use, so only a bench that serves a page pays for it.
var templates = sync.OnceValue(func() *template.Template {
	blank := func() row { return row{} }
	return template.Must(template.New("").Funcs(template.FuncMap{"blank": blank}).ParseFS(files, "page.html"))
})

// write responds with a template.
func write(w http.ResponseWriter, code int, name string, data any) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_, _ = b.WriteTo(w) // an error only means that the client left
}

// say responds with a page of one sentence, and a link to the lab.
func say(w http.ResponseWriter, code int, what, why string) {
	write(w, code, "said", struct{ What, Why, Link string }{what, why, "the lab"})
}

// part responds with a page of one sentence and no link, to a browser that the lab's page would not admit.
func part(w http.ResponseWriter, code int, what, why string) {
	write(w, code, "said", struct{ What, Why, Link string }{what, why, ""})
}

func (p *Page) show(w http.ResponseWriter, _ *http.Request, of *pass) {
	write(w, http.StatusOK, "lab", struct {
		Title, Key, Form, Zone string
		Parks                  bool
		*view
	}{p.cfg.Title, of.Key, of.form, zone(), p.cfg.Park != nil, p.view()})
}

func (p *Page) view() *view { return viewOf(p.lab, p.standing.Now()) }

type asset struct {
	kind string
	text []byte
}

// assets returns the assets by name.
func assets() map[string]asset {
	return map[string]asset{
		"page.css":    {"text/css; charset=utf-8", append([]byte(explain.Style()), read("page.css")...)},
		"page.js":     {"text/javascript; charset=utf-8", read("page.js")},
		"favicon.ico": {"image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)},
	}
}

func read(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return text
}

func (a asset) serve(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", a.kind)
	_, _ = w.Write(a.text)
}
