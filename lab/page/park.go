package page

import (
	"errors"
	"fmt"
	"net/http"

	"utfbench/transport/lab"
)

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
