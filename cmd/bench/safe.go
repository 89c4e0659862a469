package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/transport/rp2040"
)

func newSafe() *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "safe",
		Short: "Park a board, whatever state it is in",
		Long: `safe interrupts what runs on a board and parks the chip: reset held, ui low, uio released, clk not driven. The
design stays selected. Where the board's wiring is not known, all its pins are released instead.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return t.safe(cmd) },
	}
	t.flags(cmd)
	cmd.Flags().Lookup("transport").DefValue = "rp2040"
	t.transport = "rp2040"
	return cmd
}

func (t *target) safe(cmd *cobra.Command) error {
	if err := fromEnvironment(cmd); err != nil {
		return err
	}
	kind, where, err := t.kind()
	if err != nil {
		return err
	}
	if kind.name != "rp2040" {
		c, err := t.open(cmd)
		if err != nil {
			return err
		}
		return t.parked(cmd, c.String(), c.Close())
	}
	d, err := t.demo.dial(cmd.Context(), where)
	if err != nil {
		return err
	}
	defer d.Close()
	if t.board == "" && d.facts.SDK == nil {
		if err := d.Release(cmd.Context()); err != nil {
			return benchFault(err)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: the wiring is not known, so all pins were released; with --board the chip can be parked\n", d.port)
		return nil
	}
	return t.park(cmd, d)
}

// park starts the step program, which parks at its start and its end, without selecting a design.
func (t *target) park(cmd *cobra.Command, d *demoBoard) error {
	named, err := t.namedBoard("rp2040")
	if err != nil {
		return err
	}
	if err := d.identify(named); err != nil {
		return err
	}
	tr, err := d.Start(cmd.Context(), rp2040.Config{Name: d.port, Pins: d.pins, High: d.high, Patience: d.wait})
	if err != nil {
		return benchFault(err)
	}
	return t.parked(cmd, tr.String(), tr.Close())
}

func (t *target) parked(cmd *cobra.Command, name string, err error) error {
	if err != nil {
		return benchFault(err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: parked\n", name)
	return nil
}
