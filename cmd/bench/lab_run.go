package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cmdline"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/tags"
	"utfbench/lab/fleet"
	"utfbench/runs/lot"
	"utfbench/runs/matrix"
	"utfbench/runs/next"
)

// labRun are the flags of bench lab run.
type labRun struct {
	boardsOfLab
	retests   int
	limits    []string
	guard     string
	name      string
	noHistory bool

	json  bool
	junit string
}

func newLabRun(d *design) *cobra.Command {
	var o labRun
	cmd := &cobra.Command{
		Use:   "run [INVITE]",
		Short: "Judge all boards of a lab: yields, limits, outliers",
		Long: `run asks all boards of a lab the same vectors at the same time, and those that do not pass once more.
One table says what became of each; below it are the first-pass yield and the yield after the
retest. Boards that are gone, taken, behind bad wires or that could not be asked are in no yield.
A board that passes in a retest is FLAKY. Each run is entered into the history.

--golden BOARD is a board that is known to be right: it is asked first, and if it does not pass
nothing else is judged. A --limit is about what is measured of a board, and no part of its verdict:
rate, in steps a second, or mcu_celsius of a demo board. What lies inside of it by less than the
--guard band is MARGINAL, and told. Of five boards of a kind or more, those whose value lies far
from the median are told.

--clocks measures the highest clock of each board after its first run, whole and line by line, as
bench timing does: fmax and fmax.uo3 are values for --limit then. Boards that cannot be asked at
speed have none, and are not held against such limits.

Exit codes, by the gravest: 0 all pass; 1 FAIL or FLAKY, or outside of a limit; 2 bad input; 3 ERROR,
of some board the bench could not find out, the golden unit did not pass, or a limit's value is not
known; 4 WIRING of some board; 5 nothing was selected or judged, or the lab has no boards;
130 interrupted.

` + environment(),
		Example: `  bench lab run --smoke
  bench lab run pi1.invite --suite chip --golden pi1/right --junit morning.xml
  bench lab run --smoke --on 'host=pi*,rev=tt09' --limit 'rate>=40000' --guard 5%
  bench lab run --smoke --clocks --limit 'fmax>=20MHz'`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, strings.Join(args, "")) },
	}
	o.targets.labFlags(cmd, d)
	o.selected.flags(cmd, d)
	o.selected.acceptFlag(cmd)
	f := cmd.Flags()
	onFlag(f, &o.on)
	f.StringVar(&o.golden, "golden", "", "a `BOARD` that is known to be right, asked first; unless it passes nothing "+
		"is judged")
	f.IntVar(&o.retests, "retest", 1, "rerun failing boards up to N times; 0: never")
	f.StringArrayVar(&o.limits, "limit", nil, fmt.Sprintf("`MEASURE>=NUMBER` or MEASURE<=NUMBER of %s, %s or, with "+
		"--clocks, %s or %[3]s.LINE; can be given more than once", lot.Rate, tags.Celsius, lot.Clock))
	f.BoolVar(&o.clocks, "clocks", false, "then measure the highest clock of each board, whole and line by line")
	f.StringVar(&o.guard, "guard", "0%", "the guard band, a part of each limit in `percent`")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "to open a board, waiting included, and again to run the "+
		"vectors on it; after that it is an ERROR")
	f.BoolVar(&o.noWiring, "no-wiring", false, "do not check the wires first; see bench wiring")
	f.StringVar(&o.name, "lot", "", "the `NAME` by which the lab's page shows these runs together (default: the time)")
	jsonFlag(cmd, &o.json)
	f.StringVar(&o.junit, "junit", "", "write JUnit XML to this file, a test suite for each board")
	f.BoolVar(&o.noHistory, "no-history", false, "do not enter the runs into the history; see bench history")
	o.targets.runs.flags(cmd, d)
	return cmd
}

