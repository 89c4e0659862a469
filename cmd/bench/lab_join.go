package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/lab/host"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport/lab"
	"utfbench/transport/rp2040/ports"
)

// joining are the flags of bench lab join.
type joining struct {
	design                           *design
	transports, names, notes, faults []string
	board                            string
	seed                             uint64
}

func newLabJoin(d *design) *cobra.Command {
	j := joining{design: d}
	cmd := &cobra.Command{
		Use:   "join [INVITE]",
		Short: "Offer this machine's boards to a lab",
		Long: `join offers boards of this machine to the lab of an invitation, until Ctrl-C: those that -t names, or
all demo boards that are plugged in, now or later. Users reach one by -t lab:BOARD. One of them
at a time has it; this machine decides who, and parks the chip when the user leaves or has not been
heard for ` + lab.Silence.String() + `. The lab's server may be restarted meanwhile.

INVITE is what benchlab serve or benchlab invite wrote; it is remembered, so the next time it
need not be named. Each machine needs an invitation of its own. To try it without a board, offer
the mock: -t mock.

Exit codes: 0 stopped; 2 bad input; 3 the lab could not be reached, or does not take the boards.`,
		Example: `  bench lab join invite
  bench lab join rpi3.invite -t gpio --name board7
  bench lab join -t mock --name good -t mock --name bad`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return j.run(cmd, strings.Join(args, ""))
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&j.transports, "transport", "t", nil, "a board to offer, `KIND[:WHERE]`: mock[:tt08|tt09], "+
		"rp2040[:PORT] or gpio[:BACKEND]; can be given more than once (default: all demo boards that are plugged in)")
	f.StringArrayVar(&j.names, "name", nil, "its name in the lab, in the order of -t; can be given more than once "+
		"(default: made of the kind, or of the serial number)")
	f.StringArrayVar(&j.notes, "note", nil, "what people should know of it, such as its place or the label on it, in "+
		"the order of -t; can be given more than once")
	f.StringVar(&j.board, "board", "", "pin map of the boards of its kind (default: the transport's, or as detected)")
	f.StringArrayVar(&j.faults, "fault", nil, "inject a fault into the mocks, to try what users see; can be given "+
		"more than once")
	f.Uint64Var(&j.seed, "seed", 1, "seed for random faults")
	return cmd
}

func (j *joining) run(cmd *cobra.Command, invite string) error {
	find, err := j.offers()
	if err != nil {
		return err
	}
	conn, err := lab.Enter(cmd.Context(), invite, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer conn.Close()
	tell := func(text string) {
		fmt.Fprintf(cmd.OutOrStdout(), "%s  %s\n", time.Now().Format(time.DateTime), printable.Text(text))
	}
	h := host.Host{Bench: version(), Find: find, Tell: tell}
	if err := h.Run(cmd.Context(), conn); err != nil {
		return benchFault(err)
	}
	return nil
}

// offers returns the boards that the user names, or those found.
func (j *joining) offers() (func() []host.Offer, error) {
	if len(j.transports) == 0 {
		if len(j.names)+len(j.faults) > 0 || j.board != "" {
			return nil, failure.Usagef("name, board and faults are of a target, and none is named: give one with -t")
		}
		return plugged, nil
	}
	if len(j.notes) > len(j.transports) {
		return nil, failure.Usagef("--note is given %d times and -t %d times: one for each is the most", len(j.notes),
			len(j.transports))
	}
	if len(j.names) > len(j.transports) {
		return nil, failure.Usagef("--name is given %d times and -t %d times: one for each is the most", len(j.names),
			len(j.transports))
	}
	var all []host.Offer
	for i, transport := range j.transports {
		o, err := j.offer(i, transport)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(other host.Offer) bool { return other.Name == o.Name }) {
			return nil, failure.Usagef("two boards would be called %s: give each a --name of its own", o.Name)
		}
		all = append(all, o)
	}
	return func() []host.Offer { return all }, nil
}

// offer returns one of the boards that the user names.
func (j *joining) offer(i int, transport string) (host.Offer, error) {
	all := native.New(transport)
	all.Tile, all.Seed, all.Faults, all.Board = j.design.tile, j.seed, j.faults, j.board
	o := host.Offer{Target: all.With(transport)}
	k, where, err := o.Target.Kind()
	switch {
	case err != nil:
		return o, err
	case k.Offer == nil:
		can := native.NamesOf(func(k *station.Kind) bool { return k.Offer != nil })
		return o, failure.Usagef("-t %s: %s and %s can be offered; what needs no board runs where its user is",
			transport, strings.Join(can[:len(can)-1], ", "), can[len(can)-1])
	case o.Target.CheckUse("port") == nil: // by its port, so that it is one board by all names
		o.Target.Port, o.Target.Transport = where, k.Name
	}
	if o.What = k.Offer(&o.Target); !k.Model {
		o.Target.Board = j.board // which has to be of this kind
	}
	if o.Name = k.Name; i < len(j.names) {
		o.Name = j.names[i]
	}
	if i < len(j.notes) {
		o.Note = printable.Text(j.notes[i])
	}
	if err := lab.CheckName("--name", o.Name); err != nil {
		return o, err
	}
	return o, o.Target.Check()
}

// plugged returns the connected demo boards by serial number, which does not depend on the port.
func plugged() (all []host.Offer) {
	for _, p := range ports.Boards() {
		t := native.New("rp2040")
		t.Port = p.Name
		name := path.Base(p.Name)
		if p.Serial != "" {
			t.Port, name = p.Serial, "tt-"+p.Serial[max(0, len(p.Serial)-6):]
		}
		all = append(all, host.Offer{Name: name, Target: t, What: p.What()})
	}
	return all
}
