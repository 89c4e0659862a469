//go:build unix

package main

import (
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport/rp2040/boardtest"
)

// broken injects faults between a board and its chip.
func broken(wires ...string) func(*boardtest.Config) {
	return func(c *boardtest.Config) { c.Wires = wires }
}

// heldBack makes the chip's design hold low an output that other designs can drive.
func heldBack(c *boardtest.Config) { c.HeldOutputs = 0x08 }

// On a board with a fault, wiring, run and doctor agree. None blames a part that may be good, or cuts a sentence off.
func TestFaultyBoards(t *testing.T) {
	for i, c := range []struct {
		name   string
		change func(*boardtest.Config)
		codes  [3]int // exit codes of wiring, run and doctor
		want   [3]string
		never  string
	}{
		{"the reset does not reach the chip", broken("rst_n=stuck0"), [3]int{exitWiring, exitWiring, exitWiring},
			[3]string{"rst_n is stuck at 0 or open", "rst_n is stuck at 0 or open", "NO  wires            a fault in " +
				"the wires explains the samples of the factory test"}, "ui0 is open"},
		{"an output that is stuck, wherever", broken("uo4=stuck0"), [3]int{exitBench, exitBench, exitBench}, [3]string{
			"the chip's ROM answers with uo4 at 0 in all of its bytes",
			"the chip's ROM answers with uo4 at 0 in all of its bytes",
			"NO  factory test     the output uo4 is at fault, and in the factory test too"}, "no chip's ROM"},
		{"an output that the design holds", heldBack, [3]int{exitFail, exitFail, exitFail}, [3]string{
			"UNCLEAR  the output uo3 is at fault, and the factory test shows both levels there: wire, pin and pad " +
				"are good, " +
				"so it is the design",
			"Before the first vector: the output uo3 is at fault, and the factory test shows both levels there",
			"NO  wires or chip    the output uo3 is at fault, and the factory test shows both levels there"}, "WIRING"},
		{"an open line whose chip's end is high", broken("uio3=open:high"), [3]int{exitWiring, exitWiring, exitWiring},
			[3]string{"uio3 is open", "uio3 is open", "NO  factory test     an open line explains"}, "no " +
				"fault of up"},
		{"clk and rst_n touch", broken("clk~rst_n=and"), [3]int{exitBench, exitBench, exitWiring}, [3]string{
			"clk and rst_n are shorted together", "clk and rst_n are shorted together", "--  this design      it " +
				"does not answer as this design does, which may be that fault"}, "is tt_um_factory_test"},
		{"two inputs touch", broken("ui1~ui2=and"), [3]int{exitBench, exitBench, exitBench}, [3]string{"ui1, ui2",
			"shorted together", "NO  ui lines         ui1, ui2 keep the bench's level only while both have it, so " +
				"they are shorted together"}, "short to ground"},
	} {
		if i%testkit.Pick(6, 1) != 0 {
			continue // a board in bytecode is slow
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for i, command := range [][]string{{"wiring"}, {"run", "--suite", "guide", "--no-history"}, {"doctor"}} {
				if i < testkit.Pick(1, 0) { // doctor checks the wires, too
					continue
				}
				config := demo(t, "tt-demo-rp2350")
				c.change(&config)
				b := boardtest.Start(t, config)
				code, said := bench(t, append(command, "-t", "rp2040:"+b.TTY)...)
				if code != c.codes[i] || !strings.Contains(said, c.want[i]) || strings.Contains(said, c.never) {
					t.Errorf("%s: exit code %d; want %d, %q and no %q in\n%s", command[0], code, c.codes[i], c.want[i],
						c.never, said)
				}
				if !strings.Contains(said, "tt is available") {
					t.Errorf("%s: it does not say how the board is left:\n%s", command[0], said)
				}
				if strings.Contains(said, "NO  factory test") && strings.Contains(said, "ok  this design") {
					t.Errorf("%s: a bad line and a good design behind it:\n%s", command[0], said)
				}
				if slices.ContainsFunc(strings.Split(said, "\n"), func(line string) bool {
					return strings.HasSuffix(strings.TrimSpace(line), ":") && line != "next:"
				}) {
					t.Errorf("%s: a line ends in a colon:\n%s", command[0], said)
				}
			}
		})
	}
}

// If a bad line makes the chip's ROM unreadable, the factory test is found by its number, and names the line.
func TestFactoryTestBehindABadLine(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*boardtest.Config){
		"ui1 and ui2 are swapped": swapped("ui1", "ui2"), "uo4 is stuck at 0": broken("uo4=stuck0")} {
		config := demo(t, "tt-demo-rp2350")
		change(&config)
		b := boardtest.Start(t, config)
		code, said := bench(t, "run", "--suite", "guide", "--no-history", "-t", "rp2040:"+b.TTY)
		if code != exitBench || !strings.Contains(said, "bench wiring --tile factory ") {
			t.Errorf("run: exit code %d\n%s", code, said)
		}
		code, said = bench(t, "wiring", "--tile", "factory", "-t", "rp2040:"+b.TTY)
		if code != exitWiring && code != exitFail || !strings.Contains(said, want) {
			t.Errorf("wiring: exit code %d\n%s", code, said)
		}
	}
}

// bench wiring proves every line of a good board, both with the user's design and with the factory test.
func TestGoodBoardIsProven(t *testing.T) {
	t.Parallel()
	b := boardtest.Start(t, demo(t, "tt-demo-tt06"))
	for _, tile := range []string{"utf", "factory"} {
		code, said := bench(t, "wiring", "-t", "rp2040:"+b.TTY, "--tile", tile, "--json")
		if code != exitPass || !strings.Contains(said, `"verdict": "GOOD"`) || !strings.Contains(said,
			`"unproven": []`) {
			t.Errorf("%s: exit code %d\n%s", tile, code, said)
		}
		text := said[strings.Index(said, "{") : strings.LastIndex(said, "}")+1] // a slow machine also prints progress
		if err := testkit.CheckSchema(testkit.Schema(t, "wiring"), text); err != nil {
			t.Error(err)
		}
	}
}
