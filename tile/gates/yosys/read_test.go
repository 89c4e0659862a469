package yosys

import (
	"fmt"
	"strings"
	"testing"

	"utfbench/tile/gates/sim"
)

func oneModule(ports, cells string) string {
	return fmt.Sprintf(`{"modules": {"t": {"ports": {%s}, "cells": {%s}, "netnames": {
		"count": {"hide_name": 0, "bits": [7, 8], "attributes": {"src": "a.v:9.3-9.8"}}}}}}`, ports, cells)
}

const inAndOut = `"a": {"direction": "input", "bits": [2]}, "y": {"direction": "output", "bits": [3, 2, "0", "x", "z"]}`

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "the JSON of Yosys: EOF"},
		{`{"modules": {}}`, "the JSON of Yosys has no module t"},
		{oneModule(`"a": {"direction": "in", "bits": [2]}`, ""),
			`port a: direction "in": allowed are input, output and inout`},
		{oneModule(`"a": {"direction": "input", "bits": ["1"]}`, ""),
			"port a: it is an input, but the sources drive it"},
		{oneModule(`"a": {"direction": "input", "bits": ["w"]}`, ""), `"\"w\"" is no bit: allowed are`},
		{oneModule(`"a": {"direction": "input", "bits": [-4]}`, ""), `"-4" is no bit`},
		{oneModule(inAndOut, `"u": {"type": "RAM32", "attributes": {"src": "a.v:5.1-6.2"}}`),
			"a.v:5: cell u (RAM32): utfbench does not know cells of this type"},
		{oneModule(inAndOut, `"u": {"type": "$_SDFF_PX0_"}`), "cell u ($_SDFF_PX0_): utfbench does not know cells"},
		{oneModule(inAndOut, `"$1": {"type": "$_NOT_", "connections": {"Y": [8]}}`), "cell $1 ($_NOT_) has no pin A"},
		{oneModule(inAndOut, `"u": {"type": "$_NOT_", "connections": {"A": [2, 3], "Y": [8]}}`),
			"cell u ($_NOT_): pin A has 2 bits (want 1)"},
		{oneModule(inAndOut, `"u": {"type": "$_NOT_", "connections": {"A": [2], "Y": ["0"]}}`),
			"cell u ($_NOT_) drives a constant with its pin Y"},
	} {
		if _, err := ParseJSON([]byte(c.text), "t"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// ParseJSON gives the right drivers to outputs that are constants, or share a bit with another port.
func TestReadPorts(t *testing.T) {
	c, err := ParseJSON([]byte(oneModule(inAndOut, `"$1": {"type": "$_NOT_", "attributes":
		{"src": "a.v:5.1-6.2|/usr/share/yosys/techmap.v:3.4-5.6"}, "connections": {"A": [2], "Y": [8]}}`)), "t")
	if err != nil {
		t.Fatal(err)
	}
	y := c.Port("y")
	driven := map[sim.Net]sim.Kind{}
	for _, cell := range c.Cells {
		driven[cell.Out] = cell.Kind
	}
	for i, want := range []sim.Kind{0: sim.Unknown, 1: sim.Buf, 2: sim.Buf, 3: sim.Unknown} {
		if kind, is := driven[y[i]]; kind != want || is != (i > 0) {
			t.Errorf("y[%d] is driven by kind %d, %v; want %d", i, kind, is, want)
		}
	}
	if _, is := driven[y[4]]; is {
		t.Error("what nobody drives is driven")
	}
	if got := c.Describe(int32(len(c.Parts) - 1)); got != "cell count[1] ($_NOT_, a.v:5)" {
		t.Error(got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(oneModule(inAndOut, `"u": {"type": "$_SDFFCE_PN1P_", "connections":
		{"C": [2], "D": ["x"], "Q": [3], "R": [4], "E": ["z"]}}`))
	f.Add(oneModule(inAndOut, `"u": {"type": "sky130_fd_sc_hd__ebufn_2", "connections":
		{"A": [2], "TE_B": [9], "Z": [3]}}`))
	f.Add(oneModule(inAndOut, `"u": {"type": "$_ALDFFE_PNP_", "connections":
		{"C": [2], "D": [2], "Q": [3], "L": [4], "E": [5], "AD": [6]}}`))
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseJSON([]byte(text), "t")
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		if err := c.Check(); err != nil {
			t.Error(err)
		}
	})
}
