// Package layouttest draws layouts for tests: a netlist's cells in one row, each turned or mirrored in its own way, and
// above them a track for each net, with a wire from each pin up to it. It is no place and route, but nothing in it is
// joined that should not be.
package layouttest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"utfbench/netlist"
)

// Measures, in nm.
const (
	pitch  = 600 // of pins
	height = 2000
	track  = 300 // from one net's to the next
	half   = 70  // of a wire's width
)

// Draw gives the GDSII file of a netlist's layout and the LEF file of its cells.
func Draw(n *netlist.Netlist) (gds, lef string) {
	d := &drawer{track: map[string]int{}}
	d.begin(n.Top)
	pins := map[string][]string{} // of each type of cell, all that any instance has
	for _, i := range n.Instances {
		for pin := range i.Nets {
			if !slices.Contains(pins[i.Cell], pin) {
				pins[i.Cell] = append(pins[i.Cell], pin)
			}
		}
	}
	for _, all := range pins {
		slices.Sort(all)
	}
	x := 0
	for k, i := range n.Instances {
		x += d.cell(x, k%4, i.Cell, i.Name, pins[i.Cell], i.Nets)
	}
	d.wires()
	d.record(0x07, 0)
	d.record(0x04, 0)
	return d.out.String(), macros(pins)
}

type drawer struct {
	out   bytes.Buffer
	track map[string]int // of a net: its y
	left  map[string]int
	right map[string]int
}

func (d *drawer) record(kind, data byte, values ...any) {
	var body bytes.Buffer
	for _, v := range values {
		if s, is := v.(string); is {
			body.WriteString(s + strings.Repeat("\x00", len(s)%2))
			continue
		}
		_ = binary.Write(&body, binary.BigEndian, v) // to memory
	}
	_ = binary.Write(&d.out, binary.BigEndian, uint16(body.Len()+4))
	d.out.Write([]byte{kind, data})
	d.out.Write(body.Bytes())
}

// begin opens the library, with a unit of a nanometre, and the structure.
func (d *drawer) begin(name string) {
	d.left, d.right = map[string]int{}, map[string]int{}
	d.record(0x00, 2, int16(600))
	d.record(0x03, 5, uint64(0x3E4189374BC6A7F0), uint64(0x3944B82FA09B5A54)) // 1e-3 and 1e-9
	d.record(0x05, 2)
	d.record(0x06, 6, name)
}

// rect draws a rectangle.
func (d *drawer) rect(layer, kind int16, x0, y0, x1, y1 int) {
	d.record(0x08, 0)
	d.record(0x0D, 2, layer)
	d.record(0x0E, 2, kind)
	a, b, c, e := int32(x0), int32(y0), int32(x1), int32(y1)
	d.record(0x10, 3, a, b, c, b, c, e, a, e, a, b)
	d.record(0x11, 0)
}

// cell places a cell with its left edge at x and its upper one at 0, and draws a wire from each pin. way 1 is mirrored,
// 2 turned by 180 degrees, 3 both.
func (d *drawer) cell(x, way int, kind, name string, pins []string, nets map[string]string) int {
	width := pitch * max(1, len(pins))
	at := [4][2]int{{x, -height}, {x, 0}, {x + width, 0}, {x + width, -height}}[way]
	d.record(0x0A, 0)
	d.record(0x12, 6, kind)
	d.record(0x1A, 1, uint16(way&1)<<15)
	if way >= 2 {
		d.record(0x1C, 5, uint64(0x42B4000000000000)) // 180
	}
	d.record(0x10, 3, int32(at[0]), int32(at[1]))
	d.record(0x2B, 2, int16(61))
	d.record(0x2C, 6, name)
	d.record(0x11, 0)
	for k, pin := range pins {
		px := x + pinX(k)
		if way >= 2 {
			px = x + width - pinX(k)
		}
		py := -height + pinY
		if way == 1 || way == 2 {
			py = -pinY
		}
		if net := nets[pin]; net != "" && !strings.HasPrefix(net, "1'b") {
			d.pin(px, py, net)
		}
	}
	return width
}

const pinY = 500

func pinX(k int) int { return pitch*k + pitch/2 }

// pin draws what joins a pin with the track of its net: cuts up to the third metal, and that up to the track.
func (d *drawer) pin(x, y int, net string) {
	at, met := d.track[net]
	if !met {
		at = 1000 + track*len(d.track)
		d.track[net], d.left[net], d.right[net] = at, x, x
	}
	d.left[net], d.right[net] = min(d.left[net], x), max(d.right[net], x)
	for layer := int16(67); layer < 70; layer++ {
		d.rect(layer, 44, x-half/2, y-half/2, x+half/2, y+half/2)
		d.rect(layer+1, 20, x-half, y-half, x+half, y+half)
	}
	d.rect(70, 20, x-half, y-half, x+half, at+half)
	d.rect(69, 44, x-half/2, at-half/2, x+half/2, at+half/2)
}

// wires draws the tracks.
func (d *drawer) wires() {
	for _, net := range slices.Sorted(maps.Keys(d.track)) {
		y := d.track[net]
		d.rect(69, 20, d.left[net]-half, y-half, d.right[net]+half, y+half)
	}
}

// macros returns a LEF file of cells with these pins.
func macros(pins map[string][]string) string {
	var b strings.Builder
	b.WriteString("VERSION 5.7 ;\n")
	for _, kind := range slices.Sorted(maps.Keys(pins)) {
		all := pins[kind]
		fmt.Fprintf(&b, "MACRO %s\n  ORIGIN 0 0 ;\n  SIZE %g BY %g ;\n", kind, um(pitch*max(1, len(all))),
			um(height))
		for k, pin := range all {
			x := pinX(k)
			fmt.Fprintf(&b, "  PIN %s\n    DIRECTION INOUT ;\n    PORT\n      LAYER li1 ;\n", pin)
			fmt.Fprintf(&b, "        RECT %g %g %g %g ;\n    END\n  END %s\n", um(x-half), um(pinY-half), um(x+half),
				um(pinY+half), pin)
		}
		fmt.Fprintf(&b, "END %s\n", kind)
	}
	b.WriteString("END LIBRARY\n")
	return b.String()
}

func um(nm int) float64 { return float64(nm) / 1000 }
