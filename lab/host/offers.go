package host

import (
	"path"
	"slices"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/transport/lab"
	"utfbench/transport/rp2040/demoboard"
)

// Named lists the boards to offer as named by the user; name i and note i belong to transport i.
type Named struct {
	Tile                             tile.Tile
	Transports, Names, Notes, Faults []string
	Board                            string // pin map for the boards to which it applies
	Seed                             uint64
}

// Offers returns a function that finds the boards: the named ones, or else all connected ones. The error is bad input.
func (n *Named) Offers() (find func() []Offer, err error) {
	if len(n.Transports) == 0 {
		if len(n.Names)+len(n.Faults) > 0 || n.Board != "" {
			return nil, failure.Usagef("name, board and faults need a target: give one with -t")
		}
		return plugged, nil
	}
	for flag, given := range map[string][]string{"note": n.Notes, "name": n.Names} {
		if len(given) > len(n.Transports) {
			return nil, failure.Usagef("--%s is given %d times and -t %d times: at most one for each", flag, len(given),
				len(n.Transports))
		}
	}
	var all []Offer
	for i, transport := range n.Transports {
		o, err := n.offer(i, transport)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(other Offer) bool { return other.Name == o.Name }) {
			return nil, failure.Usagef("two boards would be called %s: give each a --name of its own", o.Name)
		}
		all = append(all, o)
	}
	return func() []Offer { return all }, nil
}

// offer returns the offer of the user's i-th board.
func (n *Named) offer(i int, transport string) (Offer, error) {
	all := native.New(transport)
	all.Tile, all.Seed, all.Faults, all.Board = n.Tile, n.Seed, n.Faults, n.Board
	o := Offer{Target: all.With(transport)}
	k, where, err := o.Target.Kind()
	switch {
	case err != nil:
		return o, err
	case k.Offer == nil:
		can := native.NamesOf(func(k *station.Kind) bool { return k.Offer != nil })
		return o, failure.Usagef("-t %s: %s can be offered; other targets need no board, and run on the "+
			"user's machine", transport, printable.List(can))
	case o.Target.CheckUse("port") == nil: // by its port, so that it is one board under all names
		o.Target.Port, o.Target.Transport = where, k.Name
	}
	if o.What = k.Offer(&o.Target); !k.Model {
		o.Target.Board = n.Board // must apply to this kind
	}
	if o.Name = k.Name; i < len(n.Names) {
		o.Name = n.Names[i]
	}
	if i < len(n.Notes) {
		o.Note = printable.Text(n.Notes[i])
	}
	if err := lab.CheckName("--name", o.Name); err != nil {
		return o, err
	}
	return o, o.Target.Check()
}

// plugged returns the connected demo boards by serial number, which does not depend on the port.
func plugged() (all []Offer) {
	for _, p := range demoboard.PluggedIn() {
		t := native.New(station.RP2040().Name)
		t.Port = p.Name
		name := path.Base(p.Name)
		if p.Serial != "" {
			t.Port, name = p.Serial, "tt-"+p.Serial[max(0, len(p.Serial)-6):]
		}
		all = append(all, Offer{Name: name, Target: t, What: p.What()})
	}
	return all
}
