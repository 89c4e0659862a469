package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/boards"
	"utfbench/fault"
	"utfbench/model"
	"utfbench/model/wired"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A target is the chip that a command works on, as its flags name it.
type target struct {
	transport string // KIND[:WHERE]
	board     string
	revision  string
	faults    []string
	seed      uint64
	demo      demoFlags
	times     times
	runs      runFinder // for replay
	simulation
}

// A kind of transport.
type kind struct {
	name, board string // the board when --board is not given; the transport finds out itself when it is empty
	wires       bool   // between bench and chip, to be checked before a run
	several     bool   // may be opened several times
	open        func(t *target, ctx context.Context, where string, c *chip) (transport.Transport, error)
}

// kinds are the transports: the one list to add to.
var kinds = []kind{
	{"mock", "mock", false, true, (*target).openMock},
	{"rp2040", "", true, false, (*target).openRP2040},
	{"gpio", "rpi", true, false, (*target).openGPIO},
	{"verilog", "verilog", false, true, (*target).openVerilog},
	{"replay", "", false, false, (*target).openReplay},
}

// simulated says whether a transport, by the name that a run has of it, is a simulation of a design, in which there are no wires.
// The mock has wires.
func simulated(transport string) bool {
	kind, _, _ := strings.Cut(transport, ":")
	return kind == "verilog"
}

func kindNames() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

func (t *target) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&t.transport, "transport", "t", "mock", "how to reach the chip, KIND[:WHERE]; mock[:tt08|tt09] is the model in memory,\nrp2040[:PORT] a board with MicroPython,\ngpio[:registers|:lines|:pins] the lines of this machine, such as a Raspberry Pi's header,\nverilog:FILE,... a simulation,\nreplay:RUN what bench run --record wrote, or a run of the history by its number")
	f.StringVar(&t.board, "board", "", "pin map: "+strings.Join(boards.Names(), ", ")+", or the path of a YAML file (default: the transport's, or as detected)")
	f.StringVar(&t.revision, "revision", "", "revision of the chip to compare with, tt08 or tt09 (default: what the chip's ROM or the board says)")
	t.simulation.flags(cmd)
	f.StringArrayVar(&t.faults, "fault", nil, "inject a fault into the mock, e.g. uo3=stuck1; may come again\n"+strings.ReplaceAll(wired.Bits.Syntax(), "; ", ";\n"))
	f.Uint64Var(&t.seed, "seed", 0, "seed for faults that act by chance (default: a new one, printed)")
	t.demo.flags(cmd)
	t.times.flags(cmd)
	complete(cmd, "transport", kindNames())
	complete(cmd, "board", boards.Names())
	complete(cmd, "revision", model.Revisions())
}

// only are flags that some kinds of transport have a use for, with these.
var only = map[string]string{
	"port": "rp2040", "design": "rp2040", "patience": "rp2040", "insist": "gpio or rp2040", "settle": "gpio or rp2040", "pulse": "gpio or rp2040",
	"top": "verilog", "simulator": "verilog", "define": "verilog", "include": "verilog", "cells": "verilog", "cells-dir": "verilog",
	"timescale": "verilog", "sim-vcd": "verilog",
}

// useless names a flag that was given and that the transport would not look at.
func useless(cmd *cobra.Command, kind string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if k := only[f.Name]; k != "" && !slices.Contains(strings.Split(k, " or "), kind) {
			err = fmt.Errorf("--%s is for the transport %s, and this one is %s: choose with --transport", f.Name, k, kind)
		}
	})
	return err
}

// variables are the flags that the environment may set, as BENCH_ and the flag's name, where the command line does not.
var variables = []string{"transport", "board", "revision", "port", "design", "patience"}

func fromEnvironment(cmd *cobra.Command) error {
	for _, name := range variables {
		f := cmd.Flags().Lookup(name)
		value, ok := os.LookupEnv("BENCH_" + strings.ToUpper(name))
		if f == nil || f.Changed || !ok || value == "" {
			continue
		}
		if err := f.Value.Set(value); err != nil {
			return fmt.Errorf("the variable BENCH_%s: %w", strings.ToUpper(name), err)
		}
	}
	return nil
}

func complete(cmd *cobra.Command, flag string, values []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveDefault))
	if err != nil {
		panic(err) // the flag does not exist: a mistake in this program
	}
}

