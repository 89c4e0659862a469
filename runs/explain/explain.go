// Package explain presents findings about a run: which wire is at fault, where it is on the board, how much it
// explains, and where to measure. A [Page] is the report of a run with such an explanation. A [Minimisation] finds a
// short sequence of steps that still fails. A [Coverage] shows which faults of a tile's gates some vectors detect.
package explain

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"utfbench/boards"
	"utfbench/cause/cells"
	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// A Diagnosis explains a recorded run, or several runs of one chip. docs/formats.md describes its fields.
type Diagnosis struct {
	files.DocumentHead
	Transport         string `json:"transport"`
	Board             string `json:"board"`
	Revision          string `json:"revision"`
	CutReason         string `json:"cut,omitempty"` // why the recording is incomplete
	Executions        int    `json:"executions"`
	MissingExecutions int    `json:"missing,omitempty"` // planned executions that lack samples
	Errors            int    `json:"errors,omitempty"`  // ERROR executions with samples, which are no evidence
	Failed            int    `json:"failed"`
	Runs              []Run  `json:"runs,omitempty"` // the runs if there are several
	*Explanation
	RunNames []string `json:"-"` // names of the runs
	often    []string // arguments that repeat the first run many times; nil if that would show no more

	Ambiguous bool     `json:"-"` // several causes explain the runs equally well
	own       bool     // the vectors were the user's or random, so no name selects one
	against   string   // reference of the first run unless it is the tile's own
	factory   bool     // the factory test would distinguish the design from wires and pads, but has not been run
	unchecked []string // flags of bench loop if the runs did not check the wires: a bad wire would end the loop

	cut      int            // number of ABORTED executions that differ before their end
	unjudged driver.Verdict // verdict of the unjudged executions if nothing differs
	none     bool           // no execution was judged

	Probe *Probe `json:"probe,omitempty"` // where to measure if no vector would distinguish the causes

	MayBeCell bool            `json:"-"`                // a search inside the chip may find the fault
	Cell      *cells.Location `json:"inside,omitempty"` // the cell at fault; nil if there was no search
	whole     bool            // a cause explains every sample
}

// A Probe is the place to measure next.
type Probe struct {
	Vector string `json:"vector"`
	Step   int    `json:"step"`  // from 1
	Lines  string `json:"lines"` // the lines, with their places on the board
}

// probe returns the first wrong step of a finding with the suspected pins, including those of tied single-line causes,
// or else the wrong pins. It returns nil if there is no wrong step.
func probe(b *boards.Board, f *diagnose.Finding) *Probe {
	if f.FirstWrongStep == nil {
		return nil
	}
	first, lines := f.FirstWrongStep, f.FirstWrongStep.Lines.Names()
	if f.Conclusion == diagnose.Unclear || f.Conclusion == diagnose.Intermittent {
		lines = nil
		for i, c := range f.Causes[:f.TieCount] {
			for _, s := range c.Suspects() {
				if i == 0 || len(s.Lines) == 1 && !slices.Contains(lines, s.Lines[0]) {
					lines = append(lines, s.Lines...)
				}
			}
		}
		lines = slices.DeleteFunc(lines, func(line string) bool { return !slices.Contains(fault.Lines, line) })
		if len(lines) == 0 { // a register bit has no pin
			lines = first.Lines.Names()
		}
	}
	return &Probe{first.Vector, first.Step + 1, transport.AbbreviateLines(lines) + b.Probes(lines)}
}

// A Run is one of the runs that a Diagnosis explains.
type Run struct {
	Name       string            `json:"run"` // the user's name for it
	Transport  string            `json:"transport"`
	Speed      *transport.Timing `json:"speed,omitempty"` // nil if step by step
	CutReason  string            `json:"cut,omitempty"`
	Executions int               `json:"executions"`
	Failed     int               `json:"failed"`

	rec      *report.Recording
	judged   int // number of executions that are PASS or FAIL
	cut      int // number of ABORTED executions that differ before their end; Failed excludes them
	missing  int // number of executions that lack samples
	errors   int // number of ERRORs with samples
	unjudged map[driver.Verdict]*unjudged
}

