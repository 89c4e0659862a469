package page

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/printable"
	"utfbench/runs/history"
)

// A lot is the set of boards that one bench lab run tested, identified by the tag of its runs.
type lot struct {
	ID     string
	When   string
	Boards []lotBoard // those that did not pass first
	Golden []lotBoard // the golden unit, which is none of them, or nothing
	Passed int
	Of     int // the boards of the lot, also those without a run

	absent []string // those that were not free when it began
}

// A lotBoard is a board's result: its first run, and the last if there were retests.
type lotBoard struct {
	First string // verdict of the first run
	Runs  []int
	*Standing
}

// lotsOf returns the lots of a history, the latest first; with an ID only that lot, with its boards.
func lotsOf(h *history.History, id string) (all []*lot, err error) {
	byID := map[string]*lot{}
	for r, err := range h.Runs(history.Filter{Words: `"` + document.Lot + `":`, Last: mostRead}) {
		if err != nil {
			return nil, err
		}
		name := r.Start.Tags[document.Lot]
		if name == "" || r.End == nil || id != "" && name != id {
			continue
		}
		l := byID[name]
		if l == nil {
			l = &lot{ID: printable.Text(name)}
			byID[name], all = l, append(all, l)
		}
		l.When = clock(r.Start.Time) // finally the first run's
		l.add(h, r)
	}
	for _, l := range all {
		l.count()
	}
	return all, nil
}

// add adds a run that is earlier than all added before.
func (l *lot) add(h *history.History, r *history.Run) {
	board, _ := history.Place(r.Start.Transport)
	among := &l.Boards
	if r.Start.Tags[document.Golden] != "" {
		among = &l.Golden
	}
	of, _ := strconv.Atoi(r.Start.Tags[document.Boards]) // 0 if it is unknown
	l.Of = max(l.Of, of)
	if absent := strings.Fields(r.Start.Tags[document.Absent]); len(absent) > 0 { // no run of the golden unit has it
		l.absent = absent
	}
	i := slices.IndexFunc(*among, func(b lotBoard) bool { return b.Board == board })
	if i < 0 {
		i, *among = len(*among), append(*among, lotBoard{Standing: standingOf(h, r, board)})
	}
	b := &(*among)[i]
	b.First, b.Runs = r.End.Verdict, append([]int{r.Number}, b.Runs...)
	if first := standingOf(h, r, board); first.Bad() { // which a retest does not change
		if slices.Contains([]string{driver.Pass.String(), driver.Flaky.String()}, b.Verdict) {
			first.Verdict = driver.Flaky.String()
		}
		*b.Standing = *first
	}
}

// count sorts the boards and counts those that pass.
func (l *lot) count() {
	for _, b := range l.Boards {
		if b.Verdict == driver.Pass.String() {
			l.Passed++
		}
	}
	l.Of = max(l.Of, len(l.Boards))
	slices.SortStableFunc(l.Boards, func(a, b lotBoard) int {
		if a.Bad() != b.Bad() {
			return map[bool]int{true: -1, false: 1}[a.Bad()]
		}
		return printable.Natural(a.Board, b.Board)
	})
}

// Badge returns the colour of a board's verdict.
func (b lotBoard) Badge() string { return strings.ToLower(b.Verdict) }

// Bad reports whether a board did not pass, or the golden unit.
func (l *lot) Bad() bool {
	return l.Passed < l.Of || slices.ContainsFunc(l.Golden, func(b lotBoard) bool { return b.Bad() })
}

// Absent describes the boards without a run, or is "".
func (l *lot) Absent() string {
	n := l.Of - len(l.Boards)
	if n <= 0 {
		return ""
	}
	names := slices.DeleteFunc(slices.Clone(l.absent), func(name string) bool { // one became free
		return slices.ContainsFunc(l.Boards, func(b lotBoard) bool { return b.Board == name })
	})
	names = names[:min(n, len(names), mostAbsent)]
	if more := n - len(names); len(names) > 0 && more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.TrimSuffix(fmt.Sprintf("%d without a run: ", n)+strings.Join(names, ", "), ": ")
}

