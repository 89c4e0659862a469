//go:build unix

package main

import (
	"fmt"
	"path/filepath"
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

// demo returns the configuration of a demo board as shipped, with a chip of the shuttle tt09. An RP2350 has SDK 3.0.6,
// which knows that shuttle; other boards have 2.0.4.
func demo(t *testing.T, board string) boardtest.Config {
	t.Helper()
	b := testkit.Must(boards.Open(board))(t)
	pins, _, err := b.PinNumbers()
	if err != nil {
		t.Fatal(err)
	}
	c := boardtest.Config{Pins: pins, SDK: &boardtest.SDK{Version: "2.0.4"}}
	if board == "tt-demo-rp2350" {
		c.Machine = "TinyTapeout RP2350B Core with RP2350"
		c.SDK = &boardtest.SDK{Version: "3.0.6", Designs: map[string]int{utf.TT09.Project(): 897,
			"tt_um_factory_test": 1}}
	}
	if b.Mux != nil {
		n := testkit.Must(b.MuxPinNumbers())(t)
		c.Mux = &boardtest.Mux{NRst: n[0], Inc: n[1], Ena: n[2], Select: n[3], Number: 897, ROM: romOf("tt09")}
	}
	return c
}

func romOf(shuttle string) string {
	return "shuttle=" + shuttle + "\nrepo=TinyTapeout/tinytapeout-" + strings.TrimPrefix(shuttle, "tt") +
		"\ncommit=c9701782\n"
}

const allOutputs = "uo0-uo7,uio0-uio7" // a few vectors do not compare all outputs at both levels

// On a board as shipped, bench selects the design and runs one suite, or all with --full, and then parks the board.
func TestDemoBoardOutOfTheBox(t *testing.T) {
	t.Parallel()
	config := demo(t, "tt-demo-rp2350")
	config.Switches, config.E9 = 0x08, true
	b := boardtest.Start(t, config)
	args, all, judged := []string{"run", "-t", "rp2040:" + b.TTY, "--suite", "structural"}, 185, 175
	if testkit.Pick(0, 1) > 0 {
		args, all, judged = args[:3], 8307, 8262
	}
	code, said := bench(t, args...)
	for _, want := range []string{
		fmt.Sprintf("rp2040:%s, board tt-demo-rp2350, compared with the tt09 model: %d vectors", b.TTY, all),
		"design " + utf.TT09.Project() + ", number 897 of tt09 is selected",
		"the SDK clocked the project at 10 Hz: stopped",
		"the chip's ROM says tt09, commit c9701782, so its revision is tt09",
		"ui3 held high by something that gives way",
		fmt.Sprintf("PASS  the chip answered %d vectors", judged),
		"rp2040:" + b.TTY + ": the chip is parked, and the SDK's tt is available",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if code != exitPass || t.Failed() {
		t.Errorf("exit code %d, and it says\n%s", code, said)
	}
	if b.Lines().Reset != true || b.Drives("clk") || b.Design() != 897 {
		t.Errorf("afterwards the lines are %+v, clk is driven %v, the design is %d; want them parked, no, 897",
			b.Lines(), b.Drives("clk"), b.Design())
	}
	b.Check(t)
}

func without(c *boardtest.Config) { c.SDK = nil }

// of puts a chip of another shuttle on a board; this project's design has the given number on it.
func of(shuttle string, number int, rev model.Revision) func(*boardtest.Config) {
	return func(c *boardtest.Config) {
		c.Mux.ROM, c.Mux.Number, c.Revision = romOf(shuttle), number, rev
		if c.SDK != nil && c.SDK.Designs != nil {
			c.SDK.Designs = map[string]int{utf.TT09.Project(): number, "tt_um_factory_test": 1}
		}
	}
}

func sdk(s boardtest.SDK) func(*boardtest.Config) {
	return func(c *boardtest.Config) { c.SDK = &s }
}

func both(changes ...func(*boardtest.Config)) func(*boardtest.Config) {
	return func(c *boardtest.Config) {
		for _, change := range changes {
			change(c)
		}
	}
}

func TestDemoBoards(t *testing.T) {
	indexed := map[string]int{utf.TT09.Project(): 897, "tt_um_factory_test": 1}
	for i, c := range []struct {
		name   string
		board  string
		change func(*boardtest.Config)
		args   []string
		code   int
		want   string
	}{
		{"SDK 2 without the index", "tt-demo-tt06", nil, nil, exitPass, "number 897 of tt09 is selected"},
		{"SDK 1 without the index", "tt-demo-tt06", sdk(boardtest.SDK{Version: "1.2.2"}), nil, exitPass,
			"number 897 of tt09 is selected"},
		{"SDK 2 and a clock", "tt-demo-tt06", sdk(boardtest.SDK{Version: "2.0.4", Designs: indexed}), nil, exitPass,
			"the SDK clocked the project at 10 Hz: stopped"},
		{"by number", "tt-demo-rp2350", nil, []string{"--design", "897"}, exitPass, "number 897 of tt09"},
		{"tt08", "tt-demo-tt06", of("tt08", 901, model.TT08), nil, exitPass, "compared with the tt08 model"},
		{"tt08's logic on ttcad25a", "tt-demo-rp2350", of("ttcad25a", 903, model.TT08), nil, exitPass,
			"compared with the tt08 model"},
		{"ttsky25b", "tt-demo-rp2350", of("ttsky25b", 207, model.TT09), nil, exitPass, "number 207 of ttsky25b"},
		{"a revision that nobody knows", "tt-demo-rp2350", of("ttsky26b", 704, model.TT08), nil, exitPass,
			"it answers as tt08 does where the revisions differ, so it is compared with tt08"},
		{"and the other", "tt-demo-rp2350", of("ttsky26b", 704, model.TT09), nil, exitPass, "it answers as tt09 does " +
			"where the revisions differ, so it is compared with tt09"},
		{"a ROM that is a copy", "tt-demo-rp2350", both(of("ttihp0p1", 33, model.TT09),
			func(c *boardtest.Config) { c.SDK.Designs = nil }), nil, exitBench,
			"the shuttle ttihp0p1 of the chip has no design " + utf.TT09.Project()},
		{"a ROM that is a copy, by number", "tt-demo-rp2350", of("ttihp0p1", 33, model.TT09), []string{"--design", "33",
			"--revision", "tt09"}, exitPass, "design 33"},
		{"the ROM is forced to another", "tt-demo-rp2350", func(c *boardtest.Config) { c.SDK.Force = "tt08" }, nil,
			exitPass, "the SDK takes the chip for tt08, and the chip's ROM says tt09, which counts"},
		{"no ROM", "tt-demo-rp2350", func(c *boardtest.Config) { c.Mux.ROM = "" }, nil, exitBench,
			"no chip's ROM answers, so the number of " + utf.TT09.Project() + " is not known: is the carrier with " +
				"the chip on the board, and is it a board tt-demo-rp2350"},

		{"tt is None", "tt-demo-tt06", sdk(boardtest.SDK{Version: "2.0.4", TT: "None"}), nil, exitPass,
			"tt was missing, so main.py was run as at power-up"},
		{"tt is not there", "tt-demo-tt04", both(sdk(boardtest.SDK{Version: "1.2.2", TT: "absent"}),
			of("tt05", 33, model.TT09)), []string{"--design", "33", "--revision", "tt09"}, exitPass,
			"tt was missing, so main.py was run"},

		{"TT04's board", "tt-demo-tt04", of("tt05", 33, model.TT09), []string{"--design", "33", "--revision", "tt09"},
			exitPass, "board tt-demo-tt04"},
		{"TT04's board without SDK", "tt-demo-tt04", both(without, of("tt05", 33, model.TT09)),
			[]string{"--board", "tt-demo-tt04", "--design", "33", "--revision", "tt09"}, exitPass,
			"of tt05 is selected"},
		{"tt07, by its ROM", "tt-demo-tt07", of("tt07", 33, model.TT09), []string{"--design", "33", "--revision",
			"tt09"}, exitPass, "board tt-demo-tt07"},
		{"no SDK, tt09's number is known", "tt-demo-tt06", without, []string{"--board", "tt-demo-tt06"}, exitPass,
			"number 897 of tt09 is selected"},
		{"RP2350 without SDK", "tt-demo-rp2350", without, []string{"--board", "tt-demo-rp2350"}, exitPass,
			"number 897 of tt09 is selected"},
		{"a Pico wired by hand", "pico", without, []string{"--board", "pico"}, exitPass, "taken for tt09"},
		{"little memory", "tt-demo-tt06", func(c *boardtest.Config) { c.FreeMemory = 16_000 }, nil, exitPass,
			"the chip is parked, without tt until main.py runs again: bench park --reboot"},

		{"dangerous", "tt-demo-tt06", of("tt08", 526, model.TT08), []string{"--design", "526"}, exitBench,
			"design tt_um_08_sws, number 526 is marked with the danger level medium, so it can damage the chip, and " +
				"is not selected: --insist"},
		{"dangerous, and insisted", "tt-demo-tt06", of("tt08", 526, model.TT08),
			[]string{"--design", "526", "--insist", "--revision", "tt08"}, exitPass,
			"design tt_um_08_sws, number 526 of tt08 is selected"},
		{"another design there", "tt-demo-rp2350",
			func(c *boardtest.Config) { c.Mux.Number, c.Mux.OtherDriver = 5, 897 }, nil, exitBench,
			"what answers is not this design, or too broken to tell"},
		{"a design that answers nothing", "tt-demo-rp2350", func(c *boardtest.Config) { c.Mux.Number = 5 }, nil,
			exitBench, "number 897 of tt09 is " + utf.TT09.Project() +
				" by the shuttle index\n  the factory test passes, so board and cable are good"},
		{"which is judged all the same", "tt-demo-rp2350", func(c *boardtest.Config) { c.Mux.Number = 5 },
			[]string{"--insist"}, exitFail, "the factory test shows every suspected wire to be good"},
		{"the FPGA breakout", "tt-demo-rp2350", func(c *boardtest.Config) { c.SDK.Carrier = "FPGA" }, nil, exitUsage,
			"the board carries the FPGA breakout and no chip: load a bitstream by the SDK"},
		{"no carrier", "tt-demo-rp2350", func(c *boardtest.Config) { c.SDK.Carrier = "none" }, nil, exitBench,
			"the SDK 3.0.6 found no carrier with a chip on the board when it started: is it plugged in? bench park " +
				"--reboot looks again"},

		{"no SDK and no board", "pico", without, nil, exitUsage, "without Tiny Tapeout's SDK, so its wiring is not " +
			"known: say which with --board (pico, tt-demo-rp2350"},
		{"a design on a Pico", "pico", without, []string{"--board", "pico", "--design", "3"}, exitUsage,
			"does not describe the shuttle's mux"},
		{"a design of other shuttles", "tt-demo-rp2350", nil, []string{"--design", "tt_um_nobody"}, exitBench,
			"the shuttle tt09 of the chip has no design tt_um_nobody"},
		{"a number that no mux has", "tt-demo-rp2350", nil, []string{"--design", "1024"}, exitUsage,
			"--design 1024: a number on the mux is 1 to 1023"},
		{"another board's shuttle", "tt-demo-tt06", of("tt05", 33, model.TT09), []string{"--board", "tt-demo-tt06"},
			exitBench, "is of the shuttle tt05, and the board tt-demo-tt06 is for tt06, tt08, tt09"},
		{"another board's shuttle: hint", "tt-demo-tt06", of("tt05", 33, model.TT09),
			[]string{"--board", "tt-demo-tt06"}, exitBench, "try --board tt-demo-tt04"},
		{"a switch that wins", "tt-demo-rp2350", func(c *boardtest.Config) { c.Shorts = 0x81 }, nil, exitBench,
			"something holds ui0, ui7 high against the bench"},
		{"a PMOD on uio", "tt-demo-rp2350", pmod(boardtest.Pmod{High: 0x0800}), nil, exitWiring,
			"uio3 is stuck at 1 or open (uio3 at GPIO28, PMOD header J12 pin 4), or a module in the uio " +
				"PMOD header drives it: unplug that"},
		{"RP2350's pins on an RP2040", "tt-demo-tt06", nil, []string{"--board", "tt-demo-rp2350"}, exitUsage,
			"is a tt-demo-tt06, as its SDK says: omit --board"},
		{"a board file for another transport", "tt-demo-tt06", nil, []string{"--board", "mock"}, exitUsage,
			"is for the transport mock, not for rp2040"},
	} {
		if i%testkit.Pick(17, 1) != 0 {
			continue // a board in bytecode is slow
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := demo(t, c.board)
			if c.change != nil {
				c.change(&config)
			}
			b := boardtest.Start(t, config)
			args := append([]string{"run", "-t", "rp2040:" + b.TTY, "--run", "in32-00000041",
				"--accept-weak", allOutputs}, c.args...)
			code, said := bench(t, args...)
			if code != c.code || !strings.Contains(said, c.want) {
				t.Errorf("exit code %d; want %d, and %q in\n%s", code, c.code, c.want, said)
			}
			if got := b.Lines(); code == exitPass && got != transport.ParkStep {
				t.Errorf("afterwards the lines are %+v; want them parked", got)
			}
			b.Check(t)
		})
	}
}

func init() { revive = boardtest.Revive }

// pmod plugs a module into the board's headers.
func pmod(p boardtest.Pmod) func(*boardtest.Config) {
	return func(c *boardtest.Config) { c.Pmod = p }
}

func TestDoctorOnABoard(t *testing.T) {
	for i, c := range []struct {
		name   string
		change func(*boardtest.Config)
		code   int
		want   []string
	}{
		{"all is well", nil, exitPass, []string{"ok  port and REPL", "ok  firmware         MicroPython 1.27.0 on " +
			"TinyTapeout RP2350B Core with RP2350, 133 MHz, id ", "ok  SDK              3.0.6, ",
			"ok  board            tt-demo-rp2350", "ok  ui lines         nothing holds one, no DIP switch and no PMOD",
			"ok  design           design " + utf.TT09.Project(),
			"ok  chip ROM         the chip's ROM says tt09", "ok  program upload", "ok  factory test     371 steps: " +
				"every line, clk and rst_n reach the chip", "ok  this design      it answers as this design does",
			"ok  uio lines        nothing drives them against the bench", "ok  parking          the chip is " +
				"parked, and the SDK's tt is available"}},
		{"erratum E9", func(c *boardtest.Config) { c.E9 = true }, exitPass,
			[]string{"ok  ui lines         nothing holds one"}},
		{"erratum E9 and a switch", func(c *boardtest.Config) { c.E9, c.Switches = true, 0x10 }, exitPass,
			[]string{"--  ui lines         ui4 held high by something that gives way: switch its DIP switch off, "}},
		{"a short", func(c *boardtest.Config) { c.Shorts = 4 }, exitBench,
			[]string{"NO  ui lines         something holds ui2 high against the bench: unplug " +
				"the ui PMOD header, switch the board's DIP switches off, and look for a short to the supply"}},
		{"a PMOD that holds an input low", pmod(boardtest.Pmod{Low: 0x05}), exitBench,
			[]string{"NO  ui lines         something holds ui0, ui2 low against the bench, which no DIP switch does: " +
				"unplug the ui PMOD header"}},
		{"a PMOD that holds inputs both ways", pmod(boardtest.Pmod{Low: 0x01, High: 0x80}), exitBench,
			[]string{"NO  ui lines         something holds ui7 high and ui0 low against the bench: unplug"}},
		{"a PMOD that moves an input", pmod(boardtest.Pmod{Moving: 0x20}), exitPass,
			[]string{"--  ui lines         ui5 seen changing while released, which no DIP switch does: "}},
		{"a PMOD that drives uio", pmod(boardtest.Pmod{High: 0x0800, Low: 0x4000}), exitWiring,
			[]string{"NO  uio lines        something drives uio3 high and uio6 low against the bench, and the " +
				"chip is in reset and drives none: unplug the uio PMOD header, and look for a short"}},
		{"a PMOD that drives a line of uio, by the factory test", pmod(boardtest.Pmod{High: 0x0800}), exitWiring,
			[]string{"uio3 is stuck at 1 or open", "or a module in the uio PMOD header drives it: unplug that"}},
		{"a PMOD with pull-ups, and erratum E9", both(pmod(boardtest.Pmod{Pulled: 0x0300}),
			func(c *boardtest.Config) { c.E9 = true }), exitPass,
			[]string{"ok  uio lines        nothing drives them against the bench"}},
		{"another chip", both(of("tt06", 1000, model.TT09), func(c *boardtest.Config) { c.SDK.Designs = nil }),
			exitBench, []string{"NO  design           the shuttle tt06 of the chip has no design " +
				utf.TT09.Project()}},
		{"nothing selected", func(c *boardtest.Config) { c.Mux.Number = 5 }, exitBench,
			[]string{"NO  this design      what answers is not this design, or too broken to tell",
				"the factory test passes, so board and cable are good: it is the design, or its number"}},
	} {
		if i%testkit.Pick(12, 1) != 0 {
			continue // a board in bytecode is slow
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := demo(t, "tt-demo-rp2350")
			if c.change != nil {
				c.change(&config)
			}
			b := boardtest.Start(t, config)
			code, said := bench(t, "doctor", "-t", "rp2040:"+b.TTY)
			if code != c.code {
				t.Errorf("exit code %d; want %d, and it says\n%s", code, c.code, said)
			}
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("no %q in\n%s", want, said)
				}
			}
			if well := strings.Contains(said, "\nnext:\n  bench run -t rp2040"); well != (code == exitPass) {
				t.Errorf("exit code %d, and what to do next is said: %v\n%s", code, well, said)
			}
			b.Check(t)
		})
	}
}

