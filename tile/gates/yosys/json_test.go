package yosys

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/gates/sim"
)

// Pins of all cells, for the stimulus of TestCells. Pins of the second group are active high in it, whatever their
// letter, so that set and reset are never active together, where simcells.v and silicon disagree.
var (
	plainPins  = []string{"C", "A", "B", "D", "E", "AD"}
	activePins = []string{"S", "R", "L"}
)

// unread matches cells that the commands of script.ys never produce.
var unread = regexp.MustCompile(`^\$_(FF|MUX4|MUX8|MUX16|NMUX|AOI3|OAI3|AOI4|OAI4)_$`)

// A simcell is a module of Yosys' own simcells.v.
type simcell struct {
	name, out string
	in        []string
}

// simcells parses the declarations of Yosys' own models of its simple cells.
func simcells(t *testing.T) (file string, all []simcell) {
	t.Helper()
	path, err := Find()
	if err != nil {
		t.Skip(err)
	}
	file = filepath.Join(filepath.Dir(path), "..", "share", "yosys", "simcells.v")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip(err)
	}
	module := regexp.MustCompile(`(?m)^module \\(\$_\w+_) \(([^)]*)\);`)
	for _, m := range module.FindAllStringSubmatch(string(text), -1) {
		c := simcell{name: m[1], out: "Q"}
		for _, pin := range strings.Split(m[2], ",") {
			switch pin = strings.TrimSpace(pin); pin {
			case "Y", "Q":
				c.out = pin
			default:
				c.in = append(c.in, pin)
			}
		}
		if !unread.MatchString(c.name) {
			all = append(all, c)
		}
	}
	return file, all
}

// inverted reports whether a pin of the second group is active low.
func (c *simcell) inverted(pin string) bool {
	h, letters, is := findHolder(c.name)
	at := strings.Index(h.letters, pin)
	return is && slices.Contains(activePins, pin) && at >= 0 && letters[at] == 'N'
}

// netlistOf returns all cells in the format of write_json. Pins are the bits from 2 on; bit n+100 is the inverse of n.
func netlistOf(t *testing.T, all []simcell) []byte {
	pins := slices.Concat(plainPins, activePins)
	type object = map[string]any
	cells, ports := object{}, object{}
	wire := func(dir string, bits ...int) map[string]any { return map[string]any{"direction": dir, "bits": bits} }
	for i, pin := range pins {
		ports[pin] = wire("input", 2+i)
		at := map[string][]int{"A": {2 + i}, "Y": {102 + i}}
		cells["not_"+pin] = object{"type": "$_NOT_", "connections": at}
	}
	var outs []int
	for i, c := range all {
		at := map[string][]int{c.out: {1000 + i}}
		for _, pin := range c.in {
			bit := 2 + slices.Index(pins, pin)
			if c.inverted(pin) {
				bit += 100
			}
			at[pin] = []int{bit}
		}
		cells[c.name] = map[string]any{"type": c.name, "connections": at}
		outs = append(outs, 1000+i)
	}
	ports["out"] = wire("output", outs...)
	return testkit.Must(json.Marshal(object{"modules": object{"t": object{"ports": ports, "cells": cells}}}))(t)
}

// icarus simulates all cells with simcells.v, and returns an output line for each change of a pin.
func icarus(t *testing.T, file string, all []simcell, changes []string) []string {
	t.Helper()
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module t;\nreg %s;\nwire [%d:0] out;\n",
		strings.Join(slices.Concat(plainPins, activePins), "=0, ")+"=0", len(all)-1)
	for i, c := range all {
		at := fmt.Sprintf(".%s(out[%d])", c.out, i)
		for _, pin := range c.in {
			sign := ""
			if c.inverted(pin) {
				sign = "~"
			}
			at += fmt.Sprintf(", .%s(%s%s)", pin, sign, pin)
		}
		fmt.Fprintf(&b, "\\%s c%d (%s);\n", c.name, i, at)
	}
	b.WriteString("initial begin #1;\n")
	for _, pin := range changes {
		fmt.Fprintf(&b, "%s = ~%s; #1 $display(\"%%b\", out);\n", pin, pin)
	}
	b.WriteString("end\nendmodule\n")
	bench, out := filepath.Join(t.TempDir(), "t.v"), filepath.Join(t.TempDir(), "t")
	if err := os.WriteFile(bench, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("iverilog", "-g2012", "-s", "t", "-o", out, bench, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	text := testkit.Must(exec.Command("vvp", "-n", out).Output())(t)
	return strings.Fields(string(text))
}

// stimulus changes one pin at a time. Set, reset and load are never active together, and data do not change during a
// load, since models of simcells.v react only to edges.
func stimulus(n int) (changes []string) {
	rnd := rand.New(rand.NewPCG(1, 2))
	acting := ""
	for len(changes) < n {
		pins := slices.Concat(plainPins, plainPins, activePins)
		pin := pins[rnd.IntN(len(pins))]
		active := slices.Contains(activePins, pin)
		switch {
		case active && acting == pin:
			acting = ""
		case active && acting != "", pin == "AD" && acting == "L":
			continue
		case active:
			acting = pin
		}
		changes = append(changes, pin)
	}
	return changes
}

// warmUp is the number of changes before the comparison: latches of simcells.v wait for the first change of a pin.
const warmUp = 200

// TestCells compares each simple cell with Yosys' own model in Icarus.
func TestCells(t *testing.T) {
	file, all := simcells(t)
	if len(all) < 100 {
		t.Fatalf("%s has %d cells", file, len(all))
	}
	changes := stimulus(4000)
	want := icarus(t, file, all, changes)
	c := testkit.Must(ParseJSON(netlistOf(t, all), "t"))(t)
	var inputs []sim.Net
	for _, pin := range slices.Concat(plainPins, activePins) {
		inputs = append(inputs, c.Port(pin)[0])
	}
	p := testkit.Must(sim.Compile(c, inputs, 1))(t)
	m, level := sim.NewMachine(p, nil), map[string]uint64{}
	known := make([]int, len(all))
	for at, pin := range changes {
		level[pin] = ^level[pin]
		m.Set(c.Port(pin)[0], sim.Level(level[pin]))
		m.Event(p.Cone(p.Inputs(), false))
		for i, n := range c.Port("out") {
			is := want[at][len(all)-1-i]
			got := m.Level(n)
			switch {
			case at < warmUp, got.Hi&got.Lo&1 != 0:
			case byte('0'+got.Hi&1) == is:
				known[i]++
			default:
				t.Fatalf("%s: change %d, of %s: got %d, want %c", all[i].name, at, pin, got.Hi&1, is)
			}
		}
	}
	for i, n := range known {
		if least := len(changes) / 3; n < least {
			t.Errorf("%s: only %d levels of %d are known", all[i].name, n, len(changes))
		}
	}
}