// open checks the flags, then opens the transport.
func (t *target) open(cmd *cobra.Command) (*chip, error) {
	if err := fromEnvironment(cmd); err != nil {
		return nil, err
	}
	k, where, err := t.kind()
	if err != nil {
		return nil, err
	}
	if err := useless(cmd, k.name); err != nil {
		return nil, err
	}
	c := &chip{seed: t.seed, wires: k.wires, design: t.demo.design, insist: t.demo.insist, errOut: cmd.ErrOrStderr()}
	if !cmd.Flags().Changed("seed") {
		c.seed = rand.Uint64N(1e6)
	}
	if c.board, err = t.namedBoard(k.name); err != nil {
		return nil, err
	}
	if c.board == nil && k.board != "" {
		if c.board, err = boards.Open(k.board); err != nil {
			return nil, err
		}
	}
	if c.revision, err = t.parseRevision(c.board); err != nil {
		return nil, err
	}
	if c.faults, err = t.parseFaults(k.name); err != nil {
		return nil, err
	}
	if c.Transport, err = k.open(t, cmd.Context(), where, c); err != nil {
		return nil, err
	}
	if c.recording == nil { // which says itself what was asked
		c.identify(k.name)
		c.target = targetWords(cmd)
		if c.drawn = fault.ByChance(c.faults) && !cmd.Flags().Changed("seed"); c.drawn {
			c.target = append(c.target, "--seed", fmt.Sprint(c.seed))
		}
	}
	if k.several && len(c.faults) == 0 && t.simulation.config.VCD == "" { // faults by chance, and waves, are of one chip
		c.another = func(ctx context.Context) (transport.Transport, error) { return t.another(ctx, k, where, *c) }
	}
	return c, c.settle(cmd.Context())
}

// another opens one more chip like c, which has to be the same: a design may have been edited meanwhile.
func (t *target) another(ctx context.Context, k kind, where string, c chip) (transport.Transport, error) {
	first := c.asked
	tr, err := k.open(t, ctx, where, &c)
	if err != nil {
		return nil, err
	}
	c.identify(k.name)
	if differ := c.asked.Differences(&first); len(differ) > 0 {
		tr.Close()
		return nil, fmt.Errorf("the design changed while it was opened: %w", differ[0])
	}
	return tr, nil
}

// kind reads --transport.
func (t *target) kind() (k kind, where string, err error) {
	name, where, _ := strings.Cut(t.transport, ":")
	i := slices.Index(kindNames(), name)
	if i < 0 {
		return k, "", fmt.Errorf("--transport %q: unknown kind %q: allowed are %s", t.transport, name, strings.Join(kindNames(), ", "))
	}
	return kinds[i], where, nil
}

// namedBoard opens the board of --board, which has to be for this kind of transport; nil when it was not given.
func (t *target) namedBoard(kind string) (*boards.Board, error) {
	if t.board == "" {
		return nil, nil
	}
	b, err := boards.Open(t.board)
	if err != nil {
		return nil, fmt.Errorf("--board: %w", err)
	}
	if b.Transport != kind {
		return nil, fmt.Errorf("--board %s is for the transport %s, not for %s", t.board, b.Transport, kind)
	}
	return b, nil
}

// parseRevision reads the flag, or takes the board's, or TT09. The board may be nil.
func (t *target) parseRevision(b *boards.Board) (model.Revision, error) {
	name := t.revision
	if name == "" && b != nil {
		name = b.Revision
	}
	if name == "" {
		return model.TT09, nil
	}
	rev, ok := model.ParseRevision(name)
	if !ok {
		return 0, fmt.Errorf("--revision %q: allowed are %s", name, strings.Join(model.Revisions(), ", "))
	}
	return rev, nil
}

func (t *target) parseFaults(kind string) (faults []fault.Fault, err error) {
	if len(t.faults) > 0 && kind != "mock" {
		return nil, fmt.Errorf("--fault is for the mock: a fault cannot be injected into %s", t.transport)
	}
	for _, s := range t.faults {
		f, err := mock.ParseFault(s)
		if err != nil {
			return nil, fmt.Errorf("--%w", err)
		}
		faults = append(faults, f)
	}
	if err := fault.Conflict(faults); err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	return faults, nil
}

// openMock opens a chip in memory; WHERE is its revision, which need not be the one to compare with.
func (t *target) openMock(_ context.Context, where string, c *chip) (transport.Transport, error) {
	rev := c.revision
	if where != "" {
		var ok bool
		if rev, ok = model.ParseRevision(where); !ok {
			return nil, fmt.Errorf("--transport mock:%s: after mock: comes a revision of the chip, %s", where, strings.Join(model.Revisions(), " or "))
		}
	}
	c.design = rev.String()
	return mock.Open(mock.Config{Revision: rev, Faults: c.faults, Seed: c.seed}), nil
}
