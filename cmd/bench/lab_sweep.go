package main

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"utfbench/lab/fleet"
	"utfbench/runs/identity"
	"utfbench/station"
	"utfbench/sweep"
	"utfbench/transport/lab"
)

// labSweep are the flags of bench lab sweep.
type labSweep struct {
	sweeping
	on string

	mu  sync.Mutex // over what is written while boards work
	bar *blockBar  // nil before
}

func newLabSweep(d *design) *cobra.Command {
	var o labSweep
	cmd := &cobra.Command{
		Use:   "sweep [INVITE]",
		Short: "Sweep a design on all boards of a lab",
		Long: `sweep is bench sweep by many boards at a time: each takes the next block when it is free, so a fast
board does more. All that are free take part, or those that --on says; they have to be of one
kind, transport, design and revision. A board that is lost is told, its block is another's, and
when it is there again it goes on; so does one that joins the lab later. Without any board left
it waits for one. When no block was finished for a minute, and no slow board is at one, it says so
and ends.

A block that is wrong is asked of a second board. Where that one is right the first is told, with
the block, and is asked no more; its block stays wrong in the certificate. Where both are wrong
in the same way it is not one board's fault.

Whatever ends it, the server, this command or a board, nothing is lost: the same command goes on
where it was, see bench sweep. The certificate is that of one board, but for who made it.

Exit codes: 0 PASS, 1 FAIL or FLAKY, 2 bad input, 3 the lab does not answer, or no board can be
had, 130 interrupted.`,
		Example: `  bench lab sweep --certificate chip.cert
  bench lab sweep pi1.invite --space values --on kind=rp2040,rev=tt09 --certificate tt09.cert
  bench lab sweep --on 'host=pi*,board!=pi1/bad' --certificate chip.cert`,
		Args: takes(0, 1),
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
	if err := o.check(cmd); err != nil {
		return err
	}
	on, err := fleet.ParseOn(o.on)
	if err != nil {
		return err
	}
	defer o.files.Discard()
	tell, err := o.document(cmd)
	if err != nil {
		return err
	}
	conn, err := lab.Enter(cmd.Context(), invite, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	conn.Close() // each board has a connection of its own
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
	s, err := o.session(members[0].Chip, f.Kind())
	if err != nil {
		for _, m := range members {
			m.Chip.Close()
		}
		return err
	}
	defer s.Close()
	all := &fleet.Sweep{Fleet: f, Session: s, NoWiring: o.noWiring, Made: o.provenance,
		See: func(c *station.Chip) string { return pasted(c, "wiring") }}
	return o.sweep(cmd, all, members, tell)
}

// session begins the sweep that boards of a kind are for, such as this one.
func (o *labSweep) session(c *station.Chip, of fleet.Kind) (*sweep.Session, error) {
	o.scope.Revision = of.Revision
	s := &sweep.Session{Runner: sweep.Runner{Tile: c.Tile, MaxFailures: o.maxFailures, CarryAll: o.plain},
		Certificate: o.certificate, Force: o.force, State: o.state}
	if err := s.Select(o.scope, ""); err != nil {
		return nil, err
	}
	kind := identity.Chip{Kind: c.Asked.Kind, Design: c.Asked.Design} // which is what all have in common
	return s, o.beginWith(s, &sweep.Provenance{Bench: version(), Transport: "lab", Chip: kind, Tags: o.tags})
}

func (o *labSweep) sweep(cmd *cobra.Command, all *fleet.Sweep, members []fleet.Member, tell tellSweep) error {
	out, s := cmd.OutOrStdout(), all.Session
	var names []string
	for _, m := range members {
		names = append(names, m.Name)
	}
	s.WriteStart(out, "lab: "+strings.Join(names, ", "), nil)
	o.bar = newBlockBar(s.Range.End - s.Range.First - len(s.Blocks()))
	all.Each = func(a sweep.Answer) (done, of int) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.bar.add(a)
		return o.bar.done, o.bar.Total
	}
	made, err := all.Run(cmd.Context(), members)
	o.bar.Clear()
	if err != nil {
		return unfinished(cmd, s, made, "", err)
	}
	about := identity.About{Head: head(), Transport: "lab",
		Identity: identity.Identity{Chip: s.Head.Made[0].Chip, Tile: s.Tile.Name(), Revision: s.Tile.Revision()}}
	if err := cmp.Or(s.WriteShares(out), s.End(out, made, "")); err != nil {
		return benchFault(err)
	}
	if err := tell(about, s, made); err != nil {
		return benchFault(err)
	}
	return judged(made.Verdict())
}

// tell writes what happens to a board, or to the lab.
func (o *labSweep) tell(cmd *cobra.Command, board, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.bar != nil {
		o.bar.Clear()
	}
	if board == "" {
		board = "the lab"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s: %s\n", board, strings.TrimPrefix(text, board+": "))
}
