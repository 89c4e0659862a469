package survey

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"utfbench/cause/cells"
	"utfbench/cause/diagnose"
	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// A witness is a report.Reporter that keeps a design's executions, and records them in a file if it has a folder.
type witness struct {
	folder     string
	first      string // describes the first difference
	executions []execution
	cleared    bool              // the factory test has shown the wires to be good
	pulses     *transport.Pulses // pulses of clk with which the first failure was repeated; may be nil
	differed   transport.Outputs // lines that differed in some step
	speed      *transport.Timing // speed of the run; nil if step by step

	report.Reporter             // writes the recording
	file            *files.File // nil if there is no folder
	sum             hash.Hash
}

type execution struct {
	vector string
	steps  []transport.Step
	got    []transport.Sample
}

// attend creates the recording of a design's run if there is a folder for it.
func (w *witness) attend(run *station.Run, design string) (err error) {
	if w.folder == "" {
		w.Reporter = report.ResultFunc(func(*driver.Result) error { return nil })
		return nil
	}
	w.sum = sha256.New()
	if w.file, err = files.Create(filepath.Join(w.folder, design+".rec"), 0); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	w.Reporter = report.NewWriter(io.MultiWriter(w.file, w.sum), run.VectorPlan.Suites...)
	return nil
}

func (w *witness) Result(res *driver.Result) error {
	if res.FirstMismatch != nil && w.first == "" {
		w.first = fmt.Sprintf("step %d of %s: %s", res.FirstMismatch.Index+1, res.Vector.Name,
			report.DescribeDivergence(res))
	}
	if t := res.Trace; t != nil && len(t.Got) > 0 && res.Verdict.AboutChip() {
		w.executions = append(w.executions, execution{res.Vector.Name, slices.Clone(t.Steps), slices.Clone(t.Got)})
	}
	return w.Reporter.Result(res)
}

// keep commits the recording, and returns its SHA-256 in hex, or "" if there is none.
func (w *witness) keep() (string, error) {
	if w.file == nil {
		return "", nil
	}
	return hex.EncodeToString(w.sum.Sum(nil)), w.file.Commit()
}

// leave removes a recording that was not committed.
func (w *witness) leave() {
	if w.file != nil {
		w.file.Discard()
	}
}

// wiresCleared is the end of a FAIL's cause if the wires are good, and comesAndGoes if one line may be intermittent.
const wiresCleared, comesAndGoes = "; the factory test clears the wires, so it is the design",
	"perhaps an intermittent line, wrong now and then"

// tooSlow is the beginning of a FAIL's cause if the first failure passes with long pulses of clk.
const tooSlow = "too slow: the first failure "

// searchTime limits the search for a cell, since hundreds of designs may fail.
const searchTime = 20 * time.Second

// cause names a diagnosis's suspects that explain every sample, or else a cell that does. A simulation has no wires.
func (w *witness) cause(ctx context.Context, t tile.Tile, simulated bool) (string, error) {
	own, is := t.(*gates.Tile)
	if !is {
		return "", nil
	}
	if p := w.pulses; p != nil && p.LongPasses {
		return fmt.Sprintf("%spasses with pulses of clk that are high for %s, and fails with %s", tooSlow, p.Long,
			p.Usual), nil
	}
	wires, run := &diagnose.Run{Tile: t, Context: ctx, OnlyExact: true}, &cells.Run{Tile: t}
	wires.BeginRun(w.speed)
	for _, e := range w.executions {
		if err := errors.Join(wires.Add(e.vector, e.steps, e.got), run.Add(e.vector, e.steps, e.got)); err != nil {
			return "", err
		}
	}
	if wires.FailedExecutions == 0 {
		return fmt.Sprintf("only %s differs, from levels that a run deduces: the design, a wire or a cell is at fault",
			w.differed), nil
	}
	if !simulated && !w.cleared {
		if words, err := wireCause(wires); words != "" || err != nil {
			return words, err
		}
	}
	soon, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	words, err := cellCause(soon, run, own.Design)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		words, err = fmt.Sprintf("no cause was found in %v", searchTime), nil
	}
	switch {
	case w.cleared:
		words += wiresCleared
	case simulated, words != noFault:
	case w.speed != nil:
		words += fmt.Sprintf("; with clk every %s %s may be too late for the sample, or intermittent",
			w.speed.Period, w.differed)
	case w.differed.Count() == 1:
		words += fmt.Sprintf("; only %s differs: %s", w.differed, comesAndGoes)
	}
	return words, err
}

// ifWires and ifTimes introduce the suspects if wires or times explain a FAIL; or separates them, and is their parts.
const ifWires, ifTimes, or, is = " are explained if ", " are explained if, at this speed, ", ", or ", " is "

// wireCause names the suspects that explain every sample of a run, or returns "".
func wireCause(run *diagnose.Run) (string, error) {
	f, err := run.Diagnose()
	if err != nil || f.TieCount == 0 || f.Causes[0].WrongBits > 0 {
		return "", err
	}
	suspects, _ := search.SplitByRarity(f.TiedCauses())
	words := search.DescribeHypotheses(search.Hypotheses(suspects), func(search.Suspect) string { return "" })
	how := ifWires
	if f.Causes[0].Kind() == search.Timing {
		how = ifTimes
	}
	if f.EquivalentPin != "" {
		words = append(words, "cell "+f.EquivalentPin)
	}
	best := f.Causes[0]
	return fmt.Sprintf("%d of %d bits%s%s", best.ExplainedBits, best.DifferingBits, how, strings.Join(words, or)), nil
}

// noFault is the cause of a FAIL that neither a wire nor a cell explains.
const noFault = "no single fault of a cell or a wire explains it"

func cellCause(ctx context.Context, run *cells.Run, d *gates.Design) (string, error) {
	found, err := run.Locate(ctx, d)
	switch {
	case err != nil:
		return "", err
	case found.Reason() == "":
		return noFault, nil
	case len(found.Best) > 1:
		return fmt.Sprintf("explained by %s, or %s of cells", &found.Best[0],
			printable.Count(len(found.Best)-1, "other fault")), nil
	}
	return fmt.Sprintf("explained by %s", &found.Best[0]), nil
}
