// Package survey judges the designs of a shuttle, one after another, on a chip that has them all.
package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/pack"
)

// A Survey judges the designs of a pack. Fill in the fields and call Run.
type Survey struct {
	Pack           *pack.Pack
	DesignPattern  *regexp.Regexp // matches the names of the designs to judge
	Target         station.Target // the chip; its Tile becomes each design in turn
	UsePackVectors bool           // run the vectors that the pack has for a design
	RandomSteps    int            // number of random steps for each other design
	Explore        bool           // explore each design instead of running random steps
	Budget         time.Duration  // for exploring each design
	Version        string         // version of the program
	RecordFolder   string         // folder for a recording of each design; "" is none

	OnDesign func(name string) (judged func()) // called before each design that is run

	// ResumeCommand returns the command that resumes a survey from a file of --json.
	ResumeCommand func(path string) string

	LeftNotes []string // notes for the user on the state of the chip after the last design

	passed map[string]Row // results of earlier surveys, by design; see Resume
	kept   string         // the file of --json, or ""
	keep   func(Row) error
	chip   *report.Chip // nil until it is opened
	open   []string     // lines whose wires are not yet proven
	noCell error        // why a design without the faulty cell could not be opened; may be nil
}

// Designs returns the designs to judge, in the pack's order.
func (s *Survey) Designs() (all []*pack.Design) {
	for i := range s.Pack.Designs {
		if d := &s.Pack.Designs[i]; s.DesignPattern.MatchString(d.Name) {
			all = append(all, d)
		}
	}
	return all
}

// seed returns the seed of random steps, explorations and random faults.
func (s *Survey) seed() uint64 { return cmp.Or(s.Target.Seed, 1) }

// Run judges the designs. It excuses FAILs with a common cause. A design that cannot be opened has a row. If the
// factory test cannot be opened either, or a wire is bad, Run returns an error. A fault in a cell that no design
// contains is bad input.
func (s *Survey) Run(ctx context.Context) (rows []Row, err error) {
	k, where, err := s.Target.FindKind()
	switch {
	case err != nil:
		return nil, err
	case k.RunsForeignCode, k.Simulated && where != "":
		return nil, failure.Usagef("transport %s: each design of a pack has its own gates: -t netlist simulates them",
			s.Target.Transport)
	}
	if rows, err = s.judgeAll(ctx); !k.Simulated { // simulated designs have no common wires
		for _, row := range excuse(rows) {
			err = cmp.Or(err, s.keep(row))
		}
	}
	return rows, err
}

func (s *Survey) judgeAll(ctx context.Context) (rows []Row, err error) {
	s.open = slices.Clone(fault.Lines[:])
	for _, d := range s.Designs() {
		row, before := s.passed[d.Name]
		if !before || s.chip == nil { // earlier results may belong to another chip
			judged, was, seen := s.OnDesign(d.Name), row, &witness{folder: s.RecordFolder}
			failed := driver.Fail.String()
			if was.Verdict == failed {
				seen.folder = "" // its recording remains, too
			}
			row, err = s.judge(ctx, d, seen, was.Verdict != failed)
			taken := was.Verdict == failed || err == nil && was.Verdict == row.Verdict
			switch {
			case taken:
				row = was
			case err == nil && was.Verdict != "" && row.Verdict == failed:
				err = failure.Usagef("--resume: %s was %s there, and fails here (%s), so the results are of another "+
					"chip, or it changed: leave --resume out", d.Name, was.Verdict, row.FirstDifference)
			}
			if err == nil {
				if judged(); !taken {
					err = s.keep(row)
				}
			}
		}
		if err != nil {
			return rows, s.stopped(ctx, err, len(rows))
		}
		rows = append(rows, row)
	}
	if s.chip == nil && s.noCell != nil {
		return nil, failure.Usage(s.noCell)
	}
	return rows, nil
}

func (s *Survey) stopped(ctx context.Context, err error, done int) error {
	switch {
	case done == 0 && ctx.Err() != nil:
		return failure.Newf(failure.Interrupted, "stopped before the first design was done: nothing was written")
	case done == 0:
		return err
	}
	kept := "they are not kept: give it a --json"
	if s.kept != "" {
		kept = "this continues: " + s.ResumeCommand(s.kept)
	}
	left := fmt.Sprintf("%d of %s tested; %s", done, printable.Count(len(s.Designs()), "design"), kept)
	if ctx.Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped: %s", left)
	}
	return fmt.Errorf("%w (%s)", err, left)
}

