package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/driver/shim"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport"
)

// cocotbOptions are the flags of bench cocotb.
type cocotbOptions struct {
	target   target
	pipes    string
	ahead    int
	noWiring bool
	accepted string
}

func newCocotb(d *design) *cobra.Command {
	var o cocotbOptions
	cmd := &cobra.Command{
		Use:   "cocotb -- COMMAND...",
		Short: "Run a cocotb or Verilog test with the chip in the loop",
		Long: `cocotb runs a command that simulates the tile, unchanged, with the chip in place of its sources:
a shim hands each change of the inputs to the chip, and each answer is compared with the tile's own
Verilog. Until they differ the test sees what the Verilog shows, and the chip follows some hundred
exchanges behind; from then on, and with --ahead 0 always, it sees what the chip shows.

A makefile of Tiny Tapeout's template takes the shim by itself. Another command finds its path in
BENCH_SHIM, and {shim} in the command stands for it.

Exit codes: 0 the chip did what its Verilog does and the command succeeded, 1 the chip differs, 2 bad
input, 3 the bench is at fault, or the command failed although the chip did what its Verilog does, 4 a
wire is at fault, 7 nothing differs, and outputs were never compared, 130 interrupted.`,
		Example: `  bench cocotb --tile . -t rp2040 -- make -C test
  bench cocotb --tile . -t mock -- sh -c 'iverilog -o t tb.v $BENCH_SHIM && vvp t'`,
		Args: takes(1, many),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.target.flags(cmd, d)
	f := cmd.Flags()
	f.StringVar(&o.pipes, "pipes", "", "folder of the shim and its pipes, which is new or empty (default: one that is "+
		"removed at the end); see bench shim")
	aheadFlag(f, &o.ahead)
	f.BoolVar(&o.noWiring, "no-wiring", false, "do not check the wires first; see bench wiring")
	acceptFlag(f, &o.accepted)
	f.SetInterspersed(false)
	return cmd
}

func (o *cocotbOptions) run(cmd *cobra.Command, command []string) error {
	own, err := o.target.design.byGates()
	if err != nil {
		return err
	}
	folder, remove, err := o.folder()
	if err != nil {
		return err
	}
	defer remove()
	if o.ahead < 0 {
		return failure.Usagef("--ahead %d: give a number of exchanges, or 0", o.ahead)
	}
	c, err := o.target.open(cmd.Context(), cmd)
	if err != nil {
		return err
	}
	defer leave(cmd, c)
	if c.Recording != nil {
		return failure.Usagef("a test cannot run on a recording, which has samples only for its own steps")
	}
	if c.Wires && !o.noWiring {
		if err := vet(cmd.Context(), c); err != nil {
			return err
		}
		if c.Broken != nil {
			return failure.New(failure.Wire, errors.New(c.BadWires(" ")))
		}
	}
	t := shim.Test{Bench: &shim.Bench{Chip: c.Transport, Tile: own, Simulated: native.Simulated(c.String())},
		Command: command, Folder: folder, Ahead: o.ahead,
		Out: cmd.OutOrStdout()}
	err = t.Run(cmd.Context())
	if t.Lone != nil {
		fmt.Fprintf(cmd.OutOrStdout(), "the chip answered each exchange itself, since no copy of the Verilog could be "+
			"beside it: %v\n", t.Lone)
	}
	if len(t.Inside) > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "the test looks inside the tile, where silicon shows nothing: %s\n",
			printable.Text(strings.Join(t.Inside, ", ")))
	}
	switch {
	case errors.Is(err, shim.ErrNoTests):
		return failure.Usage(err)
	case errors.Is(err, shim.ErrUnasked):
		return failure.Usagef("%w (it ended with exit code %d%s)", err, t.Code, o.copied(&t))
	case err != nil:
		return stopped(cmd.Context(), err)
	}
	accepted, _ := driver.ParseOutputs(o.accepted) // the flag has refused what is no list
	return tellTest(cmd.OutOrStdout(), c, &t, accepted)
}

