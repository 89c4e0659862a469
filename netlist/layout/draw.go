package layout

import (
	"utfbench/netlist"
	"utfbench/netlist/structural"
)

// A drawing is the flattened structure of a tile, without the insides of cells.
type drawing struct {
	lib       library
	macros    map[string]*macro
	process   *process
	instances map[string]*structural.Instance // by plain name

	rects  [][]piece // by layer of wires
	cuts   [][]rect  // by the layer below
	placed []placed
	drawn  int

	without map[string]string // structures that are no macros, by instance
}

// A piece is a rectangle of a net; of none as long as it is not known.
type piece struct {
	rect
	net int
}

// A placed is a cell in the drawing.
type placed struct {
	name, kind string
	macro      *macro
	at         transform
}

const none = -1

// instances returns a netlist's instances by plain name.
func instances(n *netlist.Netlist) map[string]*structural.Instance {
	all := make(map[string]*structural.Instance, len(n.Instances))
	for i := range n.Instances {
		all[plain(n.Instances[i].Name)] = &n.Instances[i]
	}
	return all
}

// Limits of a drawing.
const (
	deepest   = 32
	mostDrawn = 1 << 19 // rectangles and references
)

// draw adds a structure's shapes.
func (d *drawing) draw(s *structure, at *transform, depth int) error {
	if depth > deepest {
		return refuse("structures are in structures more than %d deep", deepest)
	}
	for i := range s.shapes {
		layer, cut, known := d.process.of(s.shapes[i].layer)
		if !known {
			continue
		}
		for _, r := range s.shapes[i].rects {
			if cut {
				d.cuts[layer] = append(d.cuts[layer], at.rect(r))
			} else {
				d.rects[layer] = append(d.rects[layer], piece{at.rect(r), none})
			}
		}
		if err := d.count(len(s.shapes[i].rects)); err != nil {
			return err
		}
	}
	for i := range s.refs {
		if err := d.refer(&s.refs[i], at, depth); err != nil {
			return err
		}
	}
	return nil
}

func (d *drawing) count(n int) error {
	if d.drawn += n; d.drawn > mostDrawn {
		return refuse("it has more than %d rectangles and references", mostDrawn)
	}
	return nil
}

// refer adds a reference: cells are placed, anything else is drawn.
func (d *drawing) refer(r *reference, outer *transform, depth int) error {
	if err := d.count(r.columns * r.rows); err != nil {
		return err
	}
	if !r.at.square() {
		return refuse("the reference %s to %s is turned by %g degrees or scaled: only right angles are supported",
			r.instance, r.structure, r.at.degrees)
	}
	macro := d.macros[r.structure]
	if macro == nil {
		d.without[plain(r.instance)] = r.structure
	}
	if macro != nil && r.instance == "" {
		return refuse("a reference to %s has no instance's name (property %d): place and route writes it",
			r.structure, instanceName)
	}
	s := d.lib[r.structure]
	for column := range r.columns {
		for row := range r.rows {
			at := r.at
			at.to = at.to.plus(r.right.times(column)).plus(r.up.times(row))
			at = at.within(outer)
			if macro != nil {
				d.place(r, macro, at)
			} else if s != nil {
				if err := d.draw(s, &at, depth+1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (d *drawing) place(r *reference, m *macro, at transform) {
	d.placed = append(d.placed, placed{name: plain(r.instance), kind: r.structure, macro: m, at: at})
}
