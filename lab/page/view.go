package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/transport/lab"
)

// A view is a page's contents, in words.
type view struct {
	Summary string
	Tables  [3]table // in the order of tables
}

// tables names a view's tables.
var tables = [3]string{"boards", "hosts", "events"}

// A table has rows, in their order.
type table []row

// A row is the text of a table's row. The page has places for the texts, in this order; empty ones are hidden.
type row struct {
	ID    string   `json:"id"`    // what tells it from others of its table
	Class string   `json:"class"` // its colour
	Texts []string `json:"texts"`
	Done  int      `json:"done"` // of a bar
	Of    int      `json:"of"`   // 0 for none

	Picture string `json:"picture,omitempty"` // the address of one
	Badge   string `json:"badge,omitempty"`   // the colour of the last verdict
	Run     int    `json:"run,omitempty"`     // that it is of
}

func (r *row) same(as *row) bool {
	return r.Class == as.Class && r.Done == as.Done && r.Of == as.Of && r.Picture == as.Picture &&
		r.Badge == as.Badge && r.Run == as.Run && slices.Equal(r.Texts, as.Texts)
}

// viewOf returns the present view: the boards that have to be looked at first.
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

// boardTexts is how many texts a board's row has.
const boardTexts = 14

// boardRow returns name, host, what it is, note, state, last verdict, its run and age, its cause, holder, steps,
// run, first failure, queue, reason.
func boardRow(b *lab.Board, last *Standing) row {
	texts := make([]string, boardTexts)
	r := row{ID: b.String(), Class: string(b.State), Texts: texts, Picture: pictureOf(b)}
	texts[0], texts[1], texts[2], texts[3], texts[4] = b.Name, "at "+b.Host, b.Kind, b.Note, string(b.State)
	if b.What != "" {
		texts[2] += ", " + b.What
	}
	if last != nil {
		texts[5], texts[6], texts[7] = last.Verdict, last.words(time.Now()), last.Cause
		r.Badge, r.Run = last.badge(), last.Run
	}
	if last.Bad() {
		r.Class += " bad"
	}
	if h := b.Holder; b.State == lab.Taken && h != nil {
		texts[8] = holding(h)
	}
	if p := b.Progress; p != nil {
		texts[9] = fmt.Sprintf("steps: %s, a second: %s", grouped(p.Steps), grouped(p.PerSecond))
		r.run(p.Run)
	}
	if b.Queue > 0 {
		texts[12] = fmt.Sprintf("waiting: %d", b.Queue)
	}
	texts[13] = b.Reason
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

// run says how far a run has come.
func (r *row) run(run *lab.Run) {
	if run == nil {
		return
	}
	r.Done, r.Of = min(run.Done, run.Of), run.Of
	r.Texts[10] = grouped(uint64(run.Done))
	if run.Of > 0 {
		r.Texts[10] += " of " + grouped(uint64(run.Of))
	}
	r.Texts[10] += " " + cmp.Or(run.Unit, "executions")
	if run.Verdicts != "" {
		r.Texts[10] += ": " + run.Verdicts
	}
	if run.First != "" {
		r.Texts[11] = "first failure: " + run.First
	}
}

// hostRow has name, whether it is here, boards, machine, version.
func hostRow(h *lab.Host) row {
	r := row{ID: h.Name, Class: "gone", Texts: []string{h.Name, "last heard " + clock(h.Heard),
		fmt.Sprintf("boards: %d", h.Boards), h.Machine, "bench " + h.Bench}}
	if h.Here {
		r.Class, r.Texts[1] = "free", "online"
	}
	return r
}

// eventRow has time, of what, and what.
func eventRow(e *lab.Event) row {
	return row{ID: fmt.Sprint(e.Number), Texts: []string{clock(e.At), e.Of(), e.Words()}}
}

// clock returns a local time, with the day if it is not today.
func clock(t time.Time) string {
	t = t.Local()
	if t.Format(time.DateOnly) == time.Now().Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

// zone returns the time zone.
func zone() string { return time.Now().Format("UTC-07:00") }

// grouped returns a number with its digits in threes.
func grouped(n uint64) string {
	digits := fmt.Sprint(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
