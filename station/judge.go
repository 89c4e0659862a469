package station

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// Judge runs the vectors, parks the chip and reports. It returns a reporter's error; others are in Outcome.BenchError.
func (r *Run) Judge(ctx context.Context, to report.Reporter) (o report.Outcome, err error) {
	c := r.Chip
	j := report.LiveRun{Runner: driver.Runner{Transport: c.Transport, Tile: c.Tile,
		Rules: driver.Rules{WiringReason: c.DescribeBadWires(" "), DoubtReason: c.WiringDoubt(),
			AcceptedLines: r.VectorPlan.AcceptedOutputs(), Repeat: c.HasWires && c.Recording == nil},
		Twin: c.twin(), Stream: r.VectorPlan.Stream}, Reporter: to,
		Resample: c.Recording == nil && c.Speed() == nil && !transport.IsFourState(c.Transport),
		Hint:     r.Hint, IdleFaults: c.IdleFaults, RecordedTime: r.RecordedTime}
	if r.Grade != nil {
		if r.VectorPlan.Invocation != nil {
			r.Grade.settle(r.VectorPlan.Invocation)
		}
		j.Grade = r.Grade.attach(&j.Runner, &r.Explore, r.Target.StartActivity)
	}
	if j.Hint == nil {
		j.Hint = c.Hint
	}
	if c.Recording != nil {
		j.CutReason, j.RecordedEnd = c.Recording.CutReason, c.Recording.End
	}
	return j.Run(ctx, r.start(), r.VectorPlan.Iterations)
}

// twin returns the function that opens a simulation of the tile's RTL beside a simulated chip, or nil for other chips.
func (c *Chip) twin() func(context.Context) (*driver.Twin, error) {
	own, is := c.Tile.(*gates.Tile)
	if !is || own.RTL == nil || c.OpenTwin == nil {
		return nil
	}
	return func(ctx context.Context) (*driver.Twin, error) { return c.OpenTwin(ctx, own) }
}

// PlanReplay returns a plan of the selected executions, for a chip that is a recording.
func (c *Chip) PlanReplay(s *plan.Selection) (plan.Plan, error) {
	s.Tile = c.Tile
	r, err := planReplay(s, c.Recording)
	if err != nil {
		return plan.Plan{}, err
	}
	if r.note != "" {
		c.Notes = append(c.Notes, r.note)
	}
	c.Transport = report.NewReplay(c.Recording, r.keep)
	return r.Plan, nil
}

// start returns the data of the run that is known before the first vector.
func (r *Run) start() report.Run {
	c := r.Chip
	host, _ := os.Hostname() // the machine may have no name
	start := report.Run{Version: r.Version, Transport: c.String(), Identity: c.Identity(r.VectorPlan.Digest),
		Target: c.TargetArgs, Notes: c.Notes, Seed: c.Seed, Vectors: r.VectorPlan.Vectors,
		Iterations: r.VectorPlan.Count, Invocation: r.VectorPlan.Invocation, Wires: c.WiringFindings(),
		Firmware: c.Firmware, Host: strings.TrimSpace(host + " " + runtime.GOOS + "/" + runtime.GOARCH),
		Started: time.Now(), Tags: c.MeasuredTags.With(r.Tags), Speed: c.Speed()}
	if c.Recording != nil {
		of := &c.Recording.Start
		start.Tags, start.Speed = of.Tags, of.Speed
	} else if note := exploredNote(r.VectorPlan.Suites, c.Tile); note != "" {
		start.Notes = append(slices.Clip(start.Notes), note)
	}
	return start
}

// Identity identifies the chip, its vectors and its reference.
func (c *Chip) Identity(vectors string) report.Identity {
	return report.Identity{Chip: c.Info, Tile: c.Tile.Name(), Revision: c.Tile.Revision(),
		ReferenceName: c.ReferenceName, Digest: vectors}
}

// SeedNote returns a note on how to reproduce the injected random faults, or "" if there are none.
func (c *Chip) SeedNote() string {
	if !fault.DependOnSeed(c.Faults) {
		return ""
	}
	return fmt.Sprintf("Faults were injected; with --seed %d they act the same way again.", c.Seed)
}

