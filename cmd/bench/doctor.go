package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/cause/wiring"
	"utfbench/desk"
	"utfbench/driver"
	"utfbench/runs/explain"
	"utfbench/tile"
)

func newDoctor() *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Go through each layer between bench and chip, and say what to do about the first that fails",
		Long: `doctor goes from the port to the chip, a line for each layer: ok, or what is wrong and what to do about it.

Exit codes: 0 all is well, 1 the chip or a wire, 2 bad input, 3 a layer before the chip, 5 all is well of the model alone: no chip was
asked.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return t.doctor(cmd, cmd.OutOrStdout()) },
	}
	t.flags(cmd)
	return cmd
}

// A doctor prints a line for each layer.
type doctor struct {
	cmd *cobra.Command
	out io.Writer

	ill   bool
	board bool // is good, by the factory test
}

// report prints a finding. An error ends the command, since the layers after it stand on it; bad input is no finding, nor is Ctrl-C.
func (d *doctor) report(layer, found string, err error) error {
	code := codeOf(err)
	if err != nil && code == exitUsage || errors.Is(err, context.Canceled) {
		return err
	}
	if err == nil {
		d.line("ok ", layer, found)
		return nil
	}
	d.line("NO ", layer, err.Error())
	return &exit{code, nil}
}

func (d *doctor) line(mark, layer, text string) {
	fmt.Fprintf(d.out, "%s %-16s %s\n", mark, layer, text)
}

func (t *target) doctor(cmd *cobra.Command, out io.Writer) error {
	if err := t.ready(cmd); err != nil {
		return err
	}
	d := &doctor{cmd: cmd, out: out}
	c, err := t.examine(d)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := d.probe(cmd.Context(), c); err != nil {
		return err
	}
	if err := c.Close(); err != nil {
		return d.report("parking", "", benchFault(err))
	}
	parked := "reset held, ui low, uio released"
	parked = cmp.Or(c.Left(), parked)
	d.line("ok ", "parking", parked)
	if c.Asked.Modelled() {
		d.line("-- ", "chip", "none was asked, this is the model in memory: name one with -t rp2040, -t gpio or -t verilog:FILE,...")
	}
	switch {
	case d.ill:
		return &exit{exitFail, nil}
	case c.Asked.Modelled():
		return &exit{exitNothing, nil}
	}
	return nil
}

// examine opens the target, layer by layer where it has some.
func (t *target) examine(d *doctor) (*chip, error) {
	k, where, err := t.Kind()
	if err != nil {
		return nil, err
	}
	if k.Name == "rp2040" {
		return t.examineDemoBoard(d, where)
	}
	c, err := t.open(d.cmd)
	if err != nil {
		return nil, d.report("transport", "", err)
	}
	d.line("ok ", "transport", c.String())
	return c, nil
}

func (t *target) examineDemoBoard(d *doctor, where string) (*chip, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	ctx := d.cmd.Context()
	tested := func() {}
	if t.Design != "none" {
		tested = d.factoryTest(t)
	}
	b, err := t.DialDemoBoard(ctx, where)
	if err != nil {
		return nil, d.report("port and REPL", "", err)
	}
	defer b.Close()
	d.line("ok ", "port and REPL", b.Port)
	d.line("ok ", "firmware", b.Firmware())
	c, layers, err := t.Layers(b)
	if err != nil {
		return nil, err
	}
	for _, l := range layers {
		b.Notes = nil
		if err := l.Pass(ctx); err != nil {
			return nil, d.report(l.Name, "", err)
		}
		d.line("ok ", l.Name, cmp.Or(strings.Join(b.Notes, "; "), l.Well()))
	}
	tested()
	return &chip{Chip: c}, nil
}

// factoryTest proves board and cable by the chip's own test, before the user's design is selected, and gives what prints the finding
// when the layers have passed. What stops it short of the chip stops them as well, and they say at which layer.
func (d *doctor) factoryTest(t *target) (tell func()) {
	r, c, err := t.FactoryTest(d.cmd.Context())
	return func() {
		switch {
		case err != nil && desk.BlameOf(err) == desk.OtherDesign:
			d.ill = true
			d.line("NO ", "factory test", err.Error())
		case err != nil:
			d.line("-- ", "factory test", "not asked: "+err.Error())
		case r.Verdict == wiring.Good:
			d.board = true
			d.line("ok ", "factory test", fmt.Sprintf("%d steps: every line, clk and rst_n reach the chip, so board and cable are good", r.Steps))
		default:
			d.ill = true
			d.line("NO ", "factory test", r.Why+": "+strings.Join(explain.Suspects(c.Board, r), "; "))
		}
	}
}

// probe puts the first questions to the chip.
func (d *doctor) probe(ctx context.Context, c *chip) error {
	if c.Wires {
		if err := d.design(ctx, c); err != nil {
			return err
		}
	}
	asks, ok := c.Tile.(tile.Prober)
	if !ok {
		return nil
	}
	for _, p := range asks.Probes() {
		found, err := driver.Ask(ctx, c, c.Tile, p)
		switch {
		case err != nil:
			return d.report(p.Name, "", benchFault(err))
		case !found.OK:
			d.ill = true
			d.line("NO ", p.Name, found.Text)
		default:
			d.line("ok ", p.Name, found.Text)
		}
	}
	return nil
}

// design asks first what answers, where another design's outputs could drive against the bench.
func (d *doctor) design(ctx context.Context, c *chip) error {
	c.Notes = nil
	err := c.Recognise(ctx)
	if err != nil && d.board {
		err = fmt.Errorf("%w; the factory test answers, so board and cable are good: it is the design, or its number", err)
	}
	return d.report("this design", cmp.Or(strings.Join(c.Notes, "; "), "it answers as this design does"), err)
}
