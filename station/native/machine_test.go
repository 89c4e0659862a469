package native

import (
	"bytes"
	"strings"
	"testing"

	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/transport/rp2040/demoboard"
)

// The text describes the machine, and the suggestions mention the latest failure and the connected board.
func TestMachine(t *testing.T) {
	board := demoboard.Port{Name: "/dev/ttyACM0", VID: "2E8A", PID: "0005"}
	other := demoboard.Port{Name: "/dev/ttyACM1"}
	fail := &history.Run{End: &report.End{Verdict: "FAIL"}}
	for _, c := range []struct {
		of          Machine
		says, steps string
	}{
		{Machine{HistoryText: "no run yet"}, "  boards      none\n  simulators  none\n  history     no run yet\n",
			"bench demo; bench run; bench help; "},
		{Machine{InProject: true}, "  boards      none\n", "bench demo; bench run --tile .; bench help; "},
		{Machine{InProject: true, Boards: []demoboard.Port{board}},
			"  boards      /dev/ttyACM0 (2E8A:0005), MicroPython",
			"bench doctor -t rp2040 --tile .; bench run -t rp2040 --tile .; bench help; "},
		{Machine{Hindrances: []string{"no driver", "no rights"}, Simulators: []string{"a", "b"}, LatestRun: fail},
			"  boards      no driver; no rights\n  simulators  a, b\n  history     \n",
			"bench diagnose last; bench demo; bench run; bench help; "},
		{Machine{Boards: []demoboard.Port{board}, Hindrances: []string{"no driver"}, LatestRun: &history.Run{}},
			"  boards      /dev/ttyACM0 (2E8A:0005), MicroPython on an RP2040 or RP2350\n",
			"bench doctor -t rp2040; bench run -t rp2040; bench help; "},
		{Machine{Boards: []demoboard.Port{board, other}}, "RP2350; /dev/ttyACM1 (-), MicroPython",
			"bench doctor -t rp2040:/dev/ttyACM0; bench run -t rp2040:/dev/ttyACM0; bench help; "},
	} {
		var b bytes.Buffer
		steps := ""
		for _, s := range c.of.Suggestions() {
			steps += "bench " + strings.Join(s.Args, " ") + "; "
		}
		if c.of.Write(&b); !strings.Contains(b.String(), c.says) || steps != c.steps {
			t.Errorf("%+v: it says\n%s, and proposes %s", c.of, &b, steps)
		}
	}
	var b bytes.Buffer
	WriteBoardOffer(&b, []demoboard.Port{board, other})
	want := "a board is plugged in at /dev/ttyACM0: bench run -t rp2040:/dev/ttyACM0\n" +
		"a board is plugged in at /dev/ttyACM1: bench run -t rp2040:/dev/ttyACM1\n"
	if b.String() != want {
		t.Errorf("%s; want %s", &b, want)
	}
}