// check rejects bad input before connecting to the lab, and begins the lot.
func (o *labRun) check(cmd *cobra.Command) (err error) {
	for _, name := range []string{"junit", "file", "suite", "db", "on", "golden"} {
		if f := cmd.Flags().Lookup(name); f.Changed && (f.Value.String() == "" || f.Value.String() == "[]") {
			return failure.Usagef("--%s is empty: give it a value, or leave it out", name)
		}
	}
	switch {
	case o.timeout <= 0:
		return failure.Usagef("--timeout %s: has to be more than 0", o.timeout)
	case o.retests < 0 || o.retests > maxRetests:
		return failure.Usagef("--retest %d: has to be 0 to %d", o.retests, maxRetests)
	}
	o.begin()
	name := cmp.Or(o.name, time.Now().UTC().Format("20060102-150405"))
	if o.tags, err = tags.Parse([]string{tags.Lot + "=" + name}); err != nil || strings.Contains(name, "/") {
		return failure.Usagef("--lot %q: a name has 1 to 200 bytes of printable text without /", name)
	}
	if o.fit, err = fleet.ParseOn(o.on); err != nil {
		return err
	}
	if o.lot.Guard, err = lot.ParseGuard(o.guard); err != nil {
		return fmt.Errorf("--guard %w", err)
	}
	for _, text := range o.limits {
		limit, err := lot.ParseLimit(text)
		if err != nil {
			return fmt.Errorf("--limit %w", err)
		}
		if lot.IsClock(limit.Measure) && !o.clocks {
			return failure.Usagef("--limit %q: %s is measured only with --clocks: add it", text, limit.Measure)
		}
		o.lot.Limits = append(o.lot.Limits, limit)
	}
	return variables.Take(cmd.Flags())
}

// maxRetests is more than anybody has patience for.
const maxRetests = 100

func (o *labRun) run(cmd *cobra.Command, invite string) (err error) {
	if err := o.check(cmd); err != nil {
		return err
	}
	o.selected.Seed = 1 // so that steps by chance are the same the next time
	if of, users := o.targets.seeded(cmd); users {
		o.selected.Seed = of.Seed
	}
	if o.asked, err = o.selected.Plan(1); err != nil {
		return err
	}
	if o.asked.Vectors == 0 {
		return o.selected.nothing()
	}
	o.asked.Asked.NoWiring = o.noWiring
	o.speedy.from, o.speedy.of = o.asked.Distinct(), map[string][]driver.Job{}
	o.lot.About = matrix.About{Bench: version(), Tile: o.targets.design.tile.Name(), Vectors: o.asked.Vectors,
		Digest: o.asked.Digest}
	out := files.Set{Out: standard(cmd, o.junit)}
	defer out.Discard()
	var file io.Writer
	if o.inJUnit = o.junit != ""; o.inJUnit {
		if file, err = out.Create("--junit", o.junit, 0); err != nil {
			return err
		}
	}
	if err := o.muster(cmd, invite); err != nil {
		return err
	}
	if !o.noHistory {
		o.history = o.targets.runs.enterInto(cmd)
	}
	defer o.handIn(cmd)
	ask := func(_ context.Context, boards []*lot.Board) error { return o.askBoards(cmd, boards) }
	if err := o.lot.Ask(cmd.Context(), ask, o.retests); err != nil {
		return err
	}
	if len(o.lot.Boards) == 0 {
		return o.fit.Unmet()
	}
	o.causes(cmd.Context())
	return o.tell(cmd, file, &out)
}

// tell tells of the lot, and ends with its exit code.
func (o *labRun) tell(cmd *cobra.Command, file io.Writer, out *files.Set) error {
	tell := o.lot.Text
	if o.json {
		tell = o.lot.JSON
	}
	err := tell(cmd.OutOrStdout())
	if err == nil && file != nil {
		err = o.writeJUnit(file)
	}
	if err == nil {
		err = out.Commit()
	}
	if err == nil && !o.json {
		next.Write(cmd.OutOrStdout(), o.next(), cmdline.Line)
	}
	if err != nil {
		return benchFault(fmt.Errorf("writing the table: %w", err))
	}
	if o.lot.Interrupted() {
		return failure.Told(failure.Interrupted)
	}
	return o.end()
}

// end returns the error of the lot: first the bench's, then wires, then failing boards or limits.
func (o *labRun) end() error {
	v := o.lot.Verdict()
	switch limited := o.lot.Limited(); {
	case limited == lot.Unmeasured:
		return failure.Told(failure.Bench)
	case limited == lot.Outside && (v == driver.Pass || v == driver.Skipped):
		return failure.Told(failure.Chip)
	}
	return judged(v)
}
