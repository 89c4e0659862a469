//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"utfbench/boards"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
)

// emulated is an emulated demo board with a chip from a shuttle.
type emulated struct {
	*boardtest.Emulator
	version string // version of the SDK; "" without one
	shuttle string
	number  int
	started int // the design that main.py selects: 1, the factory test, if the SDK has the shuttle's index; or -1
}

// emulatedBoard returns the configuration of the demo board with the emulator's microcontroller.
func emulatedBoard(t *testing.T, shuttle string) (c boardtest.Config, board string) {
	t.Helper()
	board = map[string]string{"RP2040": "tt-demo-tt06",
		"RP2350": "tt-demo-rp2350"}[boardtest.EmulatedMicrocontroller(t)]
	b, err := boards.Open(board)
	if err != nil {
		t.Fatal(err)
	}
	mux := testkit.Must(b.MuxPinNumbers())(t)
	if c.Pins, _, err = b.PinNumbers(); err != nil {
		t.Fatal(err)
	}
	all := boards.Shuttles()
	s := all.Shuttle(shuttle)
	if shuttle == "tt08" {
		c.Revision = model.TT08
	}
	c.Mux = &boardtest.Mux{NRst: mux[0], Inc: mux[1], Ena: mux[2], Select: mux[3],
		Number: s.DesignsNamed(utf.TT09.Project())[0].Number,
		ROM:    strings.ReplaceAll(s.ROM, " ", "\n") + "\n"}
	return c, board
}

func onRelease(t *testing.T, r *boardtest.Release, shuttle string) *emulated {
	t.Helper()
	c, _ := emulatedBoard(t, shuttle)
	e := &emulated{Emulator: r.Start(t, c), version: r.Version, shuttle: shuttle, number: c.Mux.Number, started: -1}
	if r.HasShuttle(shuttle) {
		e.started = 1
	}
	return e
}

// bench runs a command on the board. The board is slow: one of its seconds may take a minute on a busy machine.
func (e *emulated) bench(ctx context.Context, args string) (code int, said string) {
	var out bytes.Buffer
	code = patiently(ctx, 5*time.Minute, append(strings.Fields(strings.Replace(args, "-t rp2040", "", 1)),
		"-t", "rp2040:"+e.TTY), &out)
	return code, out.String()
}

// passes runs a command, which must exit with 0 and print all of want.
func (e *emulated) passes(t *testing.T, args string, want ...string) (said string) {
	t.Helper()
	code, said := e.bench(t.Context(), args)
	if code != exitPass {
		t.Errorf("bench %s: exit code %d, and it says\n%s", args, code, said)
	}
	for _, w := range want {
		if !strings.Contains(said, w) {
			t.Errorf("bench %s lacks %q in\n%s", args, w, said)
		}
	}
	return said
}

// parked checks that a board is parked after a run.
func (e *emulated) parked(t *testing.T) {
	t.Helper()
	if e.Lines() != transport.ParkStep || e.Drives("clk") || e.Design() != e.number {
		t.Errorf("afterwards the lines are %+v, clk is driven %v, the design is %d; want them parked, no, %d",
			e.Lines(), e.Drives("clk"), e.Design(), e.number)
	}
	e.Check(t)
}

// The chip's suites pass on real firmware with a real SDK, on a board that was just plugged in, as in the README.
// BENCH_RUNS is the number of consecutive runs of all suites.
func TestEmulatorRealSDK(t *testing.T) {
	r := boardtest.NewRelease(t)
	shuttle := "tt09"
	if r.HasShuttle("tt08") && !r.HasShuttle(shuttle) {
		shuttle = "tt08"
	}
	e := onRelease(t, r, shuttle)
	t.Logf("SDK %s, shuttle %s", r.Version, shuttle)
	for _, c := range []struct {
		name string
		test func(*testing.T)
	}{
		{"doctor", e.testDoctor},
		{"run", e.testRuns},
		{"speed", e.testSpeed},
		{"wiring", func(t *testing.T) {
			e.passes(t, "wiring -t rp2040", "GOOD     every line carries both levels")
			e.parked(t)
		}},
		{"sweep", e.testSweep},
		{"at speed", e.testAtSpeed},
		{"park", func(t *testing.T) { e.passes(t, "park", "the chip is parked"); e.parked(t) }},
		{"park --reboot", e.testReboot},
		{"Ctrl-C in the upload", e.testInterrupt},
	} {
		if !t.Run(c.name, c.test) {
			e.Check(t)
		}
	}
}

