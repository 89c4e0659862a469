// Package page shows a lab in a browser: its boards, faulty ones first, the progress of jobs, and their reports. The
// page is read-only, and connects with a user's key.
package page

import (
	"bytes"
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/lab"
	"utfbench/lab/user"
	"utfbench/runs/explain"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile/utf"
)

//go:embed index.html page.css page.js
var files embed.FS

// A Page serves a lab's page. Its address contains a secret, without which nothing is served.
type Page struct {
	Store   *lab.Store
	Version string // of the program

	secret, host string
}

const (
	maxResults = 200
	limit      = time.Minute // time limit of a request
)

// policy allows only the page's own files. reportPolicy allows a report, with its inline style and without scripts.
const (
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; " +
		common
	reportPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; " + common
	common       = "form-action 'none'; frame-ancestors 'none'"
)

// Serve serves the page until ctx ends, and calls tell with the address.
func (p *Page) Serve(ctx context.Context, listen string, tell func(address string)) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return failure.Newf(failure.Bench, "--listen: %w", err)
	}
	if a := l.Addr().(*net.TCPAddr); !a.IP.IsLoopback() {
		l.Close()
		return failure.Usagef("--listen %s: the page has no encryption, so only this machine may reach it: give "+
			"127.0.0.1:PORT, and use ssh -L from others", listen)
	}
	p.secret, p.host = rand.Text(), l.Addr().String()
	s := &http.Server{Handler: p.handler(), ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	context.AfterFunc(ctx, func() { _ = s.Close() })
	tell("http://" + p.host + "/" + p.secret + "/")
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return failure.New(failure.Bench, err)
	}
	return nil
}

// handler serves the paths below the secret, only for requests to this host.
func (p *Page) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("GET /now", p.now)
	mux.HandleFunc("GET /report/{host}/{job}", p.report)
	below := http.StripPrefix("/"+p.secret, mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if r.Host != p.host || !strings.HasPrefix(r.URL.Path, "/"+p.secret+"/") {
			http.Error(w, "this address shows nothing: use the one that benchlab page printed", http.StatusForbidden)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		below.ServeHTTP(w, r.WithContext(ctx))
	})
}

// now writes the boards and the latest results, failures first.
func (p *Page) now(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	var all struct {
		Boards  []lab.Board  `json:"boards"`
		Results []lab.Result `json:"results"`
		Error   string       `json:"error,omitempty"`
	}
	boards, err := user.Boards(ctx, p.Store)
	if err == nil {
		all.Results, err = p.results(ctx)
	}
	rank := func(b lab.Board) int {
		return slices.Index([]string{lab.StateFaulty, lab.StateBusy, lab.StateFree}, b.State)
	}
	slices.SortStableFunc(boards, func(a, b lab.Board) int { return rank(a) - rank(b) })
	all.Boards = boards
	if err != nil {
		all.Error = "the lab does not respond: " + err.Error()
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(&all) // an error means that the browser is gone
}

// results returns the latest results, sorted by verdict, the most severe first, and then by time, latest first.
func (p *Page) results(ctx context.Context) (all []lab.Result, err error) {
	all, err = user.Results(ctx, p.Store, "")
	all = slices.DeleteFunc(all, func(r lab.Result) bool { return r.Ended.IsZero() })
	slices.SortFunc(all, func(a, b lab.Result) int { return b.Ended.Compare(a.Ended) })
	all = all[:min(len(all), maxResults)]
	gravity := func(r lab.Result) driver.Verdict { v, _ := driver.ParseVerdict(r.Verdict); return v }
	slices.SortStableFunc(all, func(a, b lab.Result) int { return int(gravity(b)) - int(gravity(a)) })
	return all, err
}

// report writes the report of a job.
func (p *Page) report(w http.ResponseWriter, r *http.Request) {
	text, err := p.page(r.Context(), r.PathValue("host"), r.PathValue("job"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Security-Policy", reportPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(text) // an error means that the browser is gone
}

// page returns the report of a job, made from its recording.
func (p *Page) page(ctx context.Context, host, job string) ([]byte, error) {
	run, _, _ := strings.Cut(job, ".")
	all, err := user.Results(ctx, p.Store, run)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(r lab.Result) bool { return r.Host == host && r.Job == job })
	if i < 0 {
		return nil, failure.Usagef("the lab has no result %s of %s", job, host)
	}
	dir, err := os.MkdirTemp("", "benchlab-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "job.rec")
	if err := user.Fetch(ctx, p.Store, &all[i], path); err != nil {
		return nil, err
	}
	t := native.NewTarget("replay:" + path) // the replay judges the recording again
	t.Tile = utf.TT09
	c, err := t.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("the recording cannot be judged here: %w; benchlab fetch has it", err)
	}
	defer c.Close()
	asked, err := c.PlanReplay(new(plan.Selection))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	origin := c.OriginTransport()
	out := explain.NewPage(report.PageOptions{Out: &text, Tile: c.Tile, Board: c.Board,
		Simulated: native.IsSimulation(origin), Origin: origin, OriginStart: &c.Recording.Start})
	_, err = (&station.Run{Chip: c, VectorPlan: asked, Version: p.Version}).Judge(ctx, out)
	return text.Bytes(), err
}