// AssessWires checks the wires before a run, and stores the result in the chip. A chip with BrokenWires must not be
// judged. Without a reference AssessWires checks nothing. see is a command that shows more details, or "".
func (c *Chip) AssessWires(ctx context.Context, see string) error {
	if _, silent := c.Tile.New().(tile.SilentReference); silent {
		c.Notes = append(c.Notes, "the wires are not checked, since that takes the tile's own "+
			"reference: see bench doctor")
		return nil
	}
	r, err := c.CheckWires(ctx)
	if err != nil {
		return failure.TransportError(ctx, err)
	}
	switch r.Verdict {
	case diagnose.BadWires:
		c.BrokenWires = r
	case diagnose.UnclearWires:
		note := "before the first vector: " + r.Sentence(c.Board, " ")
		if see != "" {
			note += "; see " + see
		}
		c.Notes = append(c.Notes, note)
		c.DoubtfulWires = r
	default:
		c.UnprovenWires = r
	}
	return nil
}

// DescribeBadWires returns the wiring fault that AssessWires or the replayed run found, or "". sep joins the suspects.
func (c *Chip) DescribeBadWires(sep string) string {
	if c.BrokenWires != nil {
		return c.BrokenWires.Sentence(c.Board, sep)
	}
	if c.Recording != nil && c.Recording.End != nil && c.Recording.End.WiresAtFault() {
		return strings.ReplaceAll(c.Recording.End.Hint, "\n  ", sep)
	}
	return ""
}

// WiringFindings returns the findings of the wiring check, such as faulty wires or another design, on a chip that is
// judged nevertheless. For a replay it returns the recorded findings.
func (c *Chip) WiringFindings() *report.WiringFindings {
	switch {
	case c.Recording != nil:
		return c.Recording.Start.Wires
	case c.other != "":
		return &report.WiringFindings{Reason: "what answers is not this design, or too broken to tell: " + c.other,
			Settled: report.OtherDesign}
	case c.DoubtfulWires != nil:
		w := &report.WiringFindings{Reason: c.DoubtfulWires.Reason}
		for _, s := range c.DoubtfulWires.SuspectsByLine() {
			w.Lines = append(w.Lines, s.Lines...)
		}
		switch {
		case c.DoubtfulWires.FaultLocated && c.DoubtfulWires.FaultyOutputs == nil:
			w.Settled = report.DesignAtFault
		case c.DoubtfulWires.FaultLocated:
			w.Settled = report.LineAtFault
		}
		return w
	}
	return nil
}

// WiringDoubt returns the wiring check's finding against the chip, or "".
func (c *Chip) WiringDoubt() string {
	w := c.WiringFindings()
	if w == nil || w.Settled == report.OtherDesign { // the user insists on judging another design
		return ""
	}
	return "before the first vector: " + w.Reason
}

// Hint returns advice on what to examine after a run, or "".
func (c *Chip) Hint(t *driver.Tally) string {
	text := c.DescribeBadWires("\n  ")
	if text == "" {
		text = report.NextHint(t, c.Tile, c.SeedNote())
	}
	if c.DoubtfulWires != nil && t.Verdicts[driver.Fail] > 0 {
		text = fmt.Sprintf("Before the first vector: %s. %s", c.DoubtfulWires.Reason, text)
	}
	if idle := report.DescribeIdleFaults(c.IdleFaults(), c.Speed()); idle != "" {
		text += " " + idle
	}
	return strings.TrimSpace(text)
}

// Command returns a bench command for the chip as shell text; see CommandArgs.
func (c *Chip) Command(words ...string) string { return printable.Command(c.CommandArgs(words...)...) }

// CommandArgs returns the words of a bench command for the chip. If the flags of its target are unknown, the command
// contains the placeholder TRANSPORT, so that it cannot run on another chip by mistake.
func (c *Chip) CommandArgs(words ...string) []string {
	rest := []string{"-t", "TRANSPORT"}
	if c.TargetArgs != nil {
		rest = nil
	}
	for i := 0; i < len(c.TargetArgs); i++ {
		if strings.HasPrefix(c.TargetArgs[i], "--") && slices.Contains(words, c.TargetArgs[i]) {
			i++ // words has another value of this flag
			continue
		}
		rest = append(rest, c.TargetArgs[i])
	}
	return slices.Concat(words, rest)
}

// WiringCommand returns the command that examines the chip's wires. It can be used as Run.WiringCommand.
func (c *Chip) WiringCommand() string { return c.Command("wiring") }
