package page

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	calm  = 200 * time.Millisecond // minimum time between two messages, which limits the cost
	pulse = 5 * time.Second        // maximum time between two messages, so each end notices the other's loss
)

// A change is a message of a stream: the differences from the page's state.
type change struct {
	Summary string             `json:"summary"`
	Tables  map[string]*update `json:"tables"`
}

// An update is the changes of a table.
type update struct {
	Rows  []*row   `json:"rows"`            // new or changed rows
	Order []string `json:"order,omitempty"` // IDs of all rows, if the rows or their order changed
	Empty bool     `json:"empty,omitempty"` // the table has no rows
}

// since returns the changes from old to v, or everything if old is nil.
func (v *view) since(old *view) *change {
	all := old == nil
	if all {
		old = new(view)
	}
	c := &change{Summary: v.Summary, Tables: map[string]*update{}}
	for i, name := range tables {
		if u := v.Tables[i].since(old.Tables[i], all); u != nil {
			c.Tables[name] = u
		}
	}
	if c.Summary == old.Summary && len(c.Tables) == 0 {
		return nil
	}
	return c
}

// since returns nil if nothing changed, unless all is set.
func (t table) since(old table, all bool) *update {
	u, moved := &update{Rows: []*row{}, Empty: len(t) == 0}, all || len(t) != len(old)
	had := map[string]*row{}
	for i := range old {
		had[old[i].ID] = &old[i]
		moved = moved || i < len(t) && t[i].ID != old[i].ID
	}
	for i := range t {
		if was := had[t[i].ID]; was == nil || !t[i].same(was) {
			u.Rows = append(u.Rows, &t[i])
		}
	}
	if !moved && len(u.Rows) == 0 {
		return nil
	}
	if moved {
		for i := range t {
			u.Order = append(u.Order, t[i].ID)
		}
	}
	return u
}

// stream keeps a page up to date until its session ends. It starts with the whole state, since the page may be old.
func (p *Page) stream(w http.ResponseWriter, r *http.Request, _ *pass) {
	if !p.begin() {
		say(w, http.StatusServiceUnavailable, "Too many open pages", fmt.Sprintf("%d pages are open, the most allowed.",
			mostStreams))
		return
	}
	defer p.done()
	ctx, cancel := p.within(r)
	defer cancel()
	w.Header().Set("Content-Type", "text/event-stream")
	to := &sink{w, http.NewResponseController(w)}
	_ = to.control.SetReadDeadline(time.Time{}) // the request's deadline would end the stream; HTTP/2 has none
	var last *view
	for p.session(r) != nil {
		ended, changed, now := ctx.Err() != nil, p.lab.Changed(), p.view()
		if to.send(now.since(last)) != nil || ended {
			return // the client left, or that was the last message
		}
		last = now
		pause(ctx, changed)
	}
	_ = to.event("end", "{}")
}

// begin reserves a place for a stream, if one is free.
func (p *Page) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil || p.streams == mostStreams {
		return false
	}
	p.streams++
	p.open.Add(1)
	return true
}

func (p *Page) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.streams--
	p.open.Done()
}

// pause waits until there is something new to send, a heartbeat is due, or ctx ends.
func pause(ctx context.Context, changed <-chan struct{}) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(calm):
	}
	select {
	case <-ctx.Done():
	case <-changed:
	case <-time.After(pulse):
	}
}

// A sink is the far end of a stream.
type sink struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (s *sink) send(c *change) error {
	if c == nil {
		return s.event("same", "{}")
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return s.event("change", string(text))
}

// event sends an event; its data is a line of JSON.
func (s *sink) event(name, data string) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(s, "event: %s\ndata: %s\n\n", name, data); err != nil {
		return err
	}
	return s.control.Flush()
}
