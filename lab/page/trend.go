package page

import (
	"bytes"
	"net/http"

	"utfbench/runs/history"
)

// trendOf returns the trend of the latest runs on a listing's board.
func (p *Page) trendOf(l *listing, h *history.History) (*history.Trend, error) {
	return history.TrendOf(h.Runs(history.Filter{Transport: p.transport(l.Board), Words: l.Words,
		Last: history.MostPoints}))
}

// account describes how the runs of a listing's board went, if there are several.
func (l *listing) account(p *Page, h *history.History) error {
	if l.Board == "" || l.Page > 1 {
		return nil
	}
	t, err := p.trendOf(l, h)
	if err == nil && len(t.Points) > 1 {
		l.Trend, l.Account = l.at("/trend", 1), t.String()
	}
	return err
}

func (p *Page) trend(w http.ResponseWriter, r *http.Request, h *history.History) {
	t, err := p.trendOf(listingOf(r.URL.Query()), h)
	var svg bytes.Buffer
	if err == nil {
		err = t.SVG(&svg)
	}
	if err != nil {
		say(w, http.StatusInternalServerError, unreadable, err.Error())
		return
	}
	serveSVG(w, &svg, 0) // another run may end at any time
}
