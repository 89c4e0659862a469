// Package page shows a lab to people with a browser, as it changes: its boards with who has them and how far they have
// come, its hosts, and what happened last. It can be read on a narrow, on a dark screen and on paper.
//
// # Words
//
//   - A token lets one browser in, once. It is a part of a URL.
//   - A session is a browser that came in. It reads in the name of a key of the lab, and acts in it: what it does is
//     told with that name. It ends with the key, after a while, or with the server.
//   - A stream is what keeps a page up to date: server-sent events, each with the rows that are others than before.
//
// # What it trusts
//
// Nothing that a board, a host or a browser says. Foreign text reaches the page as text: by html/template, and in the
// script by textContent. Pictures are drawn here, of levels and words. The page runs the script that it brings and no
// other (Content-Security-Policy), and fetches nothing from elsewhere; the report of a run and a picture, which have a
// style in themselves, may run none. Who it is asked as has to be an address, localhost or its own name, so that no
// other name can be made to mean it. Who acts says a secret of the session besides the cookie, which another site does
// not know.
//
// Who can read the traffic of the machine itself, or listen at another port of it under the same name, is trusted:
// cookies do not know ports.
package page

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"utfbench/internal/crash"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// A Lab is the source of the page's contents and the target of its actions: a server.Server, or a Solo.
type Lab interface {
	Boards() lab.List
	Hosts() []lab.Host
	Events() []lab.Event      // the newest first
	Changed() <-chan struct{} // closed when one of those is another than at this call

	Key(name string) string // what tells a key from every other of its name; "" if there is none
	Stop(ctx context.Context, b *lab.Board, by string) error

	// Around are the steps around the first failure of the run at a board, which waveform.Unpack reads.
	Around(ctx context.Context, b *lab.Board) ([]byte, error)

	History() *history.History // of its runs; nil where none is kept
}

// Config configures a page, and the actions that its program implements.
type Config struct {
	Title  string
	Tokens string // how to get a token, in sentences
	Ends   string // what is said after a stop, if the page ends with it; "" shows the lab again

	Transport func(board string) string // as runs on a board say it; nil is the board's name
	Report    account                   // the report of a run, as HTML that needs nothing else; nil for none
	Bundle    account                   // a zip for a bug report; nil for none

	// Park has a free board parked, in the name of a key, and does not wait for it; nil for no such thing.
	Park func(b *lab.Board, by string)

	// Smoke begins a short run on a board, in the name of a key; nil for none. NoSmoke says why none can begin now, ""
	// while one can.
	Smoke   func(b *lab.Board, by string) error
	NoSmoke func() string
}

// A Page serves until Close.
type Page struct {
	lab     Lab
	cfg     Config
	url     *url.URL
	gate    *gate
	server  *http.Server
	serving crash.Group
	ctx     context.Context // ends with Close
	end     context.CancelFunc
	judging chan struct{} // is full while a run is judged
	reports shelf

	standing *Standings

	mu      sync.Mutex // over whether ctx has ended and
	streams int        // that are open
	open    crash.Group
}

const (
	mostStreams = 200
	mostHeader  = 16 << 10 // bytes
	mostForm    = 4 << 10  // bytes
	patience    = 10 * time.Second
)

// Serve serves a lab. The URL is how browsers reach the listener; by https they come by TLS, which is the listener's.
func Serve(l net.Listener, at *url.URL, cfg Config, of Lab) *Page {
	p := &Page{lab: of, cfg: cfg, url: at, gate: newGate(of.Key), judging: make(chan struct{}, 1),
		standing: &Standings{Lab: of}}
	p.ctx, p.end = context.WithCancel(context.Background())
	p.server = &http.Server{Handler: p.handler(), MaxHeaderBytes: mostHeader, ReadHeaderTimeout: patience,
		ReadTimeout: patience, WriteTimeout: 3 * patience, IdleTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0)} // of browsers that doubt a certificate, among others
	p.serving.Go(func() { _ = p.server.Serve(l) }) // which ends with Close
	return p
}

// Close ends the page, once all followers have its last state. A nil page is ignored.
func (p *Page) Close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.end()
	p.mu.Unlock()
	p.open.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), patience/5)
	defer cancel()
	_ = p.server.Shutdown(ctx) // who stopped a run is answered, whose page ends with it
	_ = p.server.Close()       // what it says of the listener is nobody's concern
	p.serving.Wait()
}

// Invite gives a URL that lets one browser in, in the name of a key; one that lasts is not too old until it was used.
func (p *Page) Invite(key string, lasts bool) (string, error) {
	token, err := p.gate.token(key, lasts)
	if err != nil {
		return "", err
	}
	at := *p.url
	at.Path, at.RawQuery = "/enter", url.Values{"token": {token}}.Encode()
	return at.String(), nil
}

// handler serves everything.
func (p *Page) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.known(p.show))
	mux.HandleFunc("GET /stream", p.known(p.stream))
	mux.HandleFunc("GET /failure", p.known(p.picture))
	mux.HandleFunc("GET /runs", p.past(p.runs))
	mux.HandleFunc("GET /lots", p.past(p.lots))
	mux.HandleFunc("GET /lots/{lot}", p.past(p.lots))
	mux.HandleFunc("GET /lots/{lot}/{form}", p.past(p.lots))
	mux.HandleFunc("GET /trend", p.past(p.trend))
	mux.HandleFunc("GET /runs/{run}", p.ofRun(p.report))
	mux.HandleFunc("GET /runs/{run}/recording", p.ofRun(p.recording))
	mux.HandleFunc("GET /runs/{run}/bundle", p.ofRun(p.bundle))
	mux.HandleFunc("GET /stop", p.known(p.askStop))
	mux.HandleFunc("POST /stop", p.known(p.acting(p.stop)))
	mux.HandleFunc("GET /park", p.known(p.askPark))
	mux.HandleFunc("POST /park", p.known(p.acting(p.park)))
	mux.HandleFunc("GET /smoke", p.known(p.askSmoke))
	mux.HandleFunc("POST /smoke", p.known(p.acting(p.smoke)))
	mux.HandleFunc("POST /leave", p.known(p.acting(p.leave)))
	mux.HandleFunc("GET /enter", p.enter)
	for name, f := range assets() {
		mux.HandleFunc("GET /"+name, f.serve)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		say(w, http.StatusNotFound, "There is no such page", "The lab is at the address without anything behind it.")
	})
	return p.guard(http.NewCrossOriginProtection().Handler(mux))
}
