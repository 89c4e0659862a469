package stuckat

import "utfbench/netlist"

// Most faults are found in the same place from both power-ups, since after a reset the two chips are one but for the
// level of lines of uio that nobody drives. Where the right chip drives such a line, that level counts only for a fault
// that can keep the chip from driving.

// apart returns the frames in which the two traces of a vector have not merged yet, from either power-up.
func (w *window) apart() *frames {
	f := new(frames)
	for r := range f {
		f[r] = make([]word, len(w.good[r])/len(w.n.Nets))
	}
	for v := range w.vectors {
		a, b := w.traces[0][v], w.traces[1][v]
		end := len(a)
		for end > 0 && w.alike(a[end-1], b[end-1]) {
			end--
		}
		for i := range end {
			f[a[i].role()][a[i].id()/lanes].set(a[i].id() % lanes)
			f[b[i].role()][b[i].id()/lanes].set(b[i].id() % lanes)
		}
	}
	return f
}

// alike reports whether two frames of the same moment are equal for a chip that drives the same lines as a good one.
func (w *window) alike(a, b entry) bool {
	if a == b {
		return true
	}
	r := a.role()
	for i, bits := range w.state(r, a.id()) {
		if bits != w.state(r, b.id())[i] {
			return false
		}
	}
	differ := w.packed[r][a.id()] ^ w.packed[r][b.id()]
	if differ&^(0xFF<<atWire) != 0 {
		return false
	}
	good := w.good[r][a.id()/lanes*len(w.n.Nets):]
	for i, net := range w.n.OE {
		drives := good[net].has(a.id()%lanes) != w.n.Lits[net].Inverted()
		if differ>>(atWire+i)&1 != 0 && !drives {
			return false
		}
	}
	return true
}

// releasing reports for each gate whether its faults can reach uio_oe, directly or through flip-flops.
func releasing(n *netlist.Netlist) (gates []bool) {
	reaches := make([]bool, len(n.Nets))
	for _, net := range n.OE {
		reaches[net] = true
	}
	gates = make([]bool, len(n.Gates))
	for again := true; again; {
		again = false
		for i := len(n.Gates) - 1; i >= 0; i-- {
			g := &n.Gates[i]
			for _, net := range g.Out {
				gates[i] = gates[i] || reaches[net]
			}
			for _, net := range g.In {
				reaches[net] = reaches[net] || gates[i]
			}
		}
		for _, f := range n.Flops {
			for _, net := range []int{f.Next, f.Held} {
				if reaches[f.State] && !reaches[net] {
					reaches[net], again = true, true
				}
			}
		}
	}
	return gates
}

// releases reports whether a fault may keep the chip from driving a line of uio.
func (e *events) releases() bool {
	for _, p := range e.fault.patches {
		if e.releasing[p.gate] {
			return true
		}
	}
	if b := e.fault.bridge; b != nil && (e.releasing[b.gates[0]] || e.releasing[b.gates[1]]) {
		return true
	}
	return e.fault.hold != nil
}
