package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/transport"
	"utfbench/transport/verilog"
)

// A simulation is what the flags say of a Verilog design; its files come with --transport.
type simulation struct{ config verilog.Config }

func (s *simulation) flags(cmd *cobra.Command) {
	f, c := cmd.Flags(), &s.config
	f.StringVar(&c.Top, "top", "", "verilog: top module of the design (default: the only one with a tile's ports)")
	f.StringVar(&c.Simulator, "simulator", "auto", "verilog: "+strings.Join(verilog.Simulators(), ", ")+"; auto is Icarus if it is installed, else Verilator")
	f.StringArrayVar(&c.Defines, "define", nil, "verilog: define a macro, NAME or NAME=VALUE, such as GL_TEST; may come again")
	f.StringArrayVar(&c.Includes, "include", nil, "verilog: folder of include files; may come again")
	f.StringArrayVar(&c.Cells, "cells", nil, "verilog: file of cell models, a simulator's -v (-l for iverilog); may come again")
	f.StringArrayVar(&c.CellsDirs, "cells-dir", nil, "verilog: folder of cell models, a file a module, a simulator's -y; may come again")
	f.StringVar(&c.Timescale, "timescale", "1ns/1ps", "verilog: time scale of files that say none")
	f.StringVar(&c.VCD, "sim-vcd", "", "verilog: the simulator writes waves of bench and design to this file")
	complete(cmd, "simulator", verilog.Simulators())
}

// openVerilog simulates a design; WHERE is its files, with commas between them.
func (t *target) openVerilog(ctx context.Context, where string, chip *chip) (transport.Transport, error) {
	c := t.simulation.config
	for _, file := range strings.Split(where, ",") {
		if file != "" {
			c.Sources = append(c.Sources, file)
		}
	}
	if len(c.Sources) == 0 {
		return nil, errors.New("--transport verilog needs the design's files, as in -t verilog:src/project.v,src/utf8.v")
	}
	started, done := time.Now(), working("compiling the design")
	tr, err := verilog.Open(ctx, c)
	done()
	if err == nil {
		chip.design, chip.sources = tr.Design()
		return tr, nil
	}
	var input *verilog.InputError
	switch {
	case errors.Is(err, context.Canceled):
		return nil, &exit{exitInterrupted, fmt.Errorf("stopped after %s while the design was compiled: nothing was asked of it yet", time.Since(started).Round(time.Second))}
	case errors.As(err, &input):
		return nil, err
	}
	return nil, benchFault(err)
}