// layers lists the layers of doctor, in order.
var layers = []string{"port and REPL", "firmware", "board", "ui lines", "design", "chip ROM", "program upload",
	"factory test", "this design", "uio lines", "parking"}

// readmeSDK is the release of the SDK in the README's transcript.
const readmeSDK = "3.0.6"

func (e *emulated) testDoctor(t *testing.T) {
	said := e.passes(t, "doctor -t rp2040", fmt.Sprintf("design %s, number %d of %s", utf.TT09.Project(), e.number,
		e.shuttle), "the chip's ROM says "+e.shuttle)
	t.Log("\n" + said)
	e.parked(t)
	lines := strings.SplitAfter(said, "\n")
	for i, layer := range layers {
		if i >= len(lines) || !strings.HasPrefix(lines[i], "ok  "+layer+" ") {
			t.Fatalf("line %d is not ok  %s", i+1, layer)
		}
	}
	readme := testkit.Must(os.ReadFile("../../README.md"))(t)
	shown := strings.ReplaceAll("   "+strings.Join(lines, "   "), e.TTY, "/dev/ttyACM0")
	if e.version == readmeSDK && !strings.Contains(string(readme), shown+"```\n") {
		t.Errorf("README shows another transcript")
	}
}

func (e *emulated) testRuns(t *testing.T) {
	runs, err := strconv.Atoi(os.Getenv("BENCH_RUNS"))
	if err != nil {
		runs = 3
	}
	state := ""
	for i := range runs {
		said := e.passes(t, "run -t rp2040", fmt.Sprintf("PASS  the chip answered %d vectors", answered[e.shuttle]),
			"the chip is parked")
		e.parked(t)
		if t.Failed() {
			t.Fatalf("run %d of %d", i+1, runs)
		}
		_, now, _ := strings.Cut(said, "the chip is parked")
		if now != state {
			t.Logf("run %d leaves the chip parked%s", i+1, now)
		}
		state = now
	}
	t.Logf("%d runs passed", runs)
}

var steps = regexp.MustCompile(`: (\d+) steps in`)

// testSpeed checks the speed of a run, measured in the emulator's cycles.
func (e *emulated) testSpeed(t *testing.T) {
	times := e.Times()
	said := e.passes(t, "run -t rp2040 --suite chip --no-wiring", "PASS")
	e.Watch(nil)
	checkSpeed(t, times, said, boardtest.CarriedGoal)
}

// checkSpeed checks the speed of a run or a sweep that prints its number of steps.
func checkSpeed(t *testing.T, times *boardtest.Times, said string, goal float64) {
	t.Helper()
	found := steps.FindStringSubmatch(said)
	if found == nil {
		t.Fatalf("no steps in\n%s", said)
	}
	n, _ := strconv.Atoi(found[1])
	times.CheckSpeed(t, n, goal)
}

func (e *emulated) testSweep(t *testing.T) {
	times := e.Times()
	said := e.passes(t, "sweep -t rp2040", "13377536 cases were generated and signed by the far end")
	e.Watch(nil)
	checkSpeed(t, times, said, boardtest.SignedGoal)
	e.parked(t)
}

func (e *emulated) testAtSpeed(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	t.Log(e.passes(t, "run -t rp2040 --suite guide --at 10MHz", "PASS  the chip answered 826 vectors"))
	e.parked(t)
}

func (e *emulated) testReboot(t *testing.T) {
	e.passes(t, "park --reboot", "main.py was run, and the SDK's tt is available")
	if e.Design() != e.started {
		t.Errorf("the design is %d; want %d", e.Design(), e.started)
	}
	e.passes(t, "run -t rp2040 --run in32-00000041", "PASS")
	e.parked(t)
}

// testInterrupt stops a run at several moments of the upload, after the design was selected.
func (e *emulated) testInterrupt(t *testing.T) {
	for _, after := range []time.Duration{0, time.Second, 3 * time.Second} {
		e.passes(t, "park --reboot")
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for e.Design() != e.number && ctx.Err() == nil {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(after)
			cancel()
		}()
		code, said := e.bench(ctx, "run -t rp2040")
		cancel()
		t.Logf("%v after the selection:\n%s", after, said)
		if code != exitInterrupted {
			t.Errorf("after %v: exit code %d; want %d, and it says\n%s", after, code, exitInterrupted, said)
		}
		if said := e.Query(t, "6*7"); said != "42" {
			t.Errorf("after %v the prompt answers %q to 6*7", after, said)
		}
	}
	e.passes(t, "run -t rp2040 --run in32-00000041", "PASS")
	e.parked(t)
}

