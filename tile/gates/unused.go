package gates

import (
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// Unused implements tile.Sparing: inputs on which no output depends, constant outputs, and lines of uio that the
// design neither reads nor drives.
func (t *Tile) Unused() (lines []string) {
	d := t.Design
	may, _ := t.Driven()
	drivers := d.drivers()
	read := map[sim.Net]bool{}
	var follow func(n sim.Net)
	follow = func(n sim.Net) {
		if n < 0 || read[n] {
			return
		}
		read[n] = true
		for _, c := range drivers[n] {
			for _, in := range c.In[:c.Kind.Inputs()] {
				follow(in)
			}
		}
	}
	for i := range 8 {
		follow(d.uo[i])
		follow(d.oe[i])
		if may>>i&1 != 0 {
			follow(d.out[i])
		}
	}
	possible := d.prog.Possible()
	for i := range 8 {
		level := possible(d.uo[i])
		for from, unused := range map[int]bool{transport.UI: !read[d.ui[i]], transport.UO: level.Lo&level.Hi&1 == 0,
			transport.UIO: !read[d.uio[i]] && may>>i&1 == 0} {
			if unused {
				lines = append(lines, transport.Lines[from+i])
			}
		}
	}
	return lines
}
