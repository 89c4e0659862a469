package page

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// policy restricts the page to its own resources and forbids framing.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard sets the security headers, and rejects requests for hosts other than the lab's names.
func (p *Page) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !p.is(r.Host) {
			part(w, http.StatusMisdirectedRequest, "This is another server",
				"This host name is not the lab's. Use its address, or --name of benchlab serve.")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostForm)
		next.ServeHTTP(w, r)
	})
}

// is reports whether a Host header names this server. Any address does, since no other site can use it, and the port
// may be a tunnel's.
func (p *Page) is(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	return net.ParseIP(name) != nil || strings.EqualFold(name, "localhost") || strings.EqualFold(name, p.url.Hostname())
}

// cookie returns the session cookie's name, by port, since several labs may share a machine.
func (p *Page) cookie() string { return "bench-lab-" + p.url.Port() }

// A handler handles a session's request.
type handler func(http.ResponseWriter, *http.Request, *pass)

// known admits only requests with a session.
func (p *Page) known(next handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		of := p.session(r)
		if of == nil {
			part(w, http.StatusUnauthorized, "This page needs a token", p.cfg.Tokens)
			return
		}
		next(w, r, of)
	}
}

func (p *Page) session(r *http.Request) *pass {
	c, err := r.Cookie(p.cookie())
	if err != nil {
		return nil
	}
	return p.gate.session(c.Value)
}

// acting admits only actions from a form of this session.
func (p *Page) acting(next handler) handler {
	return func(w http.ResponseWriter, r *http.Request, of *pass) {
		if err := r.ParseForm(); err != nil || !of.acts(r.PostForm.Get("form")) {
			say(w, http.StatusForbidden, "This was not done", "It did not come from a page of this session.")
			return
		}
		next(w, r, of)
	}
}

// enter accepts a token. It responds with a page that continues by itself: after a redirect from another site's link
// the browser would not send the cookie.
func (p *Page) enter(w http.ResponseWriter, r *http.Request) {
	session, err := p.gate.enter(r.URL.Query().Get("token"))
	switch {
	case err == nil:
		http.SetCookie(w, p.newCookie(session, sessionLasts))
	case p.session(r) == nil:
		part(w, http.StatusForbidden, "This token has expired", fmt.Sprintf("It was used before, or is older than "+
			"%d minutes. %s", int(tokenLasts.Minutes()), p.cfg.Tokens))
		return
	}
	write(w, http.StatusOK, "entered", nil)
}

func (p *Page) newCookie(value string, lasts time.Duration) *http.Cookie {
	return &http.Cookie{Name: p.cookie(), Value: value, Path: "/", MaxAge: int(lasts.Seconds()), HttpOnly: true,
		Secure: p.url.Scheme == "https", SameSite: http.SameSiteStrictMode}
}

func (p *Page) leave(w http.ResponseWriter, r *http.Request, _ *pass) {
	if c, err := r.Cookie(p.cookie()); err == nil {
		p.gate.leave(c.Value)
	}
	http.SetCookie(w, p.newCookie("", -time.Second))
	part(w, http.StatusOK, "This session has ended", p.cfg.Tokens)
}

func (p *Page) within(r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(p.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}
