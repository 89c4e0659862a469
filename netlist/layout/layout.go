package layout

import (
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/netlist"
)

// A Layout is where the cells of a netlist are, and which nets run side by side. It never changes.
type Layout struct {
	Box   Box
	Cells []Cell // those without logic as well, in the order of the drawing

	at         map[string]int   // of Cells, by plain name
	pins       map[pinOf]point  // where pins are
	neighbours map[int][]Beside // by net
}

// A Box is a rectangle on the die, in um of the tile's drawing.
type Box struct {
	X0 float64 `json:"x0"`
	Y0 float64 `json:"y0"`
	X1 float64 `json:"x1"`
	Y1 float64 `json:"y1"`
}

// A Cell is where an instance is.
type Cell struct {
	Name, Type string
	Box        Box
}

// A Beside is a net that runs beside another one: on which layer and where they do longest, and how far in all, in um.
type Beside struct {
	Net   int
	Run   float64
	Layer string
	X, Y  float64
}

type pinOf struct{ cell, pin string }

// A Drawing is a GDSII file with the name that people know it by.
type Drawing struct {
	Name string
	Data []byte
}

// Read reads the layout of a netlist. The error is an *Error, with the file's name.
func Read(gds Drawing, lef []netlist.File, n *netlist.Netlist) (*Layout, error) {
	macros := map[string]*macro{}
	for _, f := range lef {
		if err := readLEF(f.Text, macros); err != nil {
			return nil, failure.Usagef("%s: %w", f.Name, err)
		}
	}
	lib, err := readGDS(gds.Data)
	if err == nil {
		err = sky130.fits(macros)
	}
	var l *Layout
	if err == nil {
		l, err = build(lib, macros, n)
	}
	if err != nil {
		return nil, failure.Usagef("%s: %w", gds.Name, err)
	}
	return l, nil
}

func build(lib library, macros map[string]*macro, n *netlist.Netlist) (*Layout, error) {
	top, err := topOf(lib, n.Top)
	if err != nil {
		return nil, err
	}
	d := &drawing{lib: lib, macros: macros, process: &sky130, rects: make([][]piece, len(sky130.wires)),
		cuts: make([][]rect, len(sky130.cuts)), instances: instances(n), without: map[string]string{}}
	if err := d.draw(top, &transform{mag: 1}, 0); err != nil {
		return nil, err
	}
	l := &Layout{at: map[string]int{}, pins: map[pinOf]point{}}
	if err := l.place(d, n); err != nil {
		return nil, err
	}
	t := newTracer(d)
	if err := t.trace(n); err != nil {
		return nil, err
	}
	l.neighbours = t.neighbours(d.process)
	return l, nil
}

// topOf returns the tile's structure: the one with its name, or the only one that no other refers to.
func topOf(lib library, name string) (*structure, error) {
	if s := lib[name]; s != nil {
		return s, nil
	}
	used := map[string]bool{}
	for _, s := range lib {
		for _, r := range s.refs {
			used[r.structure] = true
		}
	}
	var roots []string
	for s := range lib {
		if !used[s] {
			roots = append(roots, s)
		}
	}
	if len(roots) != 1 {
		return nil, refuse("no structure has the name of the netlist's module, %s", name)
	}
	return lib[roots[0]], nil
}

// plain returns a name without escape characters.
func plain(name string) string { return strings.ReplaceAll(strings.TrimSpace(name), `\`, "") }

// place says where cells and their pins are, of which the netlist's have to be there.
func (l *Layout) place(d *drawing, n *netlist.Netlist) error {
	for _, p := range d.placed {
		box := p.at.rect(p.macro.size)
		l.at[p.name] = len(l.Cells)
		l.Cells = append(l.Cells, Cell{Name: p.name, Type: p.kind, Box: um(box)})
		if len(l.Cells) == 1 {
			l.Box = um(box)
		}
		l.Box = Box{min(l.Box.X0, um(box).X0), min(l.Box.Y0, um(box).Y0), max(l.Box.X1, um(box).X1),
			max(l.Box.Y1, um(box).Y1)}
		for pin, rects := range p.macro.pins {
			r := p.at.rect(rects[0].rect)
			l.pins[pinOf{p.name, pin}] = r.middle()
		}
	}
	for i := range n.Gates {
		if g := &n.Gates[i]; g.Cell != "" {
			if err := l.has(g.Cell, g.Type, d); err != nil {
				return err
			}
		}
	}
	for i := range n.Clock {
		if c := &n.Clock[i]; c.Cell != "" {
			if err := l.has(c.Cell, c.Type, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// has refuses a layout without a cell of the netlist.
func (l *Layout) has(cell, kind string, d *drawing) error {
	if _, is := l.at[plain(cell)]; is {
		return nil
	}
	if structure, is := d.without[plain(cell)]; is {
		return refuse("the cell %s, of %s, is in no LEF file: give the one of its library with --lef", structure, cell)
	}
	return refuse("the netlist's cell %s (%s) is not in this layout: it is of another tile", cell, kind)
}

func um(r rect) Box {
	return Box{float64(r.low.x) / 1000, float64(r.low.y) / 1000, float64(r.high.x) / 1000, float64(r.high.y) / 1000}
}

// Pin returns the position of a cell's pin, in um, or the cell's centre without LEF data. Names are the netlist's.
func (l *Layout) Pin(cell, pin string) (x, y float64, known bool) {
	if p, is := l.pins[pinOf{plain(cell), pin}]; is {
		return float64(p.x) / 1000, float64(p.y) / 1000, true
	}
	i, is := l.at[plain(cell)]
	if !is {
		return 0, 0, false
	}
	b := l.Cells[i].Box
	return (b.X0 + b.X1) / 2, (b.Y0 + b.Y1) / 2, true
}

// Neighbours returns the nets beside one, the longest parallel run first.
func (l *Layout) Neighbours(net int) []Beside { return slices.Clone(l.neighbours[net]) }
