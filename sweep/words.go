package sweep

import (
	"fmt"
	"io"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
)

// maxListed is the maximum number of blocks listed in a text.
const maxListed = 10

// FormatRate formats a speed in steps per second.
func FormatRate(steps int, took time.Duration) string {
	rate := float64(steps) / took.Seconds()
	switch {
	case rate >= 1e6:
		return fmt.Sprintf("%.1f M steps/s", rate/1e6)
	case rate >= 1e3:
		return fmt.Sprintf("%.1f k steps/s", rate/1e3)
	}
	return fmt.Sprintf("%.0f steps/s", rate)
}

// WriteVerdict writes the first failure and the result, with the verdict in its last line. before is the number of
// cases judged by earlier runs; an optional hint precedes a FAIL.
func (r *Result) WriteVerdict(w io.Writer, space tile.Space, t tile.Tile, before int, hint string) error {
	if err := WriteFailure(w, space, t, r.Blocks); err != nil {
		return err
	}
	took := time.Duration(r.Seconds * float64(time.Second))
	rate := fmt.Sprintf("%d steps in %s, %s", r.NewSteps, took.Round(time.Millisecond), FormatRate(r.NewSteps, took))
	judged := ""
	if before > 0 {
		judged = fmt.Sprintf(" (%d judged before)", before)
	}
	if r.Signed > 0 {
		fmt.Fprintf(w, "%d cases were generated and signed by the far end, CRC-32; the steps of %d were carried\n",
			r.Signed, r.Cases-r.Signed)
	}
	if r.Root != nil {
		fmt.Fprintf(w, "root %x\n", *r.Root)
	}
	switch r.Judge() {
	case driver.Fail:
		if hint != "" {
			fmt.Fprintln(w, hint)
		}
		why := ""
		if n := r.TotalBlocks - len(r.Blocks); n > 0 {
			why = fmt.Sprintf("; %s not started, since --max-failures was reached", printable.Count(n, "block"))
		}
		fmt.Fprintf(w, "FAIL  %s is at fault: %d of %d cases%s differ from the model, %s%s%s\n", r.Culprit(), r.Failed,
			r.Cases, judged, rate, why, r.NoChipNote())
	case driver.Flaky:
		fmt.Fprintf(w, "FLAKY %s is unsteady: %s signed wrong, but all steps right when carried, %s%s\n", r.Culprit(),
			printable.Plural(r.UnsteadyStretches, "stretch", "stretches"), rate, r.NoChipNote())
	default:
		fmt.Fprintf(w, "PASS  %s answered %d cases%s as the model says: %s%s\n", r.Subject(), r.Cases, judged, rate,
			r.NoChipNote())
	}
	return nil
}

// WriteFailure prints the first case that differs, in words and in bits, and lists the blocks with differing cases. It
// prints nothing if no case differs.
func WriteFailure(w io.Writer, space tile.Space, t tile.Tile, blocks []Block) error {
	f, err := FirstFailure(space, t, blocks)
	if f == nil {
		return err
	}
	fmt.Fprintf(w, "FAIL    %s\n", f.Case)
	for _, line := range report.ExplainDivergence(&f.Result) {
		fmt.Fprintf(w, "        %s\n", line)
	}
	shown := 0
	for _, b := range blocks {
		if b.Failed == 0 {
			continue
		}
		if shown++; shown <= maxListed {
			fmt.Fprintf(w, "        block %d, %s: %d of %d cases differ\n", b.Number, space.BlockText(b.Number),
				b.Failed, b.Cases)
		}
	}
	if shown > maxListed {
		fmt.Fprintf(w, "        and %s more\n", printable.Count(shown-maxListed, "block"))
	}
	return nil
}

// A Failure describes the first case that differs.
type Failure struct {
	Case   string // description
	Result driver.Result
	Trace  driver.Trace
}

// FirstFailure returns the first wrong case of ordered blocks, or nil. Errors report a bad block or the reference's.
func FirstFailure(space tile.Space, t tile.Tile, blocks []Block) (*Failure, error) {
	for _, b := range blocks {
		if b.First != nil {
			return explain(space, t, b)
		}
	}
	return nil, nil
}

func explain(space tile.Space, t tile.Tile, b Block) (*Failure, error) {
	got, err := decodeSamples(b.First.Got)
	if err != nil {
		return nil, failure.Usagef("block %d: %w", b.Number, err)
	}
	if b.First.Case < 0 || b.First.Case >= space.Cases(b.Number) {
		return nil, failure.Usagef("block %d: it has no case %d", b.Number, b.First.Case)
	}
	f := &Failure{Case: space.Case(b.Number, b.First.Case)}
	f.Trace.Steps = space.Append(nil, b.Number, b.First.Case)
	f.Trace.Got = got
	if len(got) != len(f.Trace.Steps) {
		return nil, failure.Usagef("block %d: %d samples of a case of %d steps", b.Number, len(got), len(f.Trace.Steps))
	}
	if err := f.Trace.Expect(t); err != nil {
		return nil, err
	}
	f.Result.Tile = t
	f.Trace.Judge(&f.Result, &driver.Tally{})
	if f.Result.FirstMismatch == nil {
		return nil, failure.Usagef("block %d: the samples of %s match the model", b.Number, f.Case)
	}
	return f, nil
}
