package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/model"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A target is the chip that a command works on, as its flags name it.
type target struct {
	transport string // KIND[:WHERE]
	board     string
	port      string
	revision  string
	faults    []string
	seed      uint64
	simulation
}

// A chip is a target opened.
type chip struct {
	transport.Transport
	board    *boards.Board
	revision model.Revision // to compare with
	faults   []mock.Fault
	seed     uint64
}

// kinds are the transports: the one list to add to.
var kinds = []struct {
	name, board string // the board when --board is not given
	open        func(t *target, ctx context.Context, where string, c *chip) (transport.Transport, error)
}{
	{"mock", "mock", (*target).openMock},
	{"rp2040", "tt-demo-tt06", (*target).openRP2040},
	{"verilog", "verilog", (*target).openVerilog},
}

func kindNames() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

func (t *target) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&t.transport, "transport", "t", "mock", "how to reach the chip, KIND[:WHERE]; mock[:tt08|tt09] is the model in memory,\nrp2040[:PORT] a board with MicroPython, verilog:FILE,... a simulation")
	t.simulation.flags(cmd)
	f.StringVar(&t.board, "board", "", "pin map: "+strings.Join(boards.Names(), ", ")+", or the path of a YAML file (default: the transport's)")
	f.StringVar(&t.port, "port", "", "serial port of the board, for rp2040 (default: the variable "+portVariable+")")
	f.StringVar(&t.revision, "revision", "", "revision of the chip to compare with, tt08 or tt09 (default: the board's)")
	f.StringArrayVar(&t.faults, "fault", nil, "inject a fault into the mock, e.g. uo3=stuck1; may come again\n"+strings.ReplaceAll(mock.Syntax, "; ", ";\n"))
	f.Uint64Var(&t.seed, "seed", 0, "seed for faults that act by chance (default: a new one, printed)")
	complete(cmd, "transport", kindNames())
	complete(cmd, "board", boards.Names())
	complete(cmd, "revision", model.Revisions())
}

func complete(cmd *cobra.Command, flag string, values []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveDefault))
	if err != nil {
		panic(err) // the flag does not exist: a mistake in this program
	}
}

// open checks the flags, then opens the transport.
func (t *target) open(cmd *cobra.Command) (*chip, error) {
	kind, where, _ := strings.Cut(t.transport, ":")
	i := slices.Index(kindNames(), kind)
	if i < 0 {
		return nil, fmt.Errorf("--transport %q: unknown kind %q: allowed are %s", t.transport, kind, strings.Join(kindNames(), ", "))
	}
	c := &chip{seed: t.seed}
	if !cmd.Flags().Changed("seed") {
		c.seed = rand.Uint64N(1e6)
	}
	var err error
	if c.board, err = t.openBoard(kinds[i].name, kinds[i].board); err != nil {
		return nil, err
	}
	if c.revision, err = t.parseRevision(c.board); err != nil {
		return nil, err
	}
	if c.faults, err = t.parseFaults(kind); err != nil {
		return nil, err
	}
	c.Transport, err = kinds[i].open(t, cmd.Context(), where, c)
	return c, err
}

func (t *target) openBoard(kind, usual string) (*boards.Board, error) {
	name := t.board
	if name == "" {
		name = usual
	}
	b, err := boards.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--board: %w", err)
	}
	if b.Transport != kind {
		return nil, fmt.Errorf("--board %s is for the transport %s, not for %s", name, b.Transport, kind)
	}
	return b, nil
}

func (t *target) parseRevision(b *boards.Board) (model.Revision, error) {
	name := t.revision
	if name == "" {
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

func (t *target) parseFaults(kind string) (faults []mock.Fault, err error) {
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
	if err := mock.Conflict(faults); err != nil {
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
	return mock.Open(mock.Config{Revision: rev, Faults: c.faults, Seed: c.seed}), nil
}