// judge judges a design, and records its run with a witness. If confirm is set and a FAIL is on proven wires, judge
// repeats the run after another wiring check, since a wire may have broken, and searches for the cause.
func (s *Survey) judge(ctx context.Context, d *pack.Design, seen *witness, confirm bool) (Row, error) {
	row := Row{Design: d.Name, Verdict: notJudged}
	if slices.Contains([]string{"medium", "high"}, d.Danger) && !s.Target.Insist {
		row.Reason = fmt.Sprintf("its danger level is %s: --insist tests it all the same", d.Danger)
		return row, nil
	}
	t, err := s.tile(ctx, d)
	if err != nil {
		return row.unjudged(ctx, err)
	}
	defer tile.CloseReference(t)
	row, err = s.judgeOnce(ctx, d, t, seen)
	if err != nil || row.Verdict != driver.Fail.String() || !confirm {
		return row, err
	}
	if len(s.open) < len(fault.Lines) {
		s.open = slices.Clone(fault.Lines[:])
		second := new(witness)
		if again, err := s.judgeOnce(ctx, d, t, second); err != nil || again.Verdict == notJudged {
			again.RecordingDigest = row.RecordingDigest
			return again, err
		}
		seen.cleared = second.cleared
	}
	row.Cause, err = seen.cause(ctx, t, row.Chip.Simulated())
	return row, err
}

// judgeOnce judges a design once, with t as its tile. If it uses unproven lines, the wires are checked first.
func (s *Survey) judgeOnce(ctx context.Context, d *pack.Design, t tile.Tile, seen *witness) (Row, error) {
	row := Row{Design: d.Name, Verdict: notJudged}
	r := station.Run{Target: s.Target, NoWiring: s.proven(t), Version: s.Version, Grade: new(station.Grading),
		WiringCommand: func(*station.Chip) string { return "bench wiring" }}
	r.Target.Tile, r.Target.Seed = t, s.seed()
	if s.chip == nil && s.Target.Speed.Clock != station.AuthorsClock { // the design determines the clock
		if err := r.Target.Check(); err != nil {
			return row, err
		}
	}
	defer func() {
		if left := r.Close(); r.Chip != nil {
			s.LeftNotes = left
		}
	}()
	if err := s.plan(ctx, d, &r); err != nil {
		return row.unjudged(ctx, err)
	}
	if err := r.Open(ctx); err != nil {
		if no, is := errors.AsType[*gates.NoCellError](err); is {
			s.noCell = fmt.Errorf("%s: %w", d.Name, no)
			err = fmt.Errorf("not judged: it has no cell for --fault cell:%s", &no.CellFault)
		}
		row, end := row.unjudged(ctx, err)
		return row, cmp.Or(end, s.Target.CommonObstacle(ctx, err))
	}
	if err := s.reached(r.Chip.Info); err != nil {
		return row, err
	}
	row.Chip, row.Explored = s.chip, r.Explore.Enabled && !d.Combinational
	if err := r.Prepare(ctx); err != nil {
		return row.unjudged(ctx, err)
	}
	if r.Chip.BrokenWires != nil {
		return row, failure.Newf(failure.Wire, "the wiring is at fault: %s", r.Chip.DescribeBadWires(" "))
	}
	if fine := r.Chip.UnprovenWires; fine != nil {
		s.open = slices.DeleteFunc(s.open, func(line string) bool { return !slices.Contains(fine.UnprovenLines, line) })
	}
	if err := seen.attend(&r, d.Name); err != nil {
		return row, err
	}
	defer seen.leave()
	row, err := row.ask(ctx, &r, seen)
	if s.Explore && !row.Explored && row.Reason != "" && !d.Combinational {
		row.Reason += "; the search found no vector, so it ran random steps"
	}
	if err == nil && row.Verdict == driver.Fail.String() && r.Chip.HasWires {
		row.clear(r.Chip.DoubtfulWires, tile.UnusedLines(t))
		seen.cleared = r.Chip.DoubtfulWires != nil && r.Chip.DoubtfulWires.BlamesDesign()
	}
	return row, err
}

// tile opens a design from the open pack, whose file may have been replaced since.
func (s *Survey) tile(ctx context.Context, d *pack.Design) (tile.Tile, error) {
	dir, err := s.Pack.Extract(d, "")
	if err != nil {
		return nil, err
	}
	of := s.Target
	of.TileName = dir
	err = of.OpenTile(ctx)
	return of.Tile, err
}

// proven reports whether the wires of all lines that a design uses are proven.
func (s *Survey) proven(t tile.Tile) bool {
	spare := tile.UnusedLines(t)
	return !slices.ContainsFunc(s.open, func(line string) bool { return !slices.Contains(spare, line) })
}

// plan selects the vectors of a design: all inputs if it has no state, or else the pack's, an exploration's or random
// steps. If the exploration finds nothing, it selects random steps.
func (s *Survey) plan(ctx context.Context, d *pack.Design, r *station.Run) error {
	random := plan.Selection{RandomSteps: s.RandomSteps, Seed: s.seed()}
	switch {
	case d.Combinational, d.Suite != "" && s.UsePackVectors:
		r.Vectors = plan.Selection{Seed: s.seed()} // vectors of the pack; for a design without state, all inputs
	case s.Explore:
		r.Vectors, r.Explore = plan.Selection{Seed: s.seed()}, station.Exploration{Enabled: true, Budget: s.Budget}
		err := r.Plan(ctx)
		if failure.KindOf(err) != failure.Nothing {
			return err
		}
		r.Vectors, r.Explore.Enabled = random, false
	default:
		r.Vectors = random
	}
	return r.Plan(ctx)
}

