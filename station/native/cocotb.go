package native

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/driver/shim"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/transport"
)

// A Test is a test by simulation with a chip in the place of the tile's sources.
type Test struct {
	shim.Test
	Chip     *station.Chip
	Accepted transport.Outputs // that need not be compared
}

// Judge runs the test and prints its result, as a verdict. The error says why there is none.
func (t *Test) Judge(ctx context.Context) (driver.Verdict, error) {
	err := t.Run(ctx)
	if t.Lone != nil {
		fmt.Fprintf(t.Out, "each exchange had to wait for the response, since the shim could have no copy of the "+
			"Verilog: %v\n", t.Lone)
	}
	if len(t.Inside) > 0 {
		fmt.Fprintf(t.Out, "the test looks inside the tile, where silicon shows nothing: %s\n",
			printable.Text(strings.Join(t.Inside, ", ")))
	}
	switch {
	case errors.Is(err, shim.ErrNoTests):
		return driver.Error, failure.Usage(err)
	case errors.Is(err, shim.ErrUnasked):
		if t.Code == 0 {
			return driver.Error, failure.Usagef("%w: the command has to compile the shim in place of the tile's "+
				"sources, and run the test; the shim's path is in BENCH_SHIM, and replaces {shim} in the command", err)
		}
		copied := ""
		if t.Ahead > 0 && t.Lone == nil {
			copied = "; if that is about the shim, --ahead 0 leaves the tile's Verilog out of it"
		}
		return driver.Error, failure.Usagef("%w: the command ended with exit code %d, see its output above%s", err,
			t.Code, copied)
	case err != nil:
		t.tellDifference()
		return driver.Error, station.Asking(ctx, err)
	}
	b := t.Bench
	fmt.Fprintf(t.Out, "\n%s in place of %s: simulations %d, clocks %d, exchanges %d; %s, %.0f clocks/s\n", t.Chip,
		b.Tile.About.Top, b.Simulations, b.Clocks, b.Exchanges, b.Took.Round(time.Millisecond),
		float64(b.Clocks)/b.Took.Seconds())
	verdict, why := t.verdict()
	fmt.Fprintf(t.Out, "%s  %s\n", verdict, why)
	return verdict, nil
}

// tellDifference prints the first difference, if there is one.
func (t *Test) tellDifference() {
	d := t.Bench.First
	if d == nil {
		return
	}
	asked := t.Chip.Identity("")
	fmt.Fprintf(t.Out, "%s differs from its Verilog at clock %d, in simulation %d:\n", asked.Answerer(), d.Clocks,
		d.Simulations)
	for _, line := range report.Explain(&driver.Result{Tile: t.Bench.Tile, Steps: t.Bench.Exchanges,
		First: &d.Mismatch}) {
		fmt.Fprintf(t.Out, "        %s\n", line)
	}
}

// verdict returns the verdict and its reason.
func (t *Test) verdict() (driver.Verdict, string) {
	b, asked := t.Bench, t.Chip.Identity("")
	t.tellDifference()
	switch {
	case b.First != nil:
		return driver.Fail, asked.Culprit() + " is at fault: it differs from its Verilog" + asked.Unasked()
	case b.Evidence.Bits() == 0:
		return driver.Error, "nothing could be compared: the test has to hold the reset for a clock, from " +
			"which on the levels of Verilator count, and it has to reach the registers"
	case b.Unlike > 0:
		return driver.Error, fmt.Sprintf("at %d exchanges the test saw the Verilog's levels, which differ from this "+
			"chip's, where the right level is unknown or depends on the falling edge of clk: --ahead 0 shows it "+
			"only the chip", b.Unlike)
	case b.Open > 0:
		return driver.Error, fmt.Sprintf("the simulator shows X at %d exchanges, where a chip has a level: "+
			"--simulator verilator has no X", b.Open)
	case t.Code != 0 || t.Failed > 0:
		if b.Withheld != 0 {
			fmt.Fprintf(t.Out, "the test puts levels on %s, and the bench did not: the tile may drive them, by its "+
				"uio_oe\n", transport.Outputs(b.Withheld)<<8)
		}
		return driver.Error, fmt.Sprintf("%s, and %s did what its Verilog does: does the test pass on the Verilog?",
			t.ended(), asked.Answerer())
	}
	tally := b.Evidence.Tally(b.Tile)
	tally.Doubt, tally.Accepted = t.Chip.Doubt(), t.Accepted
	if weak := tally.Weakness(); weak != "" {
		return driver.Weak, t.ended() + ", and this is no PASS of the chip: " + weak + asked.Unasked()
	}
	never := tally.Gap().String()
	if never != "" {
		never = "; never compared: " + never
	}
	return driver.Pass, asked.Answerer() + " answered as its Verilog does, and " + t.ended() + never + asked.Unasked()
}

// ended says how the test ended. A test in Verilog may have printed that it failed, and nobody read it.
func (t *Test) ended() string {
	switch {
	case t.Failed > 0:
		return printable.Count(t.Failed, "test") + " failed by cocotb's summary"
	case t.Code != 0:
		return fmt.Sprintf("the command ended with exit code %d", t.Code)
	case t.Passed > 0:
		return "the test passed"
	case t.Summed:
		return "cocotb skipped every test"
	}
	return "the command succeeded (its output was not judged: a Verilog test has to fail by $fatal)"
}
