package page

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/printable"
	"utfbench/runs/history"
)

const (
	perPage   = 50  // runs
	mostPages = 1e6 // more than any history has
	mostQuery = 200 // bytes of a search text
)

// unreadable reports a history that exists but cannot be read.
const unreadable = "The history cannot be read"

// A listing is a selection of a history's runs.
type listing struct {
	Title, Board, Words, Zone string
	Page                      int
	Rows                      []runRow
	Newer, Older              string // addresses; "" for none
	Bundles                   bool
}

type runRow struct {
	Number                                      int
	Class                                       string // its colour
	When, Board, At, What, Verdict, Does, Asker string // At is the rest of the transport's name
	Recorded                                    bool
}

func listingOf(q url.Values) *listing {
	page, _ := strconv.Atoi(q.Get("page")) // 0 if it is not a number
	return &listing{Board: cut(q.Get("board")), Words: cut(q.Get("q")), Page: int(min(max(page, 1), mostPages))}
}

func cut(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "")
	if len(text) > mostQuery {
		text = strings.ToValidUTF8(text[:mostQuery], "")
	}
	return text
}

// at returns the address of another page of the same runs.
func (l *listing) at(page int) string {
	q := url.Values{}
	for name, value := range map[string]string{"board": l.Board, "q": l.Words} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	return (&url.URL{Path: "/runs", RawQuery: q.Encode()}).String()
}

// filter returns the selection and one more run, which shows whether there is an older page.
func (l *listing) filter(p *Page) history.Filter {
	return history.Filter{Transport: p.transport(l.Board), Words: l.Words, Last: perPage + 1,
		Skip: (l.Page - 1) * perPage}
}

// transport returns the pattern for runs on a board; "" for any.
func (p *Page) transport(board string) string {
	if board == "" || p.cfg.Transport == nil {
		return board
	}
	return p.cfg.Transport(board)
}

func (l *listing) fill(p *Page, h *history.History) error {
	for r, err := range h.Runs(l.filter(p)) {
		switch {
		case err != nil:
			return err
		case len(l.Rows) == perPage:
			l.Older = l.at(l.Page + 1)
		default:
			l.Rows = append(l.Rows, rowOf(h, r))
		}
	}
	if l.Page > 1 {
		l.Newer = l.at(l.Page - 1)
	}
	return nil
}

func rowOf(h *history.History, r *history.Run) runRow {
	s := &r.Start
	row := runRow{Number: r.Number, Class: classOf(r), When: clock(s.Time), Verdict: r.Verdict(),
		Asker: listed(r.By, s.Host), Recorded: h.Recording(r.Number) != ""}
	row.Board, row.At = history.Place(s.Transport)
	what := ""
	if s.Board != s.Transport {
		what = strings.TrimSpace(s.Board + " " + s.Device)
	}
	row.What = listed(what, s.Tile, s.Revision, s.Design, s.Faults, s.Tags.String())
	row.Does = printable.Count(max(0, s.Vectors), "vector")
	if s.Count > 1 {
		row.Does += fmt.Sprintf(", %d times", s.Count)
	}
	if r.End != nil && r.End.Trouble != "" {
		row.Does += ": " + r.End.Trouble
	}
	return row
}

// listed joins the distinct texts that are not empty.
func listed(texts ...string) string {
	var all []string
	for _, text := range texts {
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

func classOf(r *history.Run) string {
	verdict, _, _ := strings.Cut(r.Verdict(), " ")
	if r.End == nil {
		return "aborted"
	}
	return strings.ToLower(verdict)
}

// past handles pages about stored runs.
func (p *Page) past(next func(http.ResponseWriter, *http.Request, *history.History)) http.HandlerFunc {
	return p.known(func(w http.ResponseWriter, r *http.Request, _ *pass) {
		h := p.lab.History()
		if h == nil {
			say(w, http.StatusNotFound, "No runs are kept here", "There is no history yet, or it cannot be read: "+
				"see bench history.")
			return
		}
		next(w, r, h)
	})
}

// runs lists the selected runs, the latest first.
func (p *Page) runs(w http.ResponseWriter, r *http.Request, h *history.History) {
	l := listingOf(r.URL.Query())
	l.Title, l.Zone, l.Bundles = p.cfg.Title, zone(), p.cfg.Bundle != nil
	if err := l.fill(p, h); err != nil {
		say(w, http.StatusInternalServerError, unreadable, err.Error())
		return
	}
	write(w, http.StatusOK, "runs", l)
}
