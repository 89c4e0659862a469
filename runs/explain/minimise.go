package explain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// A Minimisation finds a short sequence of steps that still fails on a chip.
type Minimisation struct {
	Starts        []report.Execution // vectors and their steps; the first one that fails is minimised
	ReferenceName string             // the reference of their run; "" for the tile's own
	Advice        string             // after a recorded random failure; "" for a vector
	Timeout       time.Duration
	OutFile       string // file for the vector; "" for the writer of Run

	Progress func(left, applied int) // may be nil
}

// A FailingChip is the chip on which a sequence is minimised.
type FailingChip struct {
	transport.Transport
	Tile    tile.Tile                      // the reference
	Command func(words ...string) []string // returns the words of a bench command for the chip
}

// Run searches, closes the chip, and writes the sequence that it found as a vector.
func (m *Minimisation) Run(ctx context.Context, c *FailingChip, w io.Writer) error {
	if why := gates.MissingReference(c.Tile); why != nil {
		return fmt.Errorf("%s has no gates to compare with: %w", c.Tile.Name(), why)
	}
	search := minimiser{Transport: c.Transport, Tile: c.Tile, Progress: m.Progress}
	from, r, err := search.runWithin(ctx, m.Timeout, m.Starts)
	if errors.Is(err, errPasses) {
		by, what := "", m.Starts[0].Vector
		if n := len(m.Starts) - 1; n > 0 {
			what += fmt.Sprintf(" again, nor %s of its run", printable.Count(n, "other failure"))
		}
		if m.ReferenceName != "" {
			by = fmt.Sprintf(": the run was compared with %s, and minimise compares with %s",
				m.ReferenceName, tile.DescribeReference(c.Tile.Revision()))
		}
		return failure.Newf(failure.Nothing, "%s does not fail %s, so there is nothing to minimise%s", c, what, by)
	}
	if errors.Is(err, errIntermittent) {
		err = fmt.Errorf("%s, %w%s", from.Vector, err, m.Advice)
	}
	if cerr := c.Close(); cerr != nil && err == nil {
		err = fmt.Errorf("parking the chip: %w", cerr)
	}
	if r != nil {
		if err := m.Write(w, c, from, r); err != nil {
			return err
		}
	}
	if failure.KindOf(err) == failure.Interrupted {
		return err
	}
	return failure.New(failure.Bench, err)
}

// Write writes the vector and a summary. Without a usable file, both go to w, the summary as comments.
func (m *Minimisation) Write(w io.Writer, c *FailingChip, from *report.Execution, r *MinimisedSequence) error {
	text, err := r.suite(from.Vector, c.String(), c.Tile), error(nil)
	if m.OutFile != "" {
		err = files.Write(m.OutFile, []byte(text), 0)
	}
	if m.OutFile == "" || err != nil {
		var about bytes.Buffer
		r.writeText(&about, c.Tile, from.Vector, len(from.Steps))
		for line := range strings.Lines(about.String()) {
			text += "# " + line
		}
		_, werr := io.WriteString(w, text+"# --out FILE.vec writes this file, and prints the command that runs it\n")
		if err != nil {
			return failure.New(failure.Bench, fmt.Errorf("--out: %w; the vector is on standard output instead", err))
		}
		return werr
	}
	r.writeText(w, c.Tile, from.Vector, len(from.Steps))
	again := []string{"run", "--file", m.OutFile}
	if n := r.Rate.Repetitions(); n > 1 {
		again = append(again, "--count", strconv.Itoa(n))
	}
	report.WriteSuggestions(w, []report.Suggestion{{Args: c.Command(again...), Purpose: "fails again"}})
	return nil
}

// writeText writes the remaining steps, and how reliably they fail. from is their source.
func (r *MinimisedSequence) writeText(w io.Writer, t tile.Tile, from string, whole int) {
	times := "it was not repeated"
	if r.Rate.Steps > 0 {
		low, high := r.Rate.Interval()
		times = fmt.Sprintf("it differed %d of %d times (95 %% interval: %s to %s)", r.Rate.Wrong, r.Rate.Steps,
			report.FormatPercent(low), report.FormatPercent(high))
	}
	fmt.Fprintf(w, "%s: %d of %d steps remain (a run adds a reset), after %d steps on the device; %s\n", from,
		len(r.Steps), whole, r.AppliedSteps, times)
	if r.Rate.Wrong < r.Rate.Steps {
		fmt.Fprintf(w, "it fails now and then, in %s of the tries, so the steps may not matter: run the vectors with "+
			"--count 20, and diagnose that run", report.FormatPercent(r.Rate.Value()))
		if lines := r.Lines.Names(); len(lines) == 1 {
			fmt.Fprintf(w, "; here only %s differs, so it or an input may be loose", lines[0])
		}
		fmt.Fprintln(w)
	}
	for i := 0; i < len(r.Steps); {
		first, does := i+1, tile.Describe(t, r.Steps[i])
		for i++; i < len(r.Steps) && tile.Describe(t, r.Steps[i]) == does; i++ {
		}
		number := strconv.Itoa(first)
		if i > first {
			number += fmt.Sprintf(" to %d", i)
		}
		fmt.Fprintf(w, "  %s  %s\n", number, does)
	}
	if r.Got != nil {
		fmt.Fprintf(w, "     got  uo %s uio %s\n", tile.Binary(r.Got.Out, r.Got.OutX), tile.Binary(r.Got.IO, r.Got.IOX))
	}
	fmt.Fprintf(w, "     want uo %s uio %s\n", tile.Binary(r.Want.Out, r.Want.OutX), tile.Binary(r.Want.IO, r.Want.IOX))
}
