package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/internal/tags"
	"utfbench/internal/terminal"
	"utfbench/lab/fleet"
	"utfbench/runs/lot"
	"utfbench/runs/matrix"
	"utfbench/runs/next"
	"utfbench/station/native"
)

// labRun are the flags of bench lab run.
type labRun struct {
	targets   targets
	lot       fleet.Lot
	on        string
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
	f := cmd.Flags()
	o.targets.prepare(d)
	o.targets.optionFlags(f, o.targets.labOptions()...)
	selectFlags(f, &o.targets.Run.Vectors)
	acceptFlag(f, &o.targets.Run.Vectors.AcceptWeak)
	onFlag(f, &o.on)
	f.StringVar(&o.lot.Unit, "golden", "", "a `BOARD` that is known to be right, asked first; unless it passes "+
		"nothing is judged")
	f.IntVar(&o.retests, "retest", 1, "rerun failing boards up to N times; 0: never")
	f.StringArrayVar(&o.limits, "limit", nil, fmt.Sprintf("`MEASURE>=NUMBER` or MEASURE<=NUMBER of %s, %s or, with "+
		"--clocks, %s or %[3]s.LINE; can be given more than once", lot.Rate, tags.Celsius, lot.Clock))
	f.BoolVar(&o.lot.Clocks, "clocks", false, "then measure the highest clock of each board, whole and line by line")
	f.StringVar(&o.guard, "guard", "0%", "the guard band, a part of each limit in `percent`")
	f.DurationVar(&o.targets.Timeout, "timeout", 10*time.Minute, "to open a board, waiting included, and again to "+
		"run the vectors on it; after that it is an ERROR")
	f.BoolVar(&o.targets.Run.NoWiring, "no-wiring", false, "do not check the wires first; see bench wiring")
	f.StringVar(&o.name, "lot", "", "the `NAME` by which the lab's page shows these runs together (default: the time)")
	jsonFlag(cmd, &o.json)
	f.StringVar(&o.junit, "junit", "", "write JUnit XML to this file, a test suite for each board")
	f.BoolVar(&o.noHistory, "no-history", false, "do not enter the runs into the history; see bench history")
	o.targets.runs.flags(cmd, d)
	return cmd
}

// check rejects bad input before connecting to the lab.
func (o *labRun) check(cmd *cobra.Command) (err error) {
	if err := notEmpty(cmd, "junit", "file", "suite", "db", "on", "golden"); err != nil {
		return err
	}
	switch {
	case o.targets.Timeout <= 0:
		return failure.Usagef("--timeout %s: has to be more than 0", o.targets.Timeout)
	case o.retests < 0 || o.retests > maxRetests:
		return failure.Usagef("--retest %d: has to be 0 to %d", o.retests, maxRetests)
	}
	name, l := cmp.Or(o.name, time.Now().UTC().Format("20060102-150405")), &o.lot
	o.targets.Run.Tags, err = tags.Parse([]string{tags.Lot + "=" + name})
	if err != nil || strings.Contains(name, "/") {
		return failure.Usagef("--lot %q: a name has 1 to 200 bytes of printable text without /", name)
	}
	if l.On, err = fleet.ParseOn(o.on); err != nil {
		return err
	}
	if l.Guard, err = lot.ParseGuard(o.guard); err != nil {
		return fmt.Errorf("--guard %w", err)
	}
	for _, text := range o.limits {
		limit, err := lot.ParseLimit(text)
		if err != nil {
			return fmt.Errorf("--limit %w", err)
		}
		if lot.IsClock(limit.Measure) && !l.Clocks {
			return failure.Usagef("--limit %q: %s is measured only with --clocks: add it", text, limit.Measure)
		}
		l.Limits = append(l.Limits, limit)
	}
	return nil
}

// maxRetests is more than anybody has patience for.
const maxRetests = 100

func (o *labRun) run(cmd *cobra.Command, invite string) (err error) {
	if err := o.check(cmd); err != nil {
		return err
	}
	t, l := &o.targets, &o.lot
	if err := t.ready(cmd); err != nil {
		return err
	}
	t.Lab.Invitation = invite // so that bench again finds the lab too
	if err := t.plan(cmd); err != nil {
		return err
	}
	l.Working, l.Member, l.Recording = terminal.Working, t.member, t.runs.recording
	l.About = t.about()
	l.Ask = func(all []*native.Member) (*matrix.Table, error) { return t.ask(cmd, all) }
	out := files.Set{Out: standard(cmd, o.junit)}
	defer out.Discard()
	var file io.Writer
	if l.InJUnit = o.junit != ""; l.InJUnit {
		if file, err = out.Create("--junit", o.junit, 0); err != nil {
			return err
		}
	}
	where, list, err := listLab(cmd, invite)
	if err != nil {
		return err
	}
	if err := l.Muster(where, list); err != nil {
		return err
	}
	if !o.noHistory {
		t.History = t.runs.enterInto(cmd)
	}
	if t.History != "" {
		defer func() { handInDue(cmd, invite, t.History, func(*fleet.Given) {}, l.Numbers()...) }()
	}
	if err := l.Judge(cmd.Context(), t.Run.Asked.Distinct(), o.retests); err != nil {
		return err
	}
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
		err = o.lot.WriteJUnit(file)
	}
	if err == nil {
		err = out.Commit()
	}
	if err != nil {
		return benchFault(fmt.Errorf("writing the table: %w", err))
	}
	if !o.json {
		next.Write(cmd.OutOrStdout(), o.lot.Next(o.targets.runs.DB), printable.Command)
	}
	if o.lot.Interrupted() {
		return failure.Told(failure.Interrupted)
	}
	// first the bench's, then wires, then failing boards or limits
	v := o.lot.Verdict()
	switch limited := o.lot.Limited(); {
	case limited == lot.Unmeasured:
		return failure.Told(failure.Bench)
	case limited == lot.Outside && (v == driver.Pass || v == driver.Skipped):
		return failure.Told(failure.Chip)
	}
	return judged(v)
}
