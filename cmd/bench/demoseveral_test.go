//go:build unix

package main

import (
	"regexp"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport/rp2040/boardtest"
)

// Two boards and the model at the same time: the board with a chip of the other revision fails alone, and both are left
// parked.
func TestSeveralBoards(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	right := boardtest.Start(t, demo(t, "tt-demo-rp2350"))
	config := demo(t, "tt-demo-rp2350")
	config.Revision = model.TT08
	other := boardtest.Start(t, config)
	code, said := bench(t, "run", "-t", "rp2040:"+right.TTY, "-t", "rp2040:"+other.TTY, "-t", "mock", "--suite",
		"sequences", "--run", "tt09$", "--no-history")
	for _, want := range []string{`(?m)^rp2040:` + regexp.QuoteMeta(right.TTY) + ` +PASS `, `(?m)^rp2040:` +
		regexp.QuoteMeta(other.TTY) + ` +FAIL .*\n(  .*\n)*  the first failure: sequences/`,
		`(?m)^FAIL  2 of 3 targets pass, 1 FAIL: `, `rp2040:` + regexp.QuoteMeta(right.TTY) + `: the chip is parked`} {
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
