package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/boards"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/cmdline"
	"utfbench/internal/failure"
	"utfbench/internal/settings"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
)

// A target is the chip that a command works on, as its flags name it.
type target struct {
	station.Target
	design *design
	runs   runFinder // for replay
}

// kinds are the transports that a user may name.
var kinds = native.Kinds()

// prepare gives the fields their defaults, for a command about a design.
func (t *target) prepare(d *design) { t.Target, t.design = native.New("mock"), d }

func (t *target) flags(cmd *cobra.Command, d *design) {
	t.prepare(d)
	f := cmd.Flags()
	f.StringVarP(&t.Transport, "transport", "t", t.Transport, "how to reach the chip, KIND[:WHERE] of "+
		strings.Join(native.KindNames(), ", ")+", or auto; mock[:tt08|tt09] is the "+
		"reference in memory,\nrp2040[:PORT] a board with MicroPython,\n"+
		"gpio[:registers|:lines|:pins] the lines of this machine, such as a Raspberry Pi's header,\n"+
		"verilog:FILE,... a simulation,\n"+
		"replay:RUN what bench run --record wrote, or a run of the history by its number,\n"+
		"lab:BOARD a board that another machine has, see bench lab,\nauto the demo board that is plugged in")
	transport := f.Lookup("transport")
	transport.Value = onceValue{transport.Value, transport}
	t.otherFlags(cmd)
}

// A onceValue is a flag that a command line has once: of two chips only one would be tested.
type onceValue struct {
	pflag.Value
	flag *pflag.Flag
}

// Set implements pflag.Value.
func (v onceValue) Set(text string) error {
	if v.flag.Changed && v.String() != text {
		return failure.Usagef("it is given already, as %s: bench matrix tests several chips with the same vectors", v)
	}
	return v.Value.Set(text)
}

// otherFlags adds the flags of a target besides its transport.
func (t *target) otherFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	tileFlag(f)
	f.StringVar(&t.Board, "board", "", "pin map: "+strings.Join(boards.Names(), ", ")+", or the path of a YAML file "+
		"(default: the transport's, or as detected)")
	f.StringVar(&t.Revision, "revision", "", "revision of the chip to compare with, tt08 or tt09 (default: as the "+
		"chip's ROM or the board says)")
	t.simulationFlags(cmd)
	f.StringArrayVar(&t.Faults, "fault", nil, "inject a fault into the mock, e.g. uo3=stuck1; can be given more than "+
		"once\n"+strings.ReplaceAll(tile.Bits(usual).Syntax(), "; ", ";\n"))
	f.Uint64Var(&t.Seed, "seed", 0, "seed for random faults (default: a new one, printed)")
	t.demoFlags(cmd)
	f.DurationVar(&t.Settle, "settle", t.Settle, "for gpio and rp2040: how long changed levels settle, at least; the "+
		"wires ring, and the shuttle's mux takes its time")
	f.DurationVar(&t.Pulse, "pulse", t.Pulse, "for gpio and rp2040: how long each half of a clock pulse is, at "+
		"least; for the same reasons")
	f.StringVar(&t.Lab.Invitation, "invite", "", "for lab: invitation to it (default: BENCH_LAB, or the one that was "+
		"used last)")
	f.BoolVar(&t.Lab.Wait, "wait", false, "for lab: wait for a board that somebody else has")
	f.StringVar(&t.Speed.At, "at", "", "for mock: ask at speed, with this clock: a frequency or a period, such as "+
		"20MHz or 50ns, or author for what the tile's author states")
	f.StringVar(&t.Speed.Sample, "sample", "", "with --at: from the rising edge of clk to the sample; may be longer "+
		"than the period (default: when clk falls)")
	f.StringVar(&t.Speed.Lead, "lead", "", "with --at: from a change of the inputs to the rising edge of clk "+
		"(default: half a period)")
}

// demoFlags adds the flags of the transport rp2040.
func (t *target) demoFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.Port, "port", "", "serial port of an rp2040 board: device, VID:PID:SERIAL or serial number "+
		"(default: the only board; see bench ports)")
	f.DurationVar(&t.Patience, "patience", t.Patience, "for an answer of an rp2040 board, and in proportion for its "+
		"start; without one the run ends in ERROR")
	f.StringVar(&t.Design, "design", "", "design to select on the shuttle's chip, by name or number (see bench "+
		"designs); none keeps the selection (default: "+tile.Tile(usual).(tile.Fabricated).Project()+")")
	f.BoolVar(&t.Insist, "insist", false, "override the safety checks: select a design that is marked as "+
		"dangerous, judge a chip that is or behaves as another design, sample after the next change of the inputs")
}

// simulationFlags adds the flags of a Verilog design; its files come with --transport.
func (t *target) simulationFlags(cmd *cobra.Command) {
	f, c := cmd.Flags(), &t.Simulation
	f.StringVar(&c.Top, "top", "", "verilog: top module of the design (default: the only one with a tile's ports)")
	f.StringVar(&c.Simulator, "simulator", c.Simulator, "verilog: "+strings.Join(native.Simulators(), ", ")+
		"; auto is Icarus if it is installed, else Verilator")
	f.StringArrayVar(&c.Defines, "define", nil, "verilog: define a macro, NAME or NAME=VALUE, such as "+
		"GL_TEST; can be given more than once")
	f.StringArrayVar(&c.Includes, "include", nil, "verilog: folder of include files; can be given more than once")
	f.StringArrayVar(&c.Cells, "cells", nil, "verilog: file of cell models, a simulator's -v (-l for "+
		"iverilog); can be given more than once")
	f.StringArrayVar(&c.CellsDirs, "cells-dir", nil, "verilog: folder of cell models, a file a module, a simulator's "+
		"-y; can be given more than once")
	f.StringVar(&c.PDK, "pdk", "", "verilog: folder of the process design kit that has a netlist's cells, such as "+
		"$PDK_ROOT/sky130A")
	f.StringVar(&c.Timescale, "timescale", c.Timescale, "verilog: time scale of files that say none")
	f.StringVar(&c.VCD, "sim-vcd", "", "verilog: the simulator writes waves of bench and design to this file")
}