// If a board's SDK is about to start, the bench waits for its prompt.
func TestStartUnderWay(t *testing.T) {
	testkit.SkipUnlessFull(t)
	t.Parallel()
	config := demo(t, "tt-demo-rp2350")
	config.SDK.Start = 4 * time.Second
	b := boardtest.Start(t, config)
	code, said := bench(t, "run", "-t", "rp2040:"+b.TTY, "--run", "in32-00000041", "--accept-weak", allOutputs)
	if code != exitPass || !strings.Contains(said, "is selected") || strings.Contains(said, "main.py was run") {
		t.Errorf("exit code %d, and it says\n%s", code, said)
	}
	b.Check(t)
}

// After a Ctrl-C during its start, the SDK does not know the shuttle. doctor says so, and a run reads the ROM itself.
func TestRuinedStart(t *testing.T) {
	testkit.SkipUnlessFull(t)
	t.Parallel()
	config := demo(t, "tt-demo-rp2350")
	config.SDK.Interrupted = "ROM"
	b := boardtest.Start(t, config)
	code, said := bench(t, "doctor", "-t", "rp2040:"+b.TTY)
	if want := "the SDK cannot tell the shuttle"; code != exitPass || !strings.Contains(said, want) {
		t.Errorf("exit code %d, and no %q in\n%s", code, want, said)
	}
	code, said = bench(t, "run", "-t", "rp2040:"+b.TTY, "--run", "in32-00000041", "--accept-weak", allOutputs)
	if want := "the SDK cannot tell the shuttle, and the chip's ROM says tt09"; code != exitPass ||
		!strings.Contains(said, want) {
		t.Errorf("exit code %d, and no %q in\n%s", code, want, said)
	}
	b.Check(t)
}