// NewRun returns a recording as a run to explain.
func NewRun(name string, rec *report.Recording) Run {
	return Run{Name: name, Transport: rec.Start.Transport, Speed: rec.Start.Speed, CutReason: rec.CutReason, rec: rec,
		unjudged: map[driver.Verdict]*unjudged{}}
}

// failedAlone reports whether the run is a FAIL without a reference.
func (r Run) failedAlone() bool {
	start, end := &r.rec.Start, r.rec.End
	return start.ReferenceName == report.NoReference && end != nil && end.Verdict == driver.Fail.String()
}

// CheckSameChip returns an error for a capture, and for runs of different chips or revisions. The vectors, speeds and
// references of the runs may differ, since a diagnosis has its own reference.
func CheckSameChip(runs []Run) error {
	for _, r := range runs {
		if asked := r.rec.Start.Invocation; asked != nil && asked.Capture != nil {
			return failure.Usagef("%s is of bench capture, and a diagnosis takes vectors: bench run", r.Name)
		}
	}
	first := runs[0].rec.Start.Identity
	for _, r := range runs[1:] {
		is := r.rec.Start.Identity
		is.Digest, is.ReferenceName = first.Digest, first.ReferenceName
		if differ := is.Differences(&first); len(differ) > 0 {
			d := differ[0]
			return failure.Usagef("%s and %s are of different chips, so no one cause explains both: %s is %q in %s "+
				"and %q in %s%s", r.Name, runs[0].Name, d.Property, d.New, r.Name, d.Old, runs[0].Name,
				reseed(&is, &first))
		}
	}
	return nil
}

// reseed returns advice to repeat a run if the runs differ only in the seed of their faults, or "".
func reseed(is, first *report.Identity) string {
	faults, _ := fault.CutSeed(is.Faults)
	others, seed := fault.CutSeed(first.Faults)
	if seed == "" || faults != others {
		return ""
	}
	return "; repeat the former with --seed " + seed
}

// DiagnoseRecordings diagnoses recorded runs of one chip on a board, with t as the reference. simulated means that the
// chip is a simulated design, without wires. The budget is for faults of several lines; 0 means search.DefaultBudget.
// Errors come from reading a recording or from the context.
func DiagnoseRecordings(ctx context.Context, runs []Run, b *boards.Board, t tile.Tile, simulated bool,
	budget time.Duration) (*Diagnosis, error) {
	c := &diagnose.Run{Tile: t, Simulated: simulated, HasInjectedFaults: runs[0].rec.Start.Faults != "",
		Runs: len(runs), Context: ctx, Budget: budget}
	var wires *report.WiringFindings
	own := false
	for i := range runs {
		wires = cmp.Or(wires, runs[i].rec.Start.Wires)
		own = own || len(runs[i].rec.SuiteFiles) > 0
		if err := runs[i].add(ctx, c); err != nil {
			return nil, err
		}
	}
	f, err := find(c, wires)
	if err != nil {
		return nil, err
	}
	f.ReferenceAgrees = f.ReferenceAgrees || f.Conclusion == diagnose.NoDifference && !f.OnlyDeduced &&
		slices.ContainsFunc(runs, Run.failedAlone)
	e := NewExplanation(b, f, wires)
	d := &Diagnosis{Transport: runs[0].Transport, Board: b.Name, Revision: t.Revision(), CutReason: runs[0].CutReason,
		against:    runs[0].rec.Start.ReferenceName,
		Executions: c.Executions, Failed: cmp.Or(c.FailedExecutions, c.DeducedFails),
		Explanation: e, Probe: probe(b, &f), MayBeCell: f.MayBeCell() && !isOther(wires),
		Ambiguous: f.TieCount > 1 && f.Facts == nil && e.Conclusion != string(diagnose.Logic), own: own,
		factory: b.Mux != nil && !runs[0].rec.Start.Chipless() && wires == nil,
		whole:   len(f.Causes) > 0 && f.Causes[0].Bits == 0}
	if a := runs[0].rec.Start.Invocation; a != nil {
		steady := runs[0].rec.Start.Kind == report.Netlist // its faults are permanent
		if !steady && strings.Contains(e.Reason, diagnose.RepeatFlags) ||
			own && f.Conclusion == diagnose.Intermittent && runs[0].rec.Start.Count < diagnose.RepeatCount {
			d.often = slices.Concat([]string{"run"}, a.RunFlags(), strings.Fields(diagnose.RepeatFlags))
		}
		if a.NoWiring {
			d.unchecked = []string{"--no-wiring"}
			if e.Conclusion == string(diagnose.Unexplained) {
				e.Reason += "; the wires were not checked before the run"
			}
		}
	}
	if f.Conclusion == diagnose.NoDifference && !f.OnlyDeduced {
		d.unexplained(runs)
	}
	for i := range runs {
		d.MissingExecutions += runs[i].missing
		d.cut += runs[i].cut
		d.Errors += runs[i].errors
	}
	d.Failed -= d.cut
	if len(runs) > 1 {
		d.Runs = runs
	}
	if f.Conclusion == diagnose.Unclear && (d.factory || e.Conclusion == string(diagnose.Logic)) { // no probe needed
		d.Probe = nil
	}
	return d, nil
}

