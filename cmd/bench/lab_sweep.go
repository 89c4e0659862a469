package main

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"utfbench/lab/fleet"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/sweep"
)

type labSweep struct {
	sweeping
	on string

	mu    sync.Mutex // over what is written while boards work
	shown *blockBar  // nil before
}

func newLabSweep(d *design) *cobra.Command {
	var o labSweep
	cmd := &cobra.Command{
		Use:   "sweep [INVITE]",
		Short: "Sweep a design on all boards of a lab",
		Long: `sweep is bench sweep by many boards: each takes the next block when it is free. All free boards take
part, or those that --on selects; they have to be of one kind, design and revision. The block of a board
that is lost goes to another; boards that come back or join later take part.

A wrong block is given to a second board. If that one is right, the first gets no further blocks, and
its block stays wrong in the certificate. The same command resumes an interrupted sweep.

Exit codes: 0 PASS, 1 FAIL or FLAKY, 2 bad input, 3 the lab does not answer, or no board can be
had, 130 interrupted.`,
		Example: `  bench lab sweep --certificate chip.cert
  bench lab sweep pi1.invite --space values --on kind=rp2040,rev=tt09 --certificate tt09.cert
  bench lab sweep --on 'host=pi*,board!=pi1/bad' --certificate chip.cert`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, strings.Join(args, "")) },
	}
	o.target.prepare(d)
	o.flags(cmd)
	f := cmd.Flags()
	onFlag(f, &o.on)
	o.target.optionFlags(f, "wait", "revision")
	f.Uint64Var(&o.target.Seed, "seed", 1, "seed of the values that are drawn")
	return cmd
}

func (o *labSweep) run(cmd *cobra.Command, invite string) error {
	on, err := fleet.ParseOn(o.on)
	if err != nil {
		return err
	}
	defer o.files.Discard()
	if err := o.settle(cmd); err != nil {
		return err
	}
	if _, _, err := listLab(cmd, invite); err != nil { // remembers the lab; each board has a connection of its own
		return err
	}
	o.target.Lab.Invitation, o.target.Transport = invite, "lab:*"
	if err := o.target.ready(cmd); err != nil {
		return err
	}
	o.target.Working = nil // several at a time would write into one line
	f := &fleet.Fleet{Target: o.target.Target, On: on, Tell: func(board, text string) { o.tell(cmd, board, text) }}
	members, err := f.Muster(cmd.Context())
	if err != nil {
		return err
	}
	defer o.Close()
	c := members[0].Chip
	kind := report.Chip{Kind: c.Asked.Kind, Design: c.Asked.Design} // which is what all have in common
	if err = o.choose(c.Tile, f.Kind.Revision, ""); err == nil {
		err = o.begin(&sweep.Provenance{Bench: version(), Transport: "lab", Chip: kind, Tags: o.tags})
	}
	if err != nil {
		for _, m := range members {
			m.Chip.Close()
		}
		return err
	}
	return o.sweep(cmd, &fleet.Sweep{Fleet: f, Session: &o.Session, NoWiring: o.noWiring, Made: o.provenance,
		See: (*station.Chip).Wiring}, members)
}

func (o *labSweep) sweep(cmd *cobra.Command, all *fleet.Sweep, members []fleet.Member) (err error) {
	var names []string
	for _, m := range members {
		names = append(names, m.Name)
	}
	o.WriteStart(cmd.OutOrStdout(), "lab: "+strings.Join(names, ", "), nil)
	o.mu.Lock()
	o.shown = o.bar()
	o.mu.Unlock()
	all.Each = func(a sweep.Answer) (done, of int) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.shown.add(a)
		return o.shown.Done, o.shown.Total
	}
	o.made, err = all.Run(cmd.Context(), members)
	o.shown.Clear()
	if err != nil {
		return o.Unfinished(cmd.Context(), o.made, "", err)
	}
	if err := o.WriteShares(cmd.OutOrStdout()); err != nil {
		return err
	}
	return o.end(cmd, report.About{Head: head(), Transport: "lab", Identity: report.Identity{
		Chip: o.Head.Made[0].Chip, Tile: o.Tile.Name(), Revision: o.Tile.Revision()}}, "")
}

// tell writes what happens to a board, or to the lab.
func (o *labSweep) tell(cmd *cobra.Command, board, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.shown != nil {
		o.shown.Clear()
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s: %s\n", cmp.Or(board, "the lab"), strings.TrimPrefix(text, board+": "))
}