func TestSafe(t *testing.T) {
	t.Parallel()
	b := boardtest.Start(t, demo(t, "tt-demo-rp2350"))
	if code, said := bench(t, "park", "-t", "rp2040:"+b.TTY); code != exitPass ||
		said != "rp2040:"+b.TTY+": the chip is parked, and the SDK's tt is available\n" {
		t.Errorf("exit code %d, %q", code, said)
	}
	if b.Lines() != transport.ParkStep || b.Drives("clk") || b.Design() != 1 {
		t.Errorf("the lines are %+v, clk is driven %v, the design is %d; want them parked, no, 1", b.Lines(),
			b.Drives("clk"), b.Design())
	}
	if code, said := bench(t, "park", "--reboot", "-t", "rp2040:"+b.TTY); code != exitPass ||
		said != "rp2040:"+b.TTY+": main.py was run, and the SDK's tt is available\n" || !b.Drives("clk") {
		t.Errorf("reboot: exit code %d, clk driven %v, %q", code, b.Drives("clk"), said)
	}
	b.Check(t)
	config := demo(t, "pico")
	config.SDK = nil
	b = boardtest.Start(t, config)
	if code, said := bench(t, "park", "-t", "rp2040:"+b.TTY); code != exitPass ||
		!strings.Contains(said, "so all pins were released") || b.Drives("ui0") {
		t.Errorf("of unknown wiring: exit code %d, ui0 driven %v, %q", code, b.Drives("ui0"), said)
	}
}

// If the cable is pulled during a run, the run is an ERROR.
func TestPulledCable(t *testing.T) {
	t.Parallel()
	b := boardtest.Start(t, demo(t, "tt-demo-rp2350"))
	events := filepath.Join(t.TempDir(), "events.json")
	go func() {
		for b.Edges() < 4_000 { // some batches have passed
			time.Sleep(10 * time.Millisecond)
		}
		b.Unplug()
	}()
	code, said := bench(t, "run", "-t", "rp2040:"+b.TTY, "--suite", "forms", "--run", "utf16", "--json", events)
	if code != exitBench || !strings.Contains(said, "ERROR") || !strings.Contains(said, "was the cable pulled") {
		t.Fatalf("exit code %d, and it says\n%s", code, said)
	}
	if strings.Contains(said, ": the chip is parked") || !strings.Contains(said, "it is not known whether the chip is "+
		"parked, since the board did not say so") {
		t.Errorf("after the cable was pulled it says\n%s", said)
	}
}
