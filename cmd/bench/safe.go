package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/transport/rp2040/demoboard"
)

func newSafe() *cobra.Command {
	var t target
	var reboot bool
	cmd := &cobra.Command{
		Use:   "safe",
		Short: "Park a board, whatever state it is in",
		Long: `safe interrupts what runs on a board and parks the chip: reset held, ui low, uio released, clk not driven. The
design stays selected. Where the board's wiring is not known, all its pins are released instead.

With --reboot a demo board runs main.py as at power-up instead, which brings the SDK's tt back, selects its default
design and clocks that.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if reboot {
				return t.reboot(cmd)
			}
			return t.safe(cmd)
		},
	}
	cmd.Flags().BoolVar(&reboot, "reboot", false, "run main.py as at power-up, so that tt is there again")
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
	b, err := t.dialDemoBoard(cmd.Context(), where)
	if err != nil {
		return err
	}
	defer b.Close()
	if _, err := b.Detect(); err != nil {
		if err := b.Release(cmd.Context()); err != nil {
			return benchFault(err)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: the wiring is not known, so all pins were released; with --board the chip can be parked\n", b.Port)
		return nil
	}
	return t.park(cmd, b)
}

// park starts the step program, which parks at its start and its end, without selecting a design.
func (t *target) park(cmd *cobra.Command, b *demoboard.Board) error {
	ctx := cmd.Context()
	if err := b.Identify(ctx); err != nil {
		return boardFault(err)
	}
	if b.Facts.SDK != nil {
		if _, err := b.StopClock(ctx); err != nil {
			return benchFault(err)
		}
	}
	tr, err := b.Start(ctx)
	if err != nil {
		return benchFault(err)
	}
	if err := tr.Close(); err != nil {
		return benchFault(err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", tr, tr.Left())
	return nil
}

// reboot has the board start as at power-up.
func (t *target) reboot(cmd *cobra.Command) error {
	if err := fromEnvironment(cmd); err != nil {
		return err
	}
	kind, where, err := t.kind()
	if err != nil {
		return err
	}
	if kind.name != "rp2040" {
		return fmt.Errorf("--reboot is for a board with MicroPython, and not for %s", t.transport)
	}
	b, err := t.dialDemoBoard(cmd.Context(), where)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := b.Reboot(cmd.Context()); err != nil {
		return benchFault(err)
	}
	f, err := b.Console.Facts(cmd.Context())
	if err != nil {
		return benchFault(err)
	}
	state := "main.py was run; there is no tt"
	if f.Started {
		state = "main.py was run, and tt is there"
	}
	fmt.Fprintf(cmd.OutOrStdout(), "rp2040:%s: %s\n", b.Port, state)
	return nil
}

func (t *target) parked(cmd *cobra.Command, name string, err error) error {
	if err != nil {
		return benchFault(err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: parked\n", name)
	return nil
}
