//go:build unix

package main

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/boards"
	"utfbench/model"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
)

// bench runs the command and returns its exit code and all that it wrote.
func bench(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	var out bytes.Buffer
	if slices.Contains(args, "--port") { // the machine may be busy with other tests
		args = append(args, "--patience", "1m")
	}
	code = run(ctx, args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

// demo is a demo board with the SDK and a chip of the shuttle tt09.
func demo(t *testing.T, board string) boardtest.Config {
	t.Helper()
	if testing.Short() {
		t.Skip("a board in bytecode takes its time")
	}
	b, err := boards.Open(board)
	if err != nil {
		t.Fatal(err)
	}
	pins, _, err := b.GPIO()
	if err != nil {
		t.Fatal(err)
	}
	c := boardtest.Config{Pins: pins, SDK: &boardtest.SDK{Version: "2.0.4", Shuttle: "tt09", Commit: "abcd1234", Carrier: "TT06+",
		Designs: map[string]int{project: 897, "tt_um_factory_test": 1}, Enabled: "tt_um_factory_test"}}
	if b.Mux != nil {
		n, err := b.MuxGPIO()
		if err != nil {
			t.Fatal(err)
		}
		c.Mux = &boardtest.Mux{NRst: n[0], Inc: n[1], Ena: n[2], Select: n[3], Number: 897, ROM: "shuttle=tt09\ncommit=abcd1234\n"}
	}
	return c
}

// Out of the box: the board is found, the design selected, every vector run, and the board left parked.
func TestDemoBoardOutOfTheBox(t *testing.T) {
	config := demo(t, "tt-demo-tt06")
	config.SDK.Clock = 1_000_000
	config.Switches = 0x08
	b := boardtest.Start(t, config)
	code, said := bench(t, "run", "-t", "rp2040", "--port", b.TTY)
	for _, want := range []string{
		"rp2040:" + b.TTY + ", board tt-demo-tt06, compared with the tt09 model: 8122 vectors",
		"design " + project + ", number 897 of tt09, selected through the SDK 2.0.4",
		"the SDK clocked the project at 1000000 Hz: stopped",
		"the chip's ROM says tt09, commit abcd1234, so its revision is tt09",
		"ui3 held high by something that gives way",
		"PASS  the chip answered 8087 vectors",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if code != exitPass || t.Failed() {
		t.Errorf("exit code %d, and it says\n%s", code, said)
	}
	if b.Lines().Reset != true || b.Drives("clk") || b.Design() != 897 {
		t.Errorf("afterwards the lines are %+v, clk is driven %v, the design is %d; want them parked, no, 897", b.Lines(), b.Drives("clk"), b.Design())
	}
	b.Check(t)
}

func TestDemoBoards(t *testing.T) {
	for _, c := range []struct {
		name   string
		board  string
		change func(*boardtest.Config)
		args   []string
		code   int
		want   string
	}{
		{"tt04, no SDK", "tt-demo-tt04", func(c *boardtest.Config) { c.SDK, c.Mux.ROM = nil, "shuttle=tt05\n" },
			[]string{"--board", "tt-demo-tt04", "--design", "897", "--revision", "tt09"}, exitPass, "design 897 of tt05 selected by the mux"},
		{"tt07, by its ROM", "tt-demo-tt07", func(c *boardtest.Config) { c.SDK.Shuttle = "tt07" },
			[]string{"--revision", "tt09"}, exitPass, "board tt-demo-tt07"},
		{"rp2350", "tt-demo-rp2350", func(c *boardtest.Config) { c.Machine = "Tiny Tapeout with RP2350" }, nil, exitPass, "board tt-demo-rp2350"},
		{"tt08", "tt-demo-tt06", func(c *boardtest.Config) {
			c.SDK.Shuttle, c.SDK.Designs[project], c.Revision = "tt08", 5, model.TT08
			c.Mux.Number = 5
		}, nil, exitPass, "compared with the tt08 model"},
		{"by number", "tt-demo-tt06", nil, []string{"--design", "897"}, exitPass, "number 897 of tt09"},
		{"no SDK, tt09's number is known", "tt-demo-tt06", func(c *boardtest.Config) { c.SDK = nil }, []string{"--board", "tt-demo-tt06"}, exitPass, "design 897 of tt09 selected by the mux"},
		{"a Pico wired by hand", "pico", func(c *boardtest.Config) { c.SDK = nil }, []string{"--board", "pico"}, exitPass, "taken for tt09"},

		{"no SDK and no board", "pico", func(c *boardtest.Config) { c.SDK = nil }, nil, exitUsage, "without Tiny Tapeout's SDK, so its wiring is not known: say which with --board (pico, tt-demo-rp2350"},
		{"a design on a Pico", "pico", func(c *boardtest.Config) { c.SDK = nil }, []string{"--board", "pico", "--design", "3"}, exitUsage, "says nothing of the shuttle's mux"},
		{"without the design", "tt-demo-tt06", func(c *boardtest.Config) { delete(c.SDK.Designs, project) }, nil, exitBench, "the chip of the shuttle tt09 has no design " + project},
		{"another shuttle", "tt-demo-tt06", func(c *boardtest.Config) { c.SDK.Shuttle = "tt07" }, []string{"--board", "tt-demo-tt06"}, exitBench, "is of the shuttle tt07, and the board tt-demo-tt06 is for tt06, tt08, tt09"},
		{"another shuttle: hint", "tt-demo-tt06", func(c *boardtest.Config) { c.SDK.Shuttle = "tt07" }, []string{"--board", "tt-demo-tt06"}, exitBench, "try --board tt-demo-tt07"},
		{"a shuttle of later years", "tt-demo-tt06", func(c *boardtest.Config) { c.SDK.Shuttle = "ttihp25a" }, nil, exitUsage, "does not know which revision that carries: give --revision"},
		{"a board that nobody knows", "tt-demo-tt06", func(c *boardtest.Config) { c.SDK.Shuttle = "tt99" }, nil, exitBench, "fits no board that the bench knows"},
		{"no SDK, the number is not known", "tt-demo-tt06", func(c *boardtest.Config) { c.SDK, c.Mux.ROM = nil, "shuttle=tt08\n" }, []string{"--board", "tt-demo-tt06"}, exitBench, "does not know the number of " + project + " on tt08: give --design NUMBER"},
		{"a switch that wins", "tt-demo-tt06", func(c *boardtest.Config) { c.Shorts = 0x81 }, nil, exitBench, "something holds ui0, ui7 high against the bench"},
		{"RP2350's pins on an RP2040", "tt-demo-tt06", nil, []string{"--board", "tt-demo-rp2350"}, exitBench, "is it the right board file?"},
		{"a board file for another transport", "tt-demo-tt06", nil, []string{"--board", "mock"}, exitUsage, "is for the transport mock, not for rp2040"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := demo(t, c.board)
			if c.change != nil {
				c.change(&config)
			}
			b := boardtest.Start(t, config)
			args := append([]string{"run", "-t", "rp2040", "--port", b.TTY, "--run", "in32-00000041"}, c.args...)
			code, said := bench(t, args...)
			if code != c.code || !strings.Contains(said, c.want) {
				t.Errorf("exit code %d; want %d, and %q in\n%s", code, c.code, c.want, said)
			}
			if got := b.Lines(); code == exitPass && got != transport.Park {
				t.Errorf("afterwards the lines are %+v; want them parked", got)
			}
			b.Check(t)
		})
	}
}

// The environment stands in for flags.
func TestVariables(t *testing.T) {
	config := demo(t, "pico")
	config.SDK = nil
	b := boardtest.Start(t, config)
	for name, value := range map[string]string{"TRANSPORT": "rp2040", "PORT": b.TTY, "BOARD": "pico", "REVISION": "tt09"} {
		t.Setenv("BENCH_"+name, value)
	}
	if code, said := bench(t, "run", "--run", "in32-00000041"); code != exitPass || !strings.Contains(said, "board pico") {
		t.Errorf("exit code %d, and it says\n%s", code, said)
	}
}

func TestDoctorOnABoard(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*boardtest.Config)
		code   int
		want   []string
	}{
		{"all is well", nil, exitPass, []string{"ok  port and REPL", "ok  firmware         MicroPython 1.27.0 on Raspberry Pi Pico with RP2040, 133 MHz, SDK 2.0.4",
			"ok  board            tt-demo-tt06", "ok  DIP switches", "ok  design           design " + project, "ok  chip ROM         the chip's ROM says tt09",
			"ok  program upload", "ok  chip answers     5 steps", "ok  clock and reset  9 steps", "ok  bus turn-around  11 steps", "ok  parking"}},
		{"a switch", func(c *boardtest.Config) { c.Shorts = 4 }, exitBench, []string{"NO  DIP switches     something holds ui2 high"}},
		{"another chip", func(c *boardtest.Config) { c.SDK.Designs, c.SDK.Enabled = map[string]int{}, "" }, exitBench, []string{"NO  design           the chip of the shuttle tt09 has no design"}},
		{"nothing selected", func(c *boardtest.Config) { c.Mux.Number = 5 }, exitFail, []string{"NO  chip answers     at step 1, reset, uo is 00000000", "so no chip answers: is it powered"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := demo(t, "tt-demo-tt06")
			if c.change != nil {
				c.change(&config)
			}
			b := boardtest.Start(t, config)
			code, said := bench(t, "doctor", "-t", "rp2040", "--port", b.TTY)
			if code != c.code {
				t.Errorf("exit code %d; want %d", code, c.code)
			}
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("no %q in\n%s", want, said)
				}
			}
			b.Check(t)
		})
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	b := boardtest.Start(t, demo(t, "tt-demo-tt06"))
	code, said := bench(t, "info", "--port", b.TTY)
	for _, want := range []string{"Raspberry Pi Pico with RP2040, at 133 MHz, id e660000000000001", "2.0.4, on a board TT06+", "shuttle tt09, commit abcd1234",
		"tt_um_factory_test, number 1", "tt-demo-tt06, Tiny Tapeout demo board"} {
		if code != exitPass || !strings.Contains(said, want) {
			t.Errorf("exit code %d, and no %q in\n%s", code, want, said)
		}
	}
	if code, said := bench(t, "info", "--port", b.TTY, "--json"); code != exitPass || !strings.Contains(said, `"shuttle": "tt09"`) {
		t.Errorf("exit code %d, and as JSON\n%s", code, said)
	}
	if b.Drives("ui0") || b.Drives("clk") {
		t.Error("info drives pins")
	}
}