// mostAbsent is the maximum number of boards that are named as without a run.
const mostAbsent = 5

// Words describes how many boards pass.
func (l *lot) Words() string {
	if l.Of == 0 {
		return "no board was judged"
	}
	return strings.TrimSuffix(fmt.Sprintf("%d of %s, ", l.Passed,
		printable.Plural(l.Of, "board passes", "boards pass"))+l.Absent(), ", ")
}

// lots lists all lots, or shows one.
func (p *Page) lots(w http.ResponseWriter, r *http.Request, h *history.History) {
	id := r.PathValue("lot")
	all, err := lotsOf(h, id)
	switch {
	case err != nil:
		say(w, http.StatusInternalServerError, unreadable, err.Error())
	case id == "":
		write(w, http.StatusOK, "lots", map[string]any{"Title": p.cfg.Title, "Lots": all, "Zone": zone()})
	case len(all) == 0:
		say(w, http.StatusNotFound, "There is no such lot", "A lot has the boards that one bench lab run has tested.")
	default:
		p.lot(w, r, all[0])
	}
}

// lot responds with a lot as a page, as CSV or as JUnit.
func (p *Page) lot(w http.ResponseWriter, r *http.Request, l *lot) {
	switch r.PathValue("form") {
	case "":
		write(w, http.StatusOK, "lot", map[string]any{"Title": p.cfg.Title, "Lot": l, "Zone": zone()})
	case "csv":
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		out := csv.NewWriter(w)
		// Flush has the error.
		_ = out.Write([]string{"lot", "board", "first", "verdict", "runs", "ended", "cause", "role"})
		for i, b := range slices.Concat(l.Golden, l.Boards) {
			role := ""
			if i < len(l.Golden) {
				role = "golden unit"
			}
			_ = out.Write([]string{l.ID, b.Board, b.First, b.Verdict, strings.Trim(fmt.Sprint(b.Runs), "[]"),
				b.Ended.UTC().Format(time.RFC3339), b.Cause, role})
		}
		if absent := l.Absent(); absent != "" {
			_ = out.Write([]string{l.ID, "", "", "", "", "", "", absent})
		}
		out.Flush() // an error only means that the client left
	case "junit":
		w.Header().Set("Content-Type", "application/xml; charset=utf-8")
		all := l.junit()
		_ = all.WriteXML(w) // likewise
	default:
		say(w, http.StatusNotFound, "There is no such format of a lot", "The formats are csv and junit.")
	}
}

// junit returns a test case for each board, and a suite of the golden unit.
func (l *lot) junit() (all junit.Testsuites) {
	if len(l.Golden) > 0 {
		all.AddSuite(suite(l.ID+" golden unit", l.ID, l.Golden))
	}
	s := suite(l.ID, l.ID, l.Boards)
	if absent := l.Absent(); absent != "" {
		s.AddTestcase(junit.Testcase{Name: "boards without a run", Classname: "lot." + l.ID,
			Error: &junit.Result{Type: driver.Error.String(), Message: absent}})
	}
	all.AddSuite(s)
	return all
}

func suite(name, lot string, of []lotBoard) junit.Testsuite {
	s := junit.Testsuite{Name: name, Package: "utfbench"}
	for _, b := range of {
		c := junit.Testcase{Name: b.Board, Classname: "lot." + lot}
		wrong := &junit.Result{Type: b.Verdict, Message: b.Cause, Data: "run " + strconv.Itoa(b.Run) + ": " + b.Cause}
		switch {
		case b.Verdict == driver.Error.String() || b.Verdict == driver.Wiring.String():
			c.Error = wrong
		case b.Bad():
			c.Failure = wrong
		case b.Verdict != driver.Pass.String():
			c.Skipped = wrong
		}
		s.AddTestcase(c)
	}
	return s
}
