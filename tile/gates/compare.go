package gates

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// comparing is the number of random steps by which the gates of two versions are compared.
const comparing = 2000

// Compare describes how the gates of another version of the tile differ, by the first of random steps at which a line
// does: "differ on uo0 at random step 3". It returns "" if the gates are the same.
func (t *Tile) Compare(other *Tile) (string, error) {
	if t.Design.same(other.Design) {
		return "", nil
	}
	steps, err := tile.FixedRandomSteps(t, comparing)
	if err != nil {
		return "", err
	}
	var samples [2][]transport.Sample
	for i, version := range []*Tile{t, other} {
		samples[i] = make([]transport.Sample, len(steps))
		if err := tile.Expect(version, steps, samples[i]); err != nil {
			return "", err
		}
	}
	for i, one := range samples[0] {
		if lines := one.Differ(samples[1][i]) &^ one.Unknown(); lines != 0 {
			return fmt.Sprintf("differ on %s at random step %d", strings.Join(lines.Names(), ", "), i+1), nil
		}
	}
	return fmt.Sprintf("differ, but on no line in %d random steps", len(steps)), nil
}

// same reports whether the ports of two designs have the same gates behind them. Yosys' order of cells depends on more
// than the gates.
func (d *Design) same(other *Design) bool {
	drivers, others := d.Circuit.Drivers(), other.Circuit.Drivers()
	pairs, back := map[sim.Net]sim.Net{}, map[sim.Net]sim.Net{}
	for _, n := range []sim.Net{sim.Open, sim.Zero, sim.One} {
		pairs[n], back[n] = n, n
	}
	var match func(a, b sim.Net) bool
	match = func(a, b sim.Net) bool {
		if pair, known := pairs[a]; known {
			return pair == b
		}
		if _, known := back[b]; known || len(drivers.Of[a]) != len(others.Of[b]) {
			return false
		}
		pairs[a], back[b] = b, a
		for i, at := range drivers.Of[a] {
			cell, like := &d.Circuit.Cells[at], &other.Circuit.Cells[others.Of[b][i]]
			if cell.Kind != like.Kind {
				return false
			}
			for k := range cell.Kind.Inputs() {
				if !match(cell.In[k], like.In[k]) {
					return false
				}
			}
		}
		return true
	}
	for i, port := range d.ports() {
		if !match(port, other.ports()[i]) {
			return false
		}
	}
	return true
}

// ports returns the nets at the pins.
func (d *Design) ports() []sim.Net {
	return slices.Concat(d.ui[:], d.level[:], d.drive[:], []sim.Net{d.clk, d.rst}, d.uo[:], d.uio[:], d.out[:], d.oe[:])
}