// flagsOf are flags that some kinds of transport have a use for, with these.
var flagsOf = cmdline.Kinds{
	"port": "rp2040", "design": "rp2040 or lab", "patience": "rp2040 or lab",
	"insist": "gpio or rp2040 or lab or mock or netlist or verilog",
	"settle": "gpio or rp2040 or lab", "pulse": "gpio or rp2040 or lab", "trigger": "rp2040 or lab",
	"at": "mock or rp2040 or lab", "sample": "mock or rp2040 or lab", "lead": "mock or rp2040 or lab",
	"samples": "mock or gpio or rp2040 or lab or netlist",
	"wait":    "lab", "invite": "lab",
	"top": "verilog", "simulator": "verilog", "define": "verilog", "include": "verilog", "cells": "verilog",
	"cells-dir": "verilog", "pdk": "verilog",
	"timescale": "verilog", "sim-vcd": "verilog",
}

// ready applies the environment, and refuses flags that the transport does not use.
func (t *target) ready(cmd *cobra.Command) error {
	if err := variables.Take(cmd.Flags()); err != nil {
		return err
	}
	return t.fit(cmd)
}

// fit refuses flags that the transport would not look at.
func (t *target) fit(cmd *cobra.Command) error {
	if t.runs.Lab == nil {
		t.runs.askLab(cmd)
	}
	if err := t.takeAttached(); err != nil {
		return err
	}
	t.Tile, t.Kinds, t.Recordings, t.Working = t.design.tile, kinds, t.runs.Find, working
	t.Lab.Bench, t.Lab.Does = version(), cmd.CommandPath()
	t.Lab.Waiting = func(text string) { fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s: %s\n", t.Transport, text) }
	k, _, err := t.Kind()
	if err != nil {
		return err
	}
	return flagsOf.Unused(cmd.Flags(), k.Name)
}

// open checks the flags, then opens the chip.
func (t *target) open(ctx context.Context, cmd *cobra.Command) (*station.Chip, error) {
	if err := t.ready(cmd); err != nil {
		return nil, err
	}
	of, seeded := t.seeded(cmd)
	done := working("opening " + of.Transport)
	opened, err := t.design.open(ctx, &of)
	done()
	if err != nil {
		tellLeft(cmd, err)
		if kind, _, _ := strings.Cut(of.Transport, ":"); kind == "rp2040" && errors.Is(err, context.Canceled) {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: stopped before the chip was open, so it may not be parked: bench safe "+
				"parks it\n", of.Transport)
		}
		return nil, err
	}
	call(cmd, opened, seeded)
	return opened, nil
}

// call gives a chip that was opened by the flags of a command the words that name it; seeded says that the user gave
// the seed.
func call(cmd *cobra.Command, c *station.Chip, seeded bool) {
	if c.Recording != nil {
		return
	}
	c.Target = targetWords(cmd)
	if c.Drawn = fault.ByChance(c.Faults) && !seeded; c.Drawn {
		c.Target = append(c.Target, "--seed", fmt.Sprint(c.Seed))
	}
}

// seeded returns the target with the user's seed, or a new one.
func (t *target) seeded(cmd *cobra.Command) (of station.Target, users bool) {
	seed := cmd.Flags().Lookup("seed")
	of, users = t.Target, seed.Changed || settings.SetBy(seed) != ""
	if !users {
		of.Seed = rand.Uint64N(1e6)
	}
	return of, users
}

// tellLeft says in which state a target that could not be opened leaves a board.
func tellLeft(cmd *cobra.Command, err error) {
	var e *station.LeftError
	if errors.As(err, &e) {
		fmt.Fprintln(cmd.ErrOrStderr(), e.Left)
	}
}

// atSpeed has the chip opened at speed, if the user has not said at which.
func (t *target) atSpeed() {
	if t.Speed.At == "" {
		t.Speed.At = "1MHz"
	}
}

// examine reports each layer between bench and chip. A failed layer ends it with the verdict ERROR and an error without
// text.
func (t *target) examine(cmd *cobra.Command, tell func(station.Finding)) (driver.Verdict, error) {
	if err := t.ready(cmd); err != nil {
		return driver.Error, err
	}
	told := false
	of, _ := t.seeded(cmd)
	done := working("opening " + of.Transport)
	verdict, err := of.Examine(cmd.Context(), func(f station.Finding) {
		done()
		tell(f)
		told = told || f.Err != nil
		done = working("examining the layer after " + f.Layer)
	})
	done()
	if err == nil {
		return verdict, judged(verdict)
	}
	tellLeft(cmd, err)
	if told {
		return driver.Error, failure.Told(failure.KindOf(err))
	}
	return driver.Error, err
}
