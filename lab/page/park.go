package page

import (
	"errors"
	"net/http"

	"utfbench/transport/lab"
)

// askPark asks.
func (p *Page) askPark(w http.ResponseWriter, r *http.Request, of *pass) {
	b, err := p.parkable(r.URL.Query().Get("board"))
	if err != nil {
		say(w, http.StatusConflict, "Nothing to park", err.Error())
		return
	}
	write(w, http.StatusOK, "park", struct{ Board, What, Form string }{b.String(), b.What, of.form})
}

// parkable finds a board that nobody has.
func (p *Page) parkable(name string) (*lab.Board, error) {
	if p.cfg.Park == nil {
		return nil, errNoPark
	}
	return p.free(name)
}

var errNoPark = errors.New("no board is parked from here")

// park has a board parked. Who takes it meanwhile has it, and what happened last says so.
func (p *Page) park(w http.ResponseWriter, r *http.Request, of *pass) {
	b, err := p.parkable(r.PostForm.Get("board"))
	if err != nil {
		say(w, http.StatusConflict, "It was not parked", err.Error())
		return
	}
	p.cfg.Park(b, of.Key)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
