package shim

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/transport"
)

// Judge runs the test and prints its verdict. An error explains why there is none.
func (t *Test) Judge(ctx context.Context) (driver.Verdict, error) {
	err := t.Run(ctx)
	if t.NoCopyReason != nil {
		fmt.Fprintf(t.Out, "each exchange had to wait for the response, since the shim could have no copy of the "+
			"Verilog: %v\n", t.NoCopyReason)
	}
	switch {
	case errors.Is(err, ErrNoTests):
		return driver.Error, failure.Usage(err)
	case errors.Is(err, ErrNoSimulation):
		return driver.Error, t.unused(err)
	case err != nil:
		return driver.Error, failure.TransportError(ctx, err)
	}
	b := t.Bench
	fmt.Fprintf(t.Out, "\n%s in place of %s: simulations %d, clocks %d, exchanges %d; %s, %.0f clocks/s\n", b.Chip,
		b.Tile.About.Top, b.Simulations, b.Clocks, b.Exchanges, b.Elapsed.Round(time.Millisecond),
		float64(b.Clocks)/b.Elapsed.Seconds())
	verdict, why := t.verdict()
	fmt.Fprintf(t.Out, "%s  %s\n", verdict, why)
	if verdict == driver.Fail {
		fmt.Fprintln(t.Out, "this test is not in the history: bench run with the same target records what bench "+
			"diagnose explains")
	}
	return verdict, nil
}

// unused returns the error for a command that ended without a simulation of the shim, with advice on how to correct it.
func (t *Test) unused(err error) error {
	if len(t.MissingSignals) > 0 {
		return failure.Usagef("%w: the test %s", err, t.inside())
	}
	if isRunner(t.Command) {
		return failure.Usagef("%w: a runner has to build the shim in place of the tile's sources, by sources = "+
			"[os.environ[\"BENCH_SHIM\"], \"tb.v\"], and always=True", err)
	}
	if t.ExitCode == 0 {
		return failure.Usagef("%w: the command has to compile the shim in place of the tile's sources, and run the "+
			"test; the shim's path is in BENCH_SHIM, and replaces {shim} in the command", err)
	}
	copied := ""
	if t.AheadExchanges > 0 && t.NoCopyReason == nil {
		copied = "; if that is about the shim, --ahead 0 leaves the tile's Verilog out of it"
	}
	return failure.Usagef("%w: the command ended with exit code %d, see its output above%s", err, t.ExitCode, copied)
}

// isRunner reports whether a command is a Python program, such as one that uses cocotb_tools.runner.
func isRunner(command []string) bool {
	name := filepath.Base(command[0])
	return strings.HasPrefix(name, "python") || strings.HasPrefix(name, "pytest") || filepath.Ext(name) == ".py"
}

func (t *Test) writeProgress() {
	b, differs := t.Bench, "no difference"
	if b.FirstDifference != nil {
		differs = fmt.Sprintf("the first difference was at clock %d", b.FirstDifference.Clocks)
	}
	fmt.Fprintf(t.Out, "bench: clocks %d, exchanges %d in %s so far: %s\n", b.Clocks, b.Exchanges,
		b.Elapsed.Round(time.Second), differs)
}

func (t *Test) writeDifference() {
	d := t.Bench.FirstDifference
	asked := &t.Identity
	fmt.Fprintf(t.Out, "%s differs from its Verilog at clock %d, in simulation %d:\n", asked.Subject(), d.Clocks,
		d.Simulations)
	for _, line := range report.ExplainDivergence(&driver.Result{Tile: t.Bench.Tile, Steps: t.Bench.Exchanges,
		FirstMismatch: &d.Mismatch}) {
		fmt.Fprintf(t.Out, "        %s\n", line)
	}
}

