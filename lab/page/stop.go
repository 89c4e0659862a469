package page

import (
	"fmt"
	"net/http"
	"time"

	"utfbench/transport/lab"
)

// asking is the page's question before it stops a holder.
type asking struct {
	Board, Holder string
	Key, Since    string // of the holder, for the form
	Form          string
}

// askStop shows the confirmation form for stopping a holder.
func (p *Page) askStop(w http.ResponseWriter, r *http.Request, of *pass) {
	b, err := p.board(r.URL.Query().Get("board"))
	if err != nil {
		say(w, http.StatusConflict, "Nothing to stop", err.Error())
		return
	}
	h := b.Holder
	write(w, http.StatusOK, "stop", asking{b.String(), holding(h), h.Key, h.Since.Format(time.RFC3339Nano), of.form})
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