func TestSafe(t *testing.T) {
	t.Parallel()
	b := boardtest.Start(t, demo(t, "tt-demo-tt06"))
	if code, said := bench(t, "safe", "--port", b.TTY); code != exitPass || said != "rp2040:"+b.TTY+": parked\n" {
		t.Errorf("exit code %d, %q", code, said)
	}
	if b.Lines() != transport.Park || b.Drives("clk") || b.Design() != 1 {
		t.Errorf("the lines are %+v, clk is driven %v, the design is %d; want them parked, no, 1", b.Lines(), b.Drives("clk"), b.Design())
	}
	config := demo(t, "pico")
	config.SDK = nil
	b = boardtest.Start(t, config)
	if code, said := bench(t, "safe", "--port", b.TTY); code != exitPass || !strings.Contains(said, "so all pins were released") || b.Drives("ui0") {
		t.Errorf("of unknown wiring: exit code %d, ui0 driven %v, %q", code, b.Drives("ui0"), said)
	}
}

// The cable is pulled in the middle of a run: an ERROR, and the results so far are written. --resume goes on from there.
func TestPulledCableAndResume(t *testing.T) {
	t.Parallel()
	config := demo(t, "tt-demo-tt06")
	b := boardtest.Start(t, config)
	events := filepath.Join(t.TempDir(), "events.json")
	go func() {
		for b.Edges() < 10_000 { // until some batches are through
			time.Sleep(10 * time.Millisecond)
		}
		b.Unplug()
	}()
	code, said := bench(t, "run", "-t", "rp2040", "--port", b.TTY, "--suite", "forms", "--json", events)
	if code != exitBench || !strings.Contains(said, "ERROR") || !strings.Contains(said, "was the cable pulled") {
		t.Fatalf("exit code %d, and it says\n%s", code, said)
	}
	b = boardtest.Start(t, config)
	code, said = bench(t, "run", "-t", "rp2040", "--port", b.TTY, "--suite", "forms", "--resume", events)
	if code != exitPass || !strings.Contains(said, "vectors passed before, says ") || !strings.Contains(said, "PASS  the chip answered 888 vectors") {
		t.Errorf("resumed: exit code %d, and it says\n%s", code, said)
	}
	config.SDK.Shuttle = "tt08" // another chip on the same board
	b = boardtest.Start(t, config)
	code, said = bench(t, "run", "-t", "rp2040", "--port", b.TTY, "--revision", "tt09", "--suite", "forms", "--resume", events)
	if code != exitUsage || !strings.Contains(said, `the chip's ROM was "tt09, `) || !strings.Contains(said, `and is "tt08, `) {
		t.Errorf("another chip: exit code %d, and it says\n%s", code, said)
	}
}

// The cable is pulled in the middle of a sweep: exit 3, no verdict, and what was done is kept.
func TestPulledCableDuringASweep(t *testing.T) {
	t.Parallel()
	b := boardtest.Start(t, demo(t, "tt-demo-tt06"))
	go func() {
		for b.Edges() < 10_000 { // until the wires are found good, and some batches are through
			time.Sleep(10 * time.Millisecond)
		}
		b.Unplug()
	}()
	state := filepath.Join(t.TempDir(), "state")
	code, said := bench(t, "sweep", "-t", "rp2040", "--port", b.TTY, "--space", "ops", "--depth", "3", "--state", state)
	for _, want := range []string{"bench: in block 0, ", "was the cable pulled", "(0 of 1 block done; the same command goes on from there, by " + state + ")"} {
		if code != exitBench || !strings.Contains(said, want) {
			t.Fatalf("exit code %d, and no %q in\n%s", code, want, said)
		}
	}
}