// reached returns an error if the earlier results belong to another chip.
func (s *Survey) reached(c report.Chip) error {
	c.Design, c.Sources = "", "" // each design has its own values
	if s.chip != nil {
		if differ := c.Differences(s.chip); len(differ) > 0 {
			return fmt.Errorf("the chip changed during the survey: %w", differ[0])
		}
		return nil
	}
	s.chip = &c
	for _, row := range s.passed {
		if differ := c.Differences(row.Chip); len(differ) > 0 {
			return failure.Usagef("--resume: the results are of another chip: %w", differ[0])
		}
	}
	return nil
}

// Suggestions returns commands that examine a FAIL (excused or not) or, after a WEAK, search for better vectors.
func (s *Survey) Suggestions(rows []Row) (steps []report.Suggestion) {
	fail, weak := first(rows, driver.Fail), first(rows, driver.Weak)
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Verdict == weak.Verdict && s.searchHelps(r) }); i >= 0 {
		weak = rows[i]
	}
	k, _, _ := s.Target.FindKind() // Run has found the kind
	excused := func(r Row) bool { return r.Verdict == notJudged && r.FailedVectors > 0 }
	lines, faults := alike(rows), suspects(rows)
	rare := slices.IndexFunc(rows, func(r Row) bool { return strings.HasSuffix(r.Cause, comesAndGoes) })
	if !k.Simulated && (lines != "" && rare < 0 || faults != "" || slices.ContainsFunc(rows, excused)) {
		of, verb, design, why := s.Target, "wiring", tile.FactoryTest{}.Name(), "only the wires"
		of.Speed = station.Speed{} // the wires are checked step by step
		if s.Target.Speed.Clock != "" && faults == "" {
			i := slices.IndexFunc(rows, func(r Row) bool { return r.FailedVectors > 0 })
			verb, design, why = "timing", s.Pack.Path+":"+rows[i].Design, "how fast the first that fails is"
		}
		switch {
		case faults != "":
			why += ": " + faults
		case lines != "":
			why += ": every failure is on " + lines
		}
		if rare >= 0 {
			why += "; a line that is wrong now and then may need more steps"
		}
		steps = append(steps, report.Suggestion{Args: append([]string{verb, "--tile", design}, of.Args()...),
			Purpose: why})
	}
	switch {
	case rare >= 0 && !s.Explore:
		again := s.inFull(rows[rare], false)
		again.Args = append(again.Args, strings.Fields(diagnose.RepeatFlags)...)
		again.Purpose = "a wrong design fails each time; a floating line may, too"
		return append(steps, again, report.Suggestion{Args: []string{"diagnose", "last"}, Purpose: "what explains it"})
	case fail.Design != "":
		return append(steps, s.inFull(fail, false))
	case weak.Design != "":
		return append(steps, s.inFull(weak, s.searchHelps(weak)))
	}
	return steps
}

// longer is the factor by which a suggested budget exceeds the budget of a search that left designs WEAK on a chip.
// For a simulation the same search is suggested, or a shorter one after random steps.
const longer = 4

// searchHelps reports whether a search may find vectors for a WEAK design: not if one has found none.
func (s *Survey) searchHelps(r Row) bool { return !r.MostFaultsUnknown && (r.Explored || !s.Explore) }

// inFull returns the command that runs only this design, according to its verdict, or that searches for vectors.
func (s *Survey) inFull(r Row, search bool) report.Suggestion {
	verb, why := "run", fmt.Sprintf("the first %s in full", r.Verdict)
	words := append([]string{"--tile", s.Pack.Path + ":" + r.Design}, s.Target.Args()...)
	d, err := s.Pack.Find(r.Design)
	random := err == nil && !d.Combinational && !(s.UsePackVectors && d.Suite != "")
	if random { // the steps are the same
		how, budget := []string{"--random", strconv.Itoa(s.RandomSteps)}, s.Budget
		switch slow := s.chip != nil && s.chip.Chipless(); {
		case search && s.Explore && !slow:
			why, budget = "a WEAK design with a longer search", longer*budget
		case search && !s.Explore:
			if why = "searches vectors for this WEAK design; a survey with --explore does it for each"; slow {
				budget /= longer
			}
		}
		if r.Explored || search {
			verb, how = "explore", []string{"--budget", budget.String(), "--save", "explored.vec"}
		}
		words = append(words, how...)
	}
	if s.Target.Seed == 0 && (random || len(s.Target.Faults) > 0) {
		words = append(words, "--seed", strconv.FormatUint(s.seed(), 10))
	}
	return report.Suggestion{Args: append([]string{verb}, words...), Purpose: why}
}
