// Package page shows a live view of a lab in a browser: its boards with their users and progress, its hosts, and recent
// events. It suits narrow and dark screens, and paper.
//
// # Words
//
//   - A token admits one browser, once. It is a part of a URL.
//   - A session is an admitted browser. It reads and acts in the name of a key of
//     the lab, and events carry that name. It ends with the key, after a time, or
//     with the server.
//   - A stream keeps a page up to date: server-sent events, each with the rows that
//     changed.
//
// # Trust
//
// Data from boards, hosts and browsers is untrusted. Foreign text reaches the page as text: by html/template, and in
// the script by textContent. Pictures are drawn here from levels and words. The page runs only its own script
// (Content-Security-Policy) and fetches nothing from elsewhere; reports and pictures, which contain styles, may run no
// script. The Host header must be an address, localhost or the server's own name, which prevents DNS rebinding. An
// action needs a secret of the session besides the cookie, which another site does not know.
//
// Anyone who can read the traffic of the machine, or listen at another port under the same name, is trusted: cookies do
// not distinguish ports.
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

	"utfbench/internal/failure"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// A Lab is the source of the page's contents and the target of its actions: a server.Server, or a Solo.
type Lab interface {
	Boards() lab.List
	Hosts() []lab.Host
	Events() []lab.Event      // the newest first
	Changed() <-chan struct{} // closed at the next change of any of these

	Key(name string) string // distinguishes a key from others of the same name; "" if it is not valid
	Stop(ctx context.Context, b *lab.Board, by string) error

	// Around returns the steps around the first failure of a board's run, packed for waveform.Unpack.
	Around(ctx context.Context, b *lab.Board) ([]byte, error)

	History() *history.History // nil if none is kept
}

// Config configures a page, and the actions that its program implements.
type Config struct {
	Title  string
	Tokens string // how to get a token, in sentences
	Ends   string // the message after a stop that ends the page; "" shows the lab again

	Transport func(board string) string // a board's name in the runs' transports; nil for the plain name
	Report    account                   // a run's report as self-contained HTML; nil for none
	Bundle    account                   // a zip for a bug report; nil for none

	// Park starts to park a free board in the name of a key; nil for no such action.
	Park func(b *lab.Board, by string)
}

// A Page serves until Close.
type Page struct {
	lab     Lab
	cfg     Config
	url     *url.URL
	gate    *gate
	server  *http.Server
	serving failure.Group
	ctx     context.Context // ends with Close
	end     context.CancelFunc
	judging chan struct{} // full while a run is judged

	standing *Standings

	mu      sync.Mutex // guards the end of ctx, and
	streams int        // the number of open streams
	open    failure.Group
}

const (
	mostStreams = 200
	mostHeader  = 16 << 10 // bytes
	mostForm    = 4 << 10  // bytes
	patience    = 10 * time.Second
)

// Serve serves a lab. The URL is the listener's public address; for https the listener must provide TLS.
func Serve(l net.Listener, at *url.URL, cfg Config, of Lab) *Page {
	p := &Page{lab: of, cfg: cfg, url: at, gate: newGate(of.Key), judging: make(chan struct{}, 1),
		standing: &Standings{Lab: of}}
	p.ctx, p.end = context.WithCancel(context.Background())
	p.server = &http.Server{Handler: p.handler(), MaxHeaderBytes: mostHeader, ReadHeaderTimeout: patience,
		ReadTimeout: patience, WriteTimeout: 3 * patience, IdleTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0)} // mostly of browsers that reject a certificate
	p.serving.Go(func() { _ = p.server.Serve(l) }) // until Close
	return p
}

// Close ends the page after sending all followers its last state. A nil page is ignored.
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
	_ = p.server.Shutdown(ctx) // lets the request that stopped the run finish
	_ = p.server.Close()       // an error of the listener is irrelevant here
	p.serving.Wait()
}

// Invite returns a URL that admits one browser in the name of a key. With lasts it stays valid until used.
func (p *Page) Invite(key string, lasts bool) (string, error) {
	token, err := p.gate.token(key, lasts)
	if err != nil {
		return "", err
	}
	at := *p.url
	at.Path, at.RawQuery = "/enter", url.Values{"token": {token}}.Encode()
	return at.String(), nil
}

func (p *Page) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.known(p.show))
	mux.HandleFunc("GET /stream", p.known(p.stream))
	mux.HandleFunc("GET /failure", p.known(p.picture))
	mux.HandleFunc("GET /runs", p.past(p.runs))
	mux.HandleFunc("GET /lots", p.past(p.lots))
	mux.HandleFunc("GET /lots/{lot}", p.past(p.lots))
	mux.HandleFunc("GET /lots/{lot}/{form}", p.past(p.lots))
	mux.HandleFunc("GET /runs/{run}", p.ofRun(p.report))
	mux.HandleFunc("GET /runs/{run}/recording", p.ofRun(p.recording))
	mux.HandleFunc("GET /runs/{run}/bundle", p.ofRun(p.bundle))
	mux.HandleFunc("GET /stop", p.known(p.askStop))
	mux.HandleFunc("POST /stop", p.known(p.acting(p.stop)))
	mux.HandleFunc("GET /park", p.known(p.askPark))
	mux.HandleFunc("POST /park", p.known(p.acting(p.park)))
	mux.HandleFunc("POST /leave", p.known(p.acting(p.leave)))
	mux.HandleFunc("GET /enter", p.enter)
	for name, f := range assets() {
		mux.HandleFunc("GET /"+name, f.serve)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		say(w, http.StatusNotFound, "There is no such page", "The lab's page is at the address without a path.")
	})
	return p.guard(http.NewCrossOriginProtection().Handler(mux))
}
