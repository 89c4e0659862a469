package main

import (
	"bytes"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/cmdline"
	"utfbench/runs/report"
)

// endedWith is a run of one FAIL or ERROR, or of another verdict.
func endedWith(v driver.Verdict) *aftermath {
	t := &driver.Tally{}
	switch v {
	case driver.Flaky: // FAIL in one iteration of two
		t.Verdicts[driver.Fail], t.Repeats = 1, []*driver.Repeat{{Executions: 2, Failed: 1}}
	case driver.Fail:
		t.Verdicts[v], t.Repeats = 1, []*driver.Repeat{{Executions: 1, Failed: 1}}
	default:
		t.Verdicts[v] = 1
	}
	return &aftermath{first: "s/a", outcome: report.Outcome{Tally: t}, ended: true}
}

// What is proposed follows from the verdict, and from what there is: a recording, a board.
func TestNextSteps(t *testing.T) {
	cmd := newRun()
	if err := cmd.ParseFlags([]string{"--suite", "man7", "--no-wiring", "--count", "4"}); err != nil {
		t.Fatal(err)
	}
	kept := pastRun{cmd: cmd, target: []string{"-t", "gpio"}, recording: []string{"7"}, board: true, count: 4}
	lost, mock, seen, replayed := kept, kept, kept, kept
	lost.recording, mock.board, seen.shown, replayed.replayed = nil, false, true, true
	const (
		looks = "bench diagnose 7; bench report 7 --open; "
		alone = "bench run -t gpio --no-wiring --run '^s/a$' -v; "
	)
	for _, c := range []struct {
		name string
		of   pastRun
		v    driver.Verdict
		want string
	}{
		{"FAIL", kept, driver.Fail, looks + alone},
		{"FAIL that was shown", seen, driver.Fail, looks},
		{"FAIL without a recording", lost, driver.Fail, "bench minimise s/a -t gpio; " + alone},
		{"FLAKY", kept, driver.Flaky, looks + "bench run -t gpio --suite man7 --no-wiring --count 20; "},
		{"FLAKY recording", replayed, driver.Flaky, looks},
		{"WIRING", kept, driver.Wiring, "bench wiring -t gpio; bench doctor -t gpio; "},
		{"ERROR", kept, driver.Error, "bench doctor -t gpio; "},
		{"ERROR without a board", mock, driver.Error, alone},
		{"PASS", kept, driver.Pass, ""}, {"SKIPPED", kept, driver.Skipped, ""}, {"ABORTED", kept, driver.Aborted, ""},
	} {
		got := ""
		for _, s := range c.of.steps(endedWith(c.v)) {
			got += cmdline.Line(s.words...) + "; "
		}
		if got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
	stopped := endedWith(driver.Fail)
	stopped.outcome.Interrupted = true
	if got := kept.steps(stopped); got != nil {
		t.Errorf("after an interrupt: %v", got)
	}
}

// Each line is a command for a shell, with the reason as a comment; a long one does not move the reasons of others.
func TestWriteNext(t *testing.T) {
	var b bytes.Buffer
	writeNext(&b, []nextStep{{[]string{"diagnose", "1"}, "why"}, {[]string{"history"}, "what"},
		{[]string{"show", strings.Repeat("x", widestCommand)}, "long"}})
	want := "\nnext:\n  bench diagnose 1  # why\n  bench history     # what\n  bench show " +
		strings.Repeat("x", widestCommand) + "  # long\n"
	if b.String() != want {
		t.Errorf("%q; want %q", &b, want)
	}
	b.Reset()
	if writeNext(&b, nil); b.Len() > 0 {
		t.Errorf("nothing to do, and %q", &b)
	}
}
