package page

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"utfbench/transport/lab"
)

// askStop shows the confirmation form for stopping a holder.
func (p *Page) askStop(w http.ResponseWriter, r *http.Request, of *pass) {
	b, err := p.board(r.URL.Query().Get("board"))
	if err != nil {
		say(w, http.StatusConflict, "Nothing to stop", err.Error())
		return
	}
	h := b.Holder
	write(w, http.StatusOK, "stop", struct{ Board, Holder, Key, Since, Form string }{b.String(), holding(h), h.Key,
		h.Since.Format(time.RFC3339Nano), of.form})
}

func (p *Page) board(name string) (*lab.Board, error) {
	list := p.lab.Boards()
	b, err := list.Find(name)
	if err == nil && (b.State != lab.Taken || b.Holder == nil) {
		err = fmt.Errorf("%s is not in use, so there is nothing to stop", b)
	}
	return b, err
}

// stop stops the confirmed holder only.
func (p *Page) stop(w http.ResponseWriter, r *http.Request, of *pass) {
	b, err := p.board(r.PostForm.Get("board"))
	if err == nil && (r.PostForm.Get("key") != b.Holder.Key ||
		r.PostForm.Get("since") != b.Holder.Since.Format(time.RFC3339Nano)) {
		err = fmt.Errorf("the former user of %s has released it: %s", b, b.Holder)
	}
	if err == nil {
		err = p.lab.Stop(r.Context(), b, of.Key)
	}
	if err != nil {
		say(w, http.StatusConflict, "It was not stopped", err.Error())
		return
	}
	if p.cfg.Ends != "" {
		part(w, http.StatusOK, "It was stopped", p.cfg.Ends)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// askPark shows the confirmation form for parking a board.
func (p *Page) askPark(w http.ResponseWriter, r *http.Request, of *pass) {
	b, err := p.parkable(r.URL.Query().Get("board"))
	if err != nil {
		say(w, http.StatusConflict, "Nothing to park", err.Error())
		return
	}
	write(w, http.StatusOK, "park", struct{ Board, What, Form string }{b.String(), b.What, of.form})
}

// parkable returns a free board.
func (p *Page) parkable(name string) (*lab.Board, error) {
	if p.cfg.Park == nil {
		return nil, errNoPark
	}
	list := p.lab.Boards()
	b, err := list.Find(name)
	switch {
	case err != nil:
		return nil, err
	case b.State == lab.Taken && b.Holder != nil:
		return nil, fmt.Errorf("%s is not free: %s", b, b.Holder)
	case b.State != lab.Free:
		return nil, fmt.Errorf("%s is not free: it is %s", b, b.State)
	}
	return b, nil
}

var errNoPark = errors.New("no board is parked from here")

// park starts to park a board. If the board is taken meanwhile, an event reports it.
func (p *Page) park(w http.ResponseWriter, r *http.Request, of *pass) {
	b, err := p.parkable(r.PostForm.Get("board"))
	if err != nil {
		say(w, http.StatusConflict, "It was not parked", err.Error())
		return
	}
	p.cfg.Park(b, of.Key)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
