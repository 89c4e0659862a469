package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"utfbench/transport/lab"
)

// A view is a page's contents in words.
type view struct {
	Summary string
	Tables  [3]table // in the order of tables
}

// tables names a view's tables.
var tables = [3]string{"boards", "hosts", "events"}

type table []row

// A row is a row of a table. The page has a place for each text by its name, and hides empty ones.
type row struct {
	ID    string `json:"id"`    // unique in its table
	Class string `json:"class"` // its colour
	Texts texts  `json:"texts"`
	Done  int    `json:"done"` // progress, out of Of
	Of    int    `json:"of"`   // 0 for no progress bar

	Picture string `json:"picture,omitempty"` // its address
	Badge   string `json:"badge,omitempty"`   // the colour of the last verdict
	Run     int    `json:"run,omitempty"`     // of the last verdict, or of an event
}

// texts maps the names of places on the page to texts.
type texts map[string]string

func (r *row) same(as *row) bool {
	return r.Class == as.Class && r.Done == as.Done && r.Of == as.Of && r.Picture == as.Picture &&
		r.Badge == as.Badge && r.Run == as.Run && maps.Equal(r.Texts, as.Texts)
}

// viewOf returns the present view, with the boards that need attention first.
func viewOf(l Lab, standing map[string]*Standing) *view {
	boards, hosts := slices.Clone(l.Boards().Boards), l.Hosts()
	worstFirst(boards, standing)
	v := &view{Summary: summary(boards, hosts, standing)}
	for i := range boards {
		v.Tables[0] = append(v.Tables[0], boardRow(&boards[i], standing[boards[i].String()]))
	}
	for i := range hosts {
		v.Tables[1] = append(v.Tables[1], hostRow(&hosts[i]))
	}
	for _, e := range l.Events() {
		v.Tables[2] = append(v.Tables[2], eventRow(&e))
	}
	return v
}

func summary(boards []lab.Board, hosts []lab.Host, standing map[string]*Standing) string {
	count, bad := map[lab.State]int{}, 0
	for i := range boards {
		count[boards[i].State]++
		if standing[boards[i].String()].Bad() {
			bad++
		}
	}
	text := fmt.Sprintf("boards: %d", len(boards))
	if bad > 0 {
		text += fmt.Sprintf(", not PASS: %d", bad)
	}
	for _, s := range []lab.State{lab.Free, lab.Taken, lab.Gone} {
		if count[s] > 0 {
			text += fmt.Sprintf(", %s: %d", s, count[s])
		}
	}
	here := 0
	for i := range hosts {
		if hosts[i].Here {
			here++
		}
	}
	return fmt.Sprintf("%s; hosts online: %d of %d", text, here, len(hosts))
}

func boardRow(b *lab.Board, last *Standing) row {
	r := row{ID: b.String(), Class: string(b.State), Picture: pictureOf(b), Texts: texts{"name": b.Name,
		"host": "at " + b.Host, "kind": b.Kind, "note": b.Note, "state": string(b.State), "reason": b.Reason}}
	if b.What != "" {
		r.Texts["kind"] += ", " + b.What
	}
	if last != nil {
		r.Texts["verdict"], r.Texts["last-run"], r.Texts["cause"] = last.Verdict, last.Words(time.Now()), last.Cause
		r.Badge, r.Run = last.badge(), last.Run
	}
	if last.Bad() {
		r.Class += " bad"
	}
	if h := b.Holder; b.State == lab.Taken && h != nil {
		r.Texts["holder"] = holding(h)
	}
	if p := b.Progress; p != nil {
		r.Texts["rate"] = fmt.Sprintf("steps: %s, a second: %s", humanize.Comma(int64(p.Steps)),
			humanize.Comma(int64(p.PerSecond)))
		r.run(p.Run)
	}
	if b.Queue > 0 {
		r.Texts["queue"] = fmt.Sprintf("waiting: %d", b.Queue)
	}
	return r
}

// holding describes a board's holder.
func holding(h *lab.Holder) string {
	who := h.Who
	if h.Key != who {
		who += ", by the key " + h.Key
	}
	return fmt.Sprintf("%s, since %s: %s", who, clock(h.Since), h.Does)
}

// run adds the progress of a run.
func (r *row) run(run *lab.Run) {
	if run == nil {
		return
	}
	r.Done, r.Of = min(run.Done, run.Of), run.Of
	done := humanize.Comma(int64(run.Done))
	if run.Of > 0 {
		done += " of " + humanize.Comma(int64(run.Of))
	}
	done += " " + cmp.Or(run.Unit, "executions")
	if run.Verdicts != "" {
		done += ": " + run.Verdicts
	}
	r.Texts["progress"] = done
	if run.First != "" {
		r.Texts["first"] = "first failure: " + run.First
	}
}

func hostRow(h *lab.Host) row {
	r := row{ID: h.Name, Class: "gone", Texts: texts{"name": h.Name, "heard": "last heard " + clock(h.Heard),
		"boards": fmt.Sprintf("boards: %d", h.Boards), "machine": h.Machine, "version": "bench " + h.Bench}}
	if h.Here {
		r.Class, r.Texts["heard"] = "free", "online"
	}
	return r
}

func eventRow(e *lab.Event) row {
	return row{ID: fmt.Sprint(e.Number), Run: e.Run, Texts: texts{"time": clock(e.At), "of": e.Of(), "what": e.Words()}}
}

// clock returns a local time, with the day if it is not today.
func clock(t time.Time) string {
	t = t.Local()
	if t.Format(time.DateOnly) == time.Now().Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

func zone() string { return time.Now().Format("UTC-07:00") }
