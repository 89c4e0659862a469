package layout

// A process says which layers of GDSII and LEF are one: wires from the lowest up, and the cut between each and the
// next.
type process struct {
	name  string
	lef   []string
	wires []gdsLayer
	cuts  []gdsLayer
}

// sky130 is SkyWater's, as its documentation has the layers ("GDS Layers Information").
var sky130 = process{
	name:  "sky130",
	lef:   []string{"li1", "met1", "met2", "met3", "met4", "met5"},
	wires: []gdsLayer{{67, 20}, {68, 20}, {69, 20}, {70, 20}, {71, 20}, {72, 20}},
	cuts:  []gdsLayer{{67, 44}, {68, 44}, {69, 44}, {70, 44}, {71, 44}},
}

// of says on which layer of wires, from 0, something is, and whether it is a cut to the next above.
func (p *process) of(l gdsLayer) (layer int, cut, known bool) {
	for i, w := range p.wires {
		if w == l {
			return i, false, true
		}
	}
	for i, c := range p.cuts {
		if c == l {
			return i, true, true
		}
	}
	return 0, false, false
}

// fits refuses macros of another process.
func (p *process) fits(macros map[string]*macro) error {
	other := ""
	for _, m := range macros {
		for _, rects := range m.pins {
			for _, r := range rects {
				if p.layer(r.layer) >= 0 {
					return nil
				}
				other = r.layer
			}
		}
	}
	return refuse("pins are on the layer %q of the LEF files: only the layers of %s are known, such as %s", other,
		p.name, p.lef[0])
}

// layer returns a wire layer by its LEF name, from 0; negative for others.
func (p *process) layer(name string) int {
	for i, l := range p.lef {
		if l == name {
			return i
		}
	}
	return -1
}
