package cells

import (
	"context"

	"utfbench/netlist"
	"utfbench/netlist/stuckat"
)

// Limits of a search for bridges.
const (
	victims = 256  // nets that something is wrong with
	bridges = 1200 // that are held against the sample
	likely  = 60   // of these, that are held against all of the run
)

// withBridges adds bridges to suspects of which none explains all of a run. With a layout only nets that run side by
// side are tried.
func (r *Run) withBridges(ctx context.Context, n *netlist.Netlist, some *sample, suspects []suspect,
	l *Located) ([]suspect, error) {
	look := stuckat.Suspects{Nets: victims, Bridges: bridges}
	if r.Layout != nil {
		look.Beside, l.Beside = r.beside, true
	}
	classes, err := look.Find(ctx, n, some.vectors, some.got, some.first)
	if err != nil || len(classes) == 0 {
		return suspects, err
	}
	l.Bridges = len(classes)
	more, err := r.nearest(ctx, n, some, classes, likely)
	if err != nil {
		return nil, err
	}
	suspects = append(suspects, more...)
	sortSuspects(suspects)
	return suspects, nil
}

// beside returns a net's neighbours in the layout.
func (r *Run) beside(net int) (nets []int) {
	for _, b := range r.Layout.Neighbours(net) {
		nets = append(nets, b.Net)
	}
	return nets
}

// place returns a suspect with its location.
func (r *Run) place(n *netlist.Netlist, class stuckat.Class, a stuckat.Account) Place {
	f := &class[0]
	p := Place{Cell: f.Cell, Type: f.Type, Pin: f.Pin, Net: f.Net(n), What: f.What(), Explained: a.Explained,
		Missed: a.Missed, Unseen: a.Unseen}
	for i := range class[1:] {
		p.Same = append(p.Same, class[i+1].String())
	}
	if b := f.Bridge(); b != nil {
		p.With = &Driver{}
		p.With.Net, p.With.Cell, p.With.Type, p.With.Pin = b.Other(n)
	}
	if r.Layout != nil {
		p.At = r.where(f)
	}
	return p
}

// where returns the location of a fault's pin, or of the longest parallel run of a bridge's nets; nil if unknown.
func (r *Run) where(f *stuckat.Fault) *Point {
	if b := f.Bridge(); b != nil {
		for _, beside := range r.Layout.Neighbours(b.A) {
			if beside.Net == b.B {
				return &Point{beside.X, beside.Y}
			}
		}
	}
	if x, y, known := r.Layout.Pin(f.Cell, f.Pin); known {
		return &Point{x, y}
	}
	return nil
}
