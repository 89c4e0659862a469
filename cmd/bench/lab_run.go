package main

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/lab/fleet"
	"utfbench/runs/compare"
	"utfbench/station/native"
)

type labRun struct {
	targets targets
	lot     fleet.Lot
	on      string
	retests int
	name    string
}

func newLabRun(d *design) *cobra.Command {
	var o labRun
	cmd := &cobra.Command{
		Use:   "run [INVITE]",
		Short: "Judge all boards of a lab: yields, outliers",
		Long: `run runs the same vectors on all boards of a lab at the same time, and once more on those that do not
pass. One table has the result of each; below it are the first-pass yield and the yield after the
retest. Boards that are gone, taken or behind bad wires are in no yield. A board that passes in a
retest is FLAKY. Each run is entered into the history. Of five boards of a kind or more, outliers are
told.

Exit codes, by the gravest: 0 all pass; 1 FAIL or FLAKY; 2 bad input; 3 ERROR of some board, or the
golden unit did not pass; 4 WIRING of some board; 5 nothing was selected or judged, or the lab has no
boards; 130 interrupted.

` + environment(),
		Example: `  bench lab run --smoke
  bench lab run pi1.invite --suite chip --golden pi1/right --junit morning.xml
  bench lab run --smoke --on 'host=pi*,rev=tt09'`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, strings.Join(args, "")) },
	}
	f := cmd.Flags()
	o.targets.prepare(d)
	o.targets.optionFlags(f, native.LabOptions(&o.targets.Target)...)
	onFlag(f, &o.on)
	f.StringVar(&o.lot.Unit, "golden", "", "a `BOARD` that is known to be right, asked first; unless it passes "+
		"nothing is judged")
	f.Var(cli.Between(&o.retests, 1, 0, 100), "retest", "rerun failing boards up to N times; 0: never")
	o.targets.commonFlags(cmd, d, "board", "to open a board, waiting included, and again to "+
		"run the vectors on it; after that it is an ERROR")
	f.StringVar(&o.name, "lot", "", "the `NAME` by which the lab's page shows these runs together (default: the time)")
	return cmd
}

func (o *labRun) run(cmd *cobra.Command, invite string) (err error) {
	t, l := &o.targets, &o.lot
	if t.Run.Tags, err = l.Parse(o.on, o.name); err != nil {
		return err
	}
	if err := t.ready(cmd); err != nil {
		return err
	}
	t.Lab.Invitation = invite // so that bench again finds the lab too
	l.InJUnit = t.junit != ""
	defer t.files.Discard()
	if err := t.begin(cmd, l.WriteJUnit); err != nil {
		return err
	}
	l.Working, l.Member, l.Recording = cli.Working, t.member, t.runs.recording
	l.About = t.About()
	l.Ask = func(all []*native.Member) (*compare.Table, error) { return t.ask(cmd, all) }
	where, list, err := listLab(cmd, invite)
	if t.json && errors.Is(err, fs.ErrNotExist) {
		return failure.Usagef("%w: it was taken for an INVITE, since --json prints: use --json >%s", err, invite)
	}
	if err != nil {
		return err
	}
	if err := l.Muster(where, list); err != nil {
		return err
	}
	t.enter(cmd)
	defer func() { t.handIn(cmd, l.Numbers()) }()
	if err := l.Judge(cmd.Context(), t.Run.Asked.Distinct(), o.retests); err != nil {
		return err
	}
	return t.tell(cmd, l)
}
