//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport/rp2040/boardtest"
)

// Two boards and the model at the same time, and one of the boards by a second name, after itself: the board with a
// chip of the other revision fails alone, and all are left parked.
func TestMatrixOfBoards(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	right := boardtest.Start(t, demo(t, "tt-demo-rp2350"))
	config := demo(t, "tt-demo-rp2350")
	config.Revision = model.TT08
	other := boardtest.Start(t, config)
	link := filepath.Join(t.TempDir(), "board")
	if err := os.Symlink(right.TTY, link); err != nil {
		t.Fatal(err)
	}
	code, said := bench(t, "matrix", "-t", "rp2040:"+right.TTY, "-t", "rp2040:"+other.TTY, "-t", "mock", "-t",
		"rp2040:"+link, "--suite", "sequences", "--run", "tt09$", "--no-history")
	for _, want := range []string{`(?m)^1 +rp2040:\S+ +PASS `, `(?m)^2 +rp2040:\S+ +FAIL `, `(?m)^4 +rp2040:\S+ +PASS `,
		`(?m)^rp2040:\S+, mock and rp2040:\S+ pass; rp2040:` + regexp.QuoteMeta(other.TTY) +
			` fails from step \d+ of sequences/`,
		`(?m)^FAIL  3 of 4 targets pass, 1 FAIL: `, `rp2040:` + regexp.QuoteMeta(right.TTY) + `: the chip is parked`} {
		if !regexp.MustCompile(want).MatchString(said) {
			t.Errorf("no %s", want)
		}
	}
	if code != exitFail || t.Failed() {
		t.Errorf("exit code %d, and it says\n%s", code, said)
	}
	for _, b := range []*boardtest.Board{right, other} {
		if !b.Lines().Reset {
			t.Errorf("%s is not parked: %+v", b.TTY, b.Lines())
		}
		b.Check(t)
	}
}
