//go:build unix

package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/lab/server"
	"utfbench/transport"
	"utfbench/transport/lab"
	"utfbench/transport/rp2040/boardtest"
)

// A demo board that another machine has is brought up, recognised, checked for its wires and judged like one that is
// plugged in here, and left as it should be; the next user finds it as the first did. When its cable is cut the run
// ends in ERROR with the reason that the board's own layer gave, and the lab shows that the board is gone.
func TestLabOfDemoBoards(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	b := boardtest.Start(t, demo(t, "tt-demo-rp2350"))
	s, invite := aLab(t, "-t", "rp2040:"+b.TTY, "--name", "seven")
	inLab(t, s, "seven", lab.Free)
	ask := []string{"run", "-t", "lab:seven", "--invite", invite, "--suite", "sequences", "--run", "tt09$",
		"--no-history", "--patience", "1m"}
	for range 2 {
		code, said := bench(t, ask...)
		for _, want := range []string{`(?m)^lab:first/seven, board tt-demo-rp2350, compared with the tt09 model`,
			`(?m)^  the chip's ROM says tt09`, `(?m)^PASS  the chip answered `, `lab:first/seven: the chip is parked`} {
			if !regexp.MustCompile(want).MatchString(said) {
				t.Errorf("no %s", want)
			}
		}
		if code != exitPass || t.Failed() {
			t.Fatalf("exit code %d, and it says\n%s", code, said)
		}
		if !b.Lines().Reset {
			t.Errorf("it is not parked: %+v", b.Lines())
		}
	}
	if code, said := bench(t, "lab", "sweep", invite, "--space", "ops", "--depth", "2"); code != exitPass ||
		!regexp.MustCompile(`(?m)^PASS  the chip answered 1024 cases as the model says`).MatchString(said) {
		t.Errorf("a sweep: exit code %d, and it says\n%s", code, said)
	}
	if code, said := bench(t, "safe", "--reboot", "--port", b.TTY); code != exitPass || !b.Drives("clk") {
		t.Errorf("somebody at the board: exit code %d, and it says\n%s", code, said)
	}
	s.Park(inLab(t, s, "seven", lab.Free), "eve")
	toldSoon(t, s, "first/seven  was parked for eve, from the page: rp2040:"+b.TTY+": the chip is parked")
	if b.Lines() != transport.Park || b.Drives("clk") {
		t.Errorf("it was parked, and the lines are %+v, clk is driven %v", b.Lines(), b.Drives("clk"))
	}
	b.Check(t)
	b.Unplug()
	if gone := inLab(t, s, "seven", lab.Gone); gone.Reason == "" {
		t.Errorf("nothing says why: %+v", gone)
	}
	code, said := bench(t, ask...)
	if code != exitBench || !regexp.MustCompile(`^bench: first/seven: .*no such file`).MatchString(said) {
		t.Errorf("exit code %d, and it says\n%s", code, said)
	}
}

// An output that is at fault on a board far away is settled by the chip's factory test too, while the board is kept:
// nobody else has it in between. These vectors do not show uo4 at 1, so they pass, and the run is no PASS.
func TestFactoryTestInLab(t *testing.T) {
	t.Parallel()
	for i, c := range []struct {
		name   string
		change func(*boardtest.Config)
		code   int
		want   string
	}{
		{"the design", heldBack, exitFail, "the output uo3 is at fault, and the factory test shows both levels " +
			"there: wire, pin and pad are good, so it is the design"},
		{"the wire", broken("uo4=stuck0"), exitWeak, "the output uo4 is at fault, and in the factory test too, so " +
			"it is not the design: it is the wire, the bench's pin or the chip's pad"},
	} {
		if i >= testkit.Pick(1, 2) {
			break
		}
		config := demo(t, "tt-demo-rp2350")
		c.change(&config)
		b := boardtest.Start(t, config)
		s, invite := aLab(t, "-t", "rp2040:"+b.TTY, "--name", "seven")
		inLab(t, s, "seven", lab.Free)
		code, said := bench(t, "run", "-t", "lab:seven", "--invite", invite, "--suite", "guide", "--run", "300-200",
			"--no-history", "--patience", "1m")
		if code != c.code || !strings.Contains(said, "before the first vector: "+c.want) ||
			!strings.Contains(said, "lab:first/seven: the chip is parked") {
			t.Errorf("%s: exit code %d; want %d and %q in\n%s", c.name, code, c.code, c.want, said)
		}
		if taken := s.Events(); strings.Count(fmt.Sprint(taken), " has it (") > 1 {
			t.Errorf("the board was given back meanwhile: %v", taken)
		}
		inLab(t, s, "seven", lab.Free)
		b.Check(t)
	}
}

// toldSoon waits until a lab has told of something.
func toldSoon(t *testing.T, s *server.Server, words string) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		changed := s.Changed()
		if strings.Contains(toldOf(s), words) {
			return
		}
		select {
		case <-changed:
		case <-time.After(time.Second):
		}
	}
	t.Fatalf("no %q in\n%s", words, toldOf(s))
}

// toldOf is what a lab has told of, the newest first.
func toldOf(s *server.Server) string {
	var all strings.Builder
	for _, e := range s.Events() {
		all.WriteString(e.String() + "\n")
	}
	return all.String()
}