func (t *Test) verdict() (driver.Verdict, string) {
	b, asked := t.Bench, &t.Identity
	failed := !t.EndedEarly && (t.ExitCode != 0 || t.FailedTests > 0)
	if !failed || b.FirstDifference != nil {
		for _, line := range t.unlike() {
			fmt.Fprintf(t.Out, "the test %s\n", line)
		}
	}
	switch {
	case b.FirstDifference != nil:
		ended := ""
		switch {
		case t.EndedEarly:
			ended = fmt.Sprintf("; the test was ended %d exchanges after the first difference",
				MaxExchangesAfterDifference)
		case !failed && t.AheadExchanges > 0 && t.NoCopyReason == nil:
			ended = "; the test saw the Verilog's levels, so it could pass: --ahead 0 shows it the chip's"
		}
		return driver.Fail, asked.Culprit() + " is at fault: it differs from its Verilog" + ended + asked.NoChipNote()
	case b.Evidence.Bits() == 0:
		return driver.Error, "nothing could be compared: the test has to hold the reset for a clock, from " +
			"which on the levels of Verilator count, and it has to reach the registers"
	case b.CopyDifferences > 0:
		return driver.Error, fmt.Sprintf("at %d exchanges the test saw the Verilog's levels, which differ from this "+
			"chip's, where the right level is unknown or depends on the falling edge of clk: --ahead 0 shows it "+
			"only the chip", b.CopyDifferences)
	case b.UnknownExchanges > 0:
		return driver.Error, fmt.Sprintf("the simulator shows X at %d exchanges, where a chip has a level: "+
			"--simulator verilator has no X", b.UnknownExchanges)
	case failed:
		return driver.Error, fmt.Sprintf("%s, and %s did what its Verilog does: %s", t.ended(), asked.Subject(),
			t.why())
	}
	tally := b.Evidence.Tally(b.Tile)
	tally.DoubtReason, tally.AcceptedLines = t.DoubtReason, t.AcceptedLines
	if weak := tally.Weakness(); weak != "" {
		return driver.Weak, t.ended() + ", and this is no PASS of the chip: " + weak + asked.NoChipNote()
	}
	never := tally.Gap().String()
	if never != "" {
		never = "; never compared: " + never
	}
	return driver.Pass, asked.Subject() + " answered as its Verilog does, and " + t.ended() + never + asked.NoChipNote()
}

// why returns the likely reasons why a test fails on a chip that matches its Verilog.
func (t *Test) why() string {
	causes := t.unlike()
	if lines := t.Bench.WithheldLines; lines != 0 {
		causes = append(causes, fmt.Sprintf("puts levels on %s, and the bench did not: the tile may drive them, by "+
			"its uio_oe", transport.Outputs(lines)<<8))
	}
	if len(causes) == 0 {
		return "does the test pass on the Verilog?"
	}
	return "the test " + strings.Join(causes, "; it ")
}

// unlike returns the actions of the test that no chip of this design can follow, such as holding ena low.
func (t *Test) unlike() (causes []string) {
	b := t.Bench
	if b.FirstEnaLow > 0 {
		causes = append(causes, fmt.Sprintf("holds ena low at clock %d (a selected tile has it high, always)",
			b.FirstEnaLow))
	}
	if len(t.Parameters) > 0 {
		causes = append(causes, "sets parameters, with which the chip was not made: "+
			printable.Text(strings.Join(t.Parameters, ", ")))
	}
	if len(t.MissingSignals)+len(t.OptionalSignals) > 0 {
		causes = append(causes, t.inside())
	}
	return causes
}

func (t *Test) inside() string {
	names := t.MissingSignals
	if len(names) == 0 {
		names = t.OptionalSignals
	}
	return "looks inside the tile, where silicon shows nothing: " + printable.Text(strings.Join(names, ", "))
}

// ended describes how the test ended. A test in Verilog may have printed a failure, which the bench does not read.
func (t *Test) ended() string {
	switch {
	case t.FailedTests > 0:
		return printable.Count(t.FailedTests, "test") + " failed by cocotb's summary"
	case t.ExitCode != 0:
		return fmt.Sprintf("the command ended with exit code %d", t.ExitCode)
	case t.PassedTests > 0:
		return "the test passed"
	case t.HasSummary:
		return "cocotb skipped every test"
	}
	return "the command succeeded (its output was not judged: a Verilog test has to fail by $fatal)"
}
