package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"utfbench/internal/printable"
	"utfbench/internal/testkit"
	"utfbench/transport/lab"
)

func text(t testing.TB, value any) []byte {
	t.Helper()
	return testkit.Must(json.Marshal(value))(t)
}

// An invalid report of a host is rejected in one sentence.
func TestReportRefusals(t *testing.T) {
	many := reportOf("pi1")
	for i := range maxBoards + 1 {
		many.Boards = append(many.Boards, board(fmt.Sprint("b", i), lab.Free))
	}
	with := func(change func(*lab.Board)) *lab.Report {
		b := board("a", lab.Free)
		change(&b)
		return reportOf("pi1", b)
	}
	nameless := reportOf("pi1")
	nameless.Instance = ""
	for words, r := range map[string]*lab.Report{
		`it calls itself "pi2"`:                        reportOf("pi2"),
		"its instance has 0 bytes":                     nameless,
		"it has 1001 boards: at most 1000 are allowed": many,
		"it has two boards called a":                   reportOf("pi1", board("a", lab.Free), board("a", lab.Gone)),
		`the board "a b": a name is`:                   with(func(b *lab.Board) { b.Name = "a b" }),
		"its board a claims to be another host's":      with(func(b *lab.Board) { b.Host = "pi2" }),
		`its board a is "": allowed are free`:          with(func(b *lab.Board) { b.State = "" }),
		"-1 wait for its board a: 0 to 10000":          with(func(b *lab.Board) { b.Queue = -1 }),
		"a board is taken since an invalid time":       with(func(b *lab.Board) { b.Holder = &lab.Holder{} }),
	} {
		if strings.Contains(words, "time") {
			r.Boards[0].Holder.Since = time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC)
		}
		_, err := readReport("pi1", text(t, r))
		refused(t, err, "host pi1: "+words)
	}
	_, err := readReport("pi1", []byte("\x1b"))
	refused(t, err, "host pi1 sent an invalid report: ")
}

// Texts are cut and made printable; unknown fields of a newer bench are ignored.
func TestReportIsCut(t *testing.T) {
	b := board("a", lab.Taken)
	b.Reason, b.What = strings.Repeat("ü", 1000), "\x1b]0;x\x07"
	b.Holder = &lab.Holder{Who: strings.Repeat("x", 1000), Since: time.Now()}
	b.Progress = &lab.Progress{Run: &lab.Run{Done: -1, Of: -2, Verdicts: strings.Repeat("x", 1000), First: "\x1b"}}
	whole := strings.Replace(string(text(t, reportOf("pi1", b))), "{", `{"more":[1],`, 1)
	r := testkit.Must(readReport("pi1", []byte(whole)))(t)
	got := r.Boards[0]
	if run := got.Progress.Run; run.Done != 0 || run.Of != 0 || len(run.Verdicts) > maxWords || run.First != `\x1b` {
		t.Errorf("%+v", run)
	}
	if got.Host != "pi1" || got.What != `\x1b]0;x\a` || len(got.Reason) > maxWords || len(got.Holder.Who) > maxWord ||
		!utf8.ValidString(got.Reason) || !strings.HasSuffix(got.Reason, "ü…") {
		t.Errorf("%+v", got)
	}
}

// A board says for how long its host has been silent, also before it counts as gone.
func TestSilentHost(t *testing.T) {
	h := newHub(Config{Silent: 4 * time.Second, Seat: time.Hour}, nil)
	for _, c := range []struct {
		since time.Duration
		want  string
	}{{time.Second, "free"}, {3 * time.Second, "free: its machine m-pi1 has not been heard for 3s"},
		{5 * time.Second, "gone: its machine m-pi1 has not been heard for 5s"}} {
		if _, err := h.sit(reportOf("pi1", board("a", lab.Free)), time.Now().Add(-c.since)); err != nil {
			t.Fatal(err)
		}
		if got := lab.Standing(&h.Boards().Boards[0]); got != c.want {
			t.Errorf("%s: %q; want %q", c.since, got, c.want)
		}
	}
}

// Whatever a host reports, the list of all boards can be encoded and decoded.
func FuzzReport(f *testing.F) {
	b := board("a", lab.Taken)
	b.Holder = &lab.Holder{Who: "eve", Since: time.Unix(1e9, 0)}
	f.Add(string(text(f, reportOf("pi1", b, board("b", lab.Gone)))))
	f.Add(`{"protocol":1,"host":"pi1","instance":"1","boards":[{"board":"a","state":"free","holder":{"since":` +
		`"0000-01-01T00:00:00+23:59"}}]}`)
	f.Add(`{"protocol":1,"host":"pi1","instance":"` + "\u202e" + `","boards":[{"board":"a\n","state":"free"}]}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, said string) {
		r, err := readReport("pi1", []byte(said))
		if err != nil {
			if !utf8.ValidString(err.Error()) || printable.Text(err.Error()) != err.Error() {
				t.Errorf("the error is not printable: %q", err)
			}
			return
		}
		h := newHub(Config{Silent: time.Hour, Tell: func(e lab.Event) {
			if strings.Contains(e.String(), "\n") {
				t.Errorf("%q", e.String())
			}
		}}, nil)
		if err := h.hear(r); err != nil {
			t.Fatal(err)
		}
		list := h.Boards()
		written := text(t, list)
		if !printable.Whole(written) {
			t.Errorf("not printable: %s", written)
		}
		var read lab.List
		if err := json.Unmarshal(written, &read); err != nil || len(read.Boards) != len(r.Boards) {
			t.Errorf("%v: %s", err, written)
		}
		for i := range read.Boards {
			if read.Boards[i].Host != "pi1" || len(text(t, read.Boards[i])) > 20*maxWords {
				t.Errorf("%+v", read.Boards[i])
			}
		}
	})
}