// If the release has no index of the shuttle, the design is found in the bench's index. BENCH_RUNS applies here too.
func TestEmulatorRealSDKWithoutIndex(t *testing.T) {
	r := boardtest.NewRelease(t)
	if r.HasShuttle("tt09") {
		t.Skipf("the release %s has an index of tt09", r.Version)
	}
	e := onRelease(t, r, "tt09")
	e.testDoctor(t)
	e.testRuns(t)
}

// answered maps shuttles to the number of vectors that apply to their chips.
var answered = map[string]int{"tt08": 8270, "tt09": 8262}

// A board works with only the firmware in its flash.
func TestEmulatorBareBoard(t *testing.T) {
	c, board := emulatedBoard(t, "tt09")
	e := &emulated{Emulator: boardtest.StartEmulator(t, c), shuttle: "tt09", number: c.Mux.Number}
	e.passes(t, "doctor -t rp2040 --board "+board, fmt.Sprintf("number %d of tt09", e.number))
	e.passes(t, "run -t rp2040 --board "+board, fmt.Sprintf("PASS  the chip answered %d vectors", answered["tt09"]))
	e.parked(t)
	e.passes(t, "park --board "+board, "the chip is parked")
	e.parked(t)
}

// At speed, vectors pass on a board, and bench timing finds a late line and its delay.
func TestEmulatorAtSpeed(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	c, board := emulatedBoard(t, "tt09")
	c.OutputDelays = map[string]time.Duration{"uo3": 20, "uo5": 35}
	e := &emulated{Emulator: boardtest.StartEmulator(t, c), shuttle: "tt09", number: c.Mux.Number}
	board = " -t rp2040 --board " + board
	const uo5 = "uo5   35ns to 36ns"
	uo0, uo3, highest := "uo0   0s to 5ns", "uo3   20ns to 21ns", "15.62MHz  period 64ns, if outputs"
	if boardtest.EmulatedMicrocontroller(t) == "RP2350" { // a tick more, for rst_n, and ticks of 6.67 ns, three of which are 20 ns
		uo0, uo3, highest = "uo0   0s to 7ns", "uo3   19ns to 20ns", "13.89MHz  period 72ns, if outputs"
	}
	e.passes(t, "run --suite guide --at 10MHz --sample 42ns"+board, "period 100ns", "sample after 42ns",
		"PASS  the chip answered 826 vectors")
	e.parked(t)
	t.Log(e.passes(t, "timing --suite guide --run 300-2 --count 2"+board, uo3, uo5, uo0, highest))
	e.parked(t)
	t.Log(e.passes(t, "timing --tile factory --count 1"+board, "clock to output"))
	e.Check(t)
}

// At speed, a board that cannot play bursts, or not fast enough, yields an ERROR, not its chip's FAIL.
func TestEmulatorUnplayed(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	c, board := emulatedBoard(t, "tt09")
	e := &emulated{Emulator: boardtest.StartEmulator(t, c, "--lost", "0.65"), number: c.Mux.Number}
	args, one := " -t rp2040 --board "+board, " --run in32-00000041"
	unplayed := func(command, want string) {
		t.Helper()
		code, said := e.bench(t.Context(), command+args)
		if code != exitBench || !strings.Contains(said, want) {
			t.Errorf("bench %s: exit code %d; want %d, %q, and it says\n%s", command, code, exitBench, want, said)
		}
		t.Log(said)
		e.parked(t)
	}
	unplayed("timing"+one, "it is void")
	unplayed("run --at 20MHz"+one, "it is void")
	unplayed("shmoo -x period=56ns..400ns/2"+one, "it is void")
	unplayed("capture --clocks 100 --at 20MHz", "it is void")
	e.passes(t, "run"+one+args, "PASS")
}

// bench capture passes with the factory test, which counts clocks: step by step, and in a long run at speed.
func TestEmulatorCapture(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	c, board := emulatedBoard(t, "tt09")
	e := &emulated{Emulator: boardtest.StartEmulator(t, c), shuttle: "tt09", number: c.Mux.Number}
	args := "capture -t rp2040 --tile factory --input ui=1 --board " + board
	e.passes(t, args+" --clocks 3000", "PASS  the chip answered 3000 clocks")
	t.Log(e.passes(t, args+" --clocks 70000 --skip 100003 --at 20MHz", "PASS  the chip answered 70000 clocks"))
	e.Check(t)
}