// copied returns a hint about a likely cause of a failed command.
func (o *cocotbOptions) copied(t *shim.Test) string {
	if o.ahead == 0 || t.Lone != nil || t.Code == 0 {
		return ""
	}
	return "; the shim has a copy of the tile's Verilog in it, which --ahead 0 leaves out"
}

// folder returns the folder of the shim and its pipes.
func (o *cocotbOptions) folder() (path string, remove func(), err error) {
	if o.pipes == "" {
		path, err = os.MkdirTemp("", "bench-shim-")
		return path, func() { os.RemoveAll(path) }, err
	}
	if path, err = pipeFolder(o.pipes); err != nil {
		return "", nil, err
	}
	if err = os.MkdirAll(path, 0o777); err != nil {
		return "", nil, failure.Usagef("--pipes: %w", err)
	}
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 {
		err = failure.Usagef("--pipes %s: the folder is not empty: give a new one", o.pipes)
	}
	return path, func() {}, err
}

// tellTest prints the result of a test, as a verdict.
func tellTest(w io.Writer, c *station.Chip, t *shim.Test, accepted transport.Outputs) error {
	b := t.Bench
	fmt.Fprintf(w, "\n%s in place of %s: simulations %d, clocks %d, exchanges %d; %s, %.0f clocks/s\n", c,
		b.Tile.About.Top, b.Simulations, b.Clocks, b.Exchanges, b.Took.Round(time.Millisecond),
		float64(b.Clocks)/b.Took.Seconds())
	if d := b.First; d != nil {
		fmt.Fprintf(w, "%s differs from its Verilog at clock %d, in simulation %d:\n", c.Asked.Answerer(), d.Clocks,
			d.Simulations)
		for _, line := range report.Explain(&driver.Result{Tile: b.Tile, Steps: b.Exchanges, First: &d.Mismatch}) {
			fmt.Fprintf(w, "        %s\n", line)
		}
		fmt.Fprintf(w, "FAIL  %s is at fault: it differs from its Verilog%s\n", c.Asked.Culprit(), c.Asked.Unasked())
		return judged(driver.Fail)
	}
	switch {
	case b.Evidence.Bits() == 0:
		fmt.Fprintln(w, "ERROR  nothing could be compared: does a reset, with a clock, reach the registers?")
		return judged(driver.Error)
	case b.Unlike > 0:
		fmt.Fprintf(w, "ERROR  at %d exchanges the test saw the Verilog's levels, which differ from this chip's, "+
			"where the right level is unknown: --ahead 0 shows it only the chip\n", b.Unlike)
		return judged(driver.Error)
	case b.Open > 0:
		fmt.Fprintf(w, "ERROR  the simulator shows X at %d exchanges, where a chip has a level: "+
			"--simulator verilator has "+
			"no X\n", b.Open)
		return judged(driver.Error)
	}
	if t.Code != 0 || t.Failed > 0 {
		if b.Withheld != 0 {
			fmt.Fprintf(w, "the test puts levels on %s, and the bench did not: the tile may drive "+
				"them, by its uio_oe\n",
				strings.Join((transport.Outputs(b.Withheld)<<8).Names(), ", "))
		}
		fmt.Fprintf(w, "ERROR  the test failed (exit code %d, failed tests %d), and the chip did what its "+
			"Verilog does: does "+
			"the test pass on the Verilog?\n", t.Code, t.Failed)
		return judged(driver.Error)
	}
	tally := b.Evidence.Tally(b.Tile)
	tally.Doubt, tally.Accepted = c.Doubt(), accepted
	if weak := tally.Weakness(); weak != "" {
		fmt.Fprintf(w, "WEAK  the test passed, and this is no PASS of the chip: %s%s\n", weak, c.Asked.Unasked())
		return judged(driver.Weak)
	}
	never := tally.Gap().String()
	if never != "" {
		never = "; never compared: " + never
	}
	fmt.Fprintf(w, "PASS  %s answered as its Verilog does, and the test passed%s%s\n", c.Asked.Answerer(), never,
		c.Asked.Unasked())
	return nil
}
