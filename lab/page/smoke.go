package page

import (
	"errors"
	"fmt"
	"net/http"

	"utfbench/transport/lab"
)

// noSmoke returns the reason why no smoke run can start, or "".
func (p *Page) noSmoke() string {
	if p.cfg.Smoke == nil {
		return "No run begins from here."
	}
	return p.cfg.NoSmoke()
}

// askSmoke shows the confirmation form for a smoke run.
func (p *Page) askSmoke(w http.ResponseWriter, r *http.Request, of *pass) {
	b, err := p.smokable(r.URL.Query().Get("board"))
	if err != nil {
		say(w, http.StatusConflict, "Nothing to run on", err.Error())
		return
	}
	write(w, http.StatusOK, "smoke", struct{ Board, What, Form string }{b.String(), b.What, of.form})
}

// smokable returns a board on which a run can start.
func (p *Page) smokable(name string) (*lab.Board, error) {
	if why := p.noSmoke(); why != "" {
		return nil, errors.New(why)
	}
	return p.free(name)
}

func (p *Page) free(name string) (*lab.Board, error) {
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

// smoke starts a run. If the board is taken meanwhile, the run reports it.
func (p *Page) smoke(w http.ResponseWriter, r *http.Request, of *pass) {
	b, err := p.smokable(r.PostForm.Get("board"))
	if err == nil {
		err = p.cfg.Smoke(b, of.Key)
	}
	if err != nil {
		say(w, http.StatusConflict, "No run was started", err.Error())
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