// SearchCells searches the chip's gates for the cell that explains a recorded run. If it finds one, and no wire or
// register bit explains the run, the cell becomes the conclusion.
func (d *Diagnosis) SearchCells(ctx context.Context, rec *report.Recording, t tile.Tile, g *gates.Design) error {
	run := &cells.Run{Tile: t}
	for p, err := range rec.Executions() {
		if err == nil && len(p.Got) > 0 && p.Verdict.AboutChip() {
			err = run.Add(p.Vector, p.Steps, p.Got)
		}
		if err != nil {
			return err
		}
	}
	if run.CountFailed() == 0 {
		return nil
	}
	found, err := run.Locate(ctx, g)
	if err != nil {
		return err
	}
	d.Cell = found
	d.inside(rec.Start.Faults != "")
	return nil
}

// inside revises the conclusion after a search inside the chip. faulty reports whether faults were injected.
func (d *Diagnosis) inside(faulty bool) {
	why := d.Cell.Reason()
	if why == "" && d.whole { // no cell explains more than that
		d.Cell.Best, d.Cell.NextBest = []cells.Place{}, nil
	}
	if why == "" || !d.MayBeCell {
		return
	}
	several := d.Conclusion == string(diagnose.SeveralFaults)
	if several && d.whole {
		if d.Cell.Best[0].PartlyExplained > 0 {
			return // the pair explains more
		}
		why = "a cell inside the chip explains every answer, and no single wire does; several faults together do, " +
			"too: " + strings.Join(d.Suspects, "; ")
	}
	if logic := d.Conclusion == string(diagnose.Logic); faulty && logic || !logic && len(d.Facts) > 0 || several {
		d.Explanation = &Explanation{Conclusion: string(diagnose.Cell), Reason: why}
		d.Probe, d.Ambiguous = nil, false
	}
}

func (r *Run) add(ctx context.Context, to *diagnose.Run) error {
	before, failed, deduced := to.Executions, to.FailedExecutions, to.DeducedFails
	to.BeginRun(r.Speed)
	start := &r.rec.Start
	if end := r.rec.End; end != nil && end.Evidence != nil {
		to.UnstableFacts = append(to.UnstableFacts, end.Evidence.UnstableFacts()...)
		to.Pulses = cmp.Or(to.Pulses, end.Evidence.Pulses)
	}
	r.missing = start.Vectors * max(1, start.Count)
	for p, err := range r.rec.Executions() {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		r.note(p)
		if p.Verdict == driver.Skipped || len(p.Steps) > 0 && len(p.Got) == len(p.Steps) {
			r.missing--
		}
		if len(p.Got) == 0 {
			continue
		}
		if !p.Verdict.AboutChip() {
			r.errors++
			continue
		}
		to.CountVerdict(p.Verdict)
		differed := to.FailedExecutions
		if err := to.Add(p.Vector, p.Steps, p.Got); err != nil {
			return err
		}
		if p.Verdict == driver.Aborted {
			r.cut += to.FailedExecutions - differed
		}
	}
	r.missing = max(0, r.missing)
	r.Executions, r.Failed = to.Executions-before, to.FailedExecutions-failed-r.cut
	if to.FailedExecutions == 0 {
		r.Failed = to.DeducedFails - deduced
	}
	return nil
}
