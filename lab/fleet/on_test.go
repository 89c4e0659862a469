package fleet

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/runs/compare"
	"utfbench/transport/lab"
)

var some = &lab.List{Boards: []lab.Board{{Host: "pi1", Name: "a", Kind: "rp2040"},
	{Host: "pi1", Name: "b", Kind: "mock", Note: "shelf 2, lot7; lid is stiff"},
	{Host: "pi2", Name: "a", Kind: "mock"}}}

// All conditions must match; a board may be named with or without its host.
func TestOn(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "pi1/a pi1/b pi2/a",
		"a":                      "pi1/a pi2/a",
		"pi1/*":                  "pi1/a pi1/b",
		"board!=pi2/a":           "pi1/a pi1/b",
		"kind=mock, host!=pi2":   "pi1/b",
		"board=a,board=b":        "",
		"note=lot[1-7]":          "pi1/b",
		"note!=shelf, kind=mock": "pi2/a",
		"rev=tt09,kind=rp[1-9]*": "pi1/a", // unknown values may match
	} {
		on, err := ParseOn(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := strings.Join(on.Boards(some), " "); got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
	on, _ := ParseOn("rev=tt09,design!=x")
	for k, want := range map[Kind]bool{{"rp2040", "", "tt09"}: true, {"rp2040", "x", "tt09"}: false,
		{"rp2040", "", "tt08"}: false, {"mock", "tt09", "tt08"}: true, {"mock", "tt08", "tt09"}: false} {
		if on.Wants(k) != want {
			t.Errorf("%s: %v", k, !want)
		}
	}
}

// An error about a bad condition lists what is allowed.
func TestBadOn(t *testing.T) {
	for _, text := range []string{"colour=red", "=a", "rev=", "board=[", "a,,b", "rev!tt09=1"} {
		if _, err := ParseOn(text); err == nil || !strings.Contains(err.Error(), "KEY=PATTERN") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := (On{text: "xyz"}).Nobody(some); !strings.Contains(err.Error(), "pi1/a, pi1/b, pi2/a") {
		t.Error(err)
	}
	many := &lab.List{Boards: slices.Repeat(some.Boards, 3)}
	if err := (On{text: "xyz"}).Nobody(many); !strings.HasSuffix(err.Error(), ", pi2/a and 3 more: bench lab boards") {
		t.Error(err)
	}
}

// A condition and its opposite partition the boards.
func TestOpposites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom([]string{"board", "host", "note", "kind"}).Draw(t, "key")
		pattern := rapid.StringMatching(`[a-z0-9*?/]{1,5}`).Draw(t, "pattern")
		is, err := ParseOn(key + "=" + pattern)
		not, nerr := ParseOn(key + "!=" + pattern)
		if err != nil || nerr != nil {
			t.Fatal(err, nerr)
		}
		all := append(is.Boards(some), not.Boards(some)...)
		slices.Sort(all)
		if strings.Join(all, " ") != "pi1/a pi1/b pi2/a" {
			t.Errorf("%s=%s: %v", key, pattern, all)
		}
	})
}

// Boards that fail for one cause have one command.
func TestNextOfOneCause(t *testing.T) {
	var l Lot
	var list lab.List
	for i, cause := range []string{"", "uo3 is stuck", "uo3 is stuck", "", "v7"} {
		l.Boards = append(l.Boards, &compare.Board{Cause: cause,
			Runs: []*compare.Column{{Weak: "it is", Number: i + 1}}})
		list.Boards = append(list.Boards, lab.Board{Last: &lab.Last{Verdict: "FAIL", Run: i + 1, Cause: cause}})
	}
	var runs []string
	for _, s := range append(l.Next(""), NextOf(&list)...) {
		runs = append(runs, s.Words[1])
	}
	if got := strings.Join(runs, " "); got != "1 2 4 5 lab:1 lab:2 lab:4 lab:5" {
		t.Error(got)
	}
}
