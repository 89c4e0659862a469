package layout

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"utfbench/netlist"
	"utfbench/netlist/layout/layouttest"
)

func own(t testing.TB, file string) *netlist.Netlist {
	t.Helper()
	text, err := os.ReadFile("../testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	n, err := netlist.Read(netlist.File{Name: file, Text: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func read(gds, lef string, n *netlist.Netlist) (*Layout, error) {
	return Read(Drawing{Name: "a.gds", Data: []byte(gds)}, []netlist.File{{Name: "a.lef", Text: lef}}, n)
}

// All nets are traced and none is joined with another, whichever way cells are turned; the nets of tracks side by side
// are neighbours, both ways, and no others.
func TestTraced(t *testing.T) {
	n := own(t, "turn.v")
	gds, lef := layouttest.Draw(n)
	l, err := read(gds, lef, n)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Cells) != n.Cells || l.Box.X0 != 0 || l.Box.Y0 != -2 || l.Box.Y1 != 0 {
		t.Errorf("%d cells of %d within %v", len(l.Cells), n.Cells, l.Box)
	}
	pairs := 0
	for net, all := range l.neighbours {
		if len(all) > 2 {
			t.Errorf("%s has %d neighbours: a track has one above and one below", n.Nets[net], len(all))
		}
		for _, b := range all {
			pairs++
			back := false
			for _, o := range l.neighbours[b.Net] {
				back = back || o.Net == net && o.Run == b.Run && o.X == b.X && o.Y == b.Y
			}
			if !back || b.Layer != "met2" || b.Run <= 0 || b.Y < 1 {
				t.Errorf("%s and %s: %+v", n.Nets[net], n.Nets[b.Net], b)
			}
		}
	}
	if pairs < 2*100 {
		t.Errorf("only %d neighbours", pairs)
	}
}

// Where a pin is, is where the wires that were drawn from it begin, in each way that a cell is turned.
func TestPin(t *testing.T) {
	n := own(t, "turn.v")
	gds, lef := layouttest.Draw(n)
	l, err := read(gds, lef, n)
	if err != nil {
		t.Fatal(err)
	}
	left := 0.0
	for k, i := range n.Instances {
		pins := strings.Count(lef[strings.Index(lef, "MACRO "+i.Cell+"\n"):strings.Index(lef, "END "+i.Cell+"\n")],
			"PIN ")
		width := 0.6 * float64(pins)
		if x, y, known := l.Pin(i.Name, "A"); i.Nets["A"] != "" {
			wantX, wantY := left+0.3, -1.5 // A is the first of the pins
			if k%4 >= 2 {
				wantX = left + width - 0.3
			}
			if k%4 == 1 || k%4 == 2 {
				wantY = -0.5
			}
			if !known || math.Abs(x-wantX) > 1e-9 || math.Abs(y-wantY) > 1e-9 {
				t.Fatalf("%s/A is at %g, %g and not %g, %g", i.Name, x, y, wantX, wantY)
			}
		}
		left += width
	}
	if x, y, known := l.Pin(n.Instances[0].Name, "none"); !known || y != -1 || x <= 0 {
		t.Error(x, y, known)
	}
	if _, _, known := l.Pin("nobody", "A"); known {
		t.Error("a cell that is not there has a place")
	}
}

// What does not fit is refused in one sentence with the file's name.
func TestRefused(t *testing.T) {
	n, chip := own(t, "turn.v"), own(t, "chip.v")
	gds, lef := layouttest.Draw(n)
	otherGDS, otherLEF := layouttest.Draw(chip)
	first := n.Instances[0]
	for _, c := range []struct{ name, gds, lef, want string }{
		{"text", "hello world", lef, "a.gds: this is no GDSII file"},
		{"cut", gds[:len(gds)-4], lef, "without its last record"},
		{"a record too long", gds[:6] + "\xff\xff" + gds[8:3000], lef, "no record has 65535 bytes here"},
		{"no LEF", gds, "hello", "a.lef: no MACRO is in it"},
		{"LEF cut", gds, lef[:200], "a.lef: line "},
		{"LEF of lengths that are none", gds, strings.Replace(lef, "SIZE ", "SIZE x", 1), "is no length in um"},
		{"other layers", gds, strings.ReplaceAll(lef, "li1", "Metal1"), `layer "Metal1"`},
		{"another tile", otherGDS, otherLEF, "is not in this layout: it is of another tile"},
		{"no macro", gds, strings.ReplaceAll(lef, first.Cell+"\n", "none\n"), "give the one of its library with --lef"},
	} {
		if _, err := read(c.gds, c.lef, n); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	ends := len(gds) - 8 // of the structure and of the library
	one := rectangle(0, 0, 1000, 1000)
	for name, more := range map[string]string{
		"a rectangle that is too large": rectangle(-2e9, -2e9, 2e9, 2e9),
		"too many in one place":         strings.Repeat(one, mostPieces+1),
	} {
		_, err := read(gds[:ends]+more+gds[ends:], lef, n)
		if err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("%s: %v", name, err)
		}
	}
	joined := *n // two nets of the netlist that one wire joins
	joined.Instances = append(joined.Instances[:0:0], n.Instances...)
	moved := map[string]string{}
	for pin, net := range first.Nets {
		moved[pin] = net
	}
	moved["A"] = n.Instances[len(n.Instances)-1].Nets["D"]
	joined.Instances[0].Nets = moved
	var e *Error
	if _, err := read(gds, lef, &joined); !errors.As(err, &e) || !strings.Contains(e.What, "its wires join the nets") {
		t.Error(err)
	}
}

// rectangle is one on the second layer, as GDSII has it.
func rectangle(x0, y0, x1, y1 int32) string {
	b := []byte{0, 4, recBoundary, 0, 0, 6, recLayer, 2, 0, 68, 0, 6, recType, 2, 0, 20, 0, 44, recXY, 3}
	for _, v := range []int32{x0, y0, x1, y0, x1, y1, x0, y1, x0, y0} {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	return string(append(b, 0, 4, recEndEl, 0))
}

func FuzzGDS(f *testing.F) {
	n := own(f, "turn.v")
	gds, lef := layouttest.Draw(n)
	f.Add(gds[:2000], lef[:500])
	f.Add(gds[:100]+gds[len(gds)-4:], lef)
	f.Fuzz(func(t *testing.T, gds, lef string) {
		lib, err := readGDS([]byte(gds))
		macros := map[string]*macro{}
		if readLEF(lef, macros) != nil || err != nil {
			return
		}
		if l, err := build(lib, macros, n); err == nil && len(l.Cells) < n.Cells {
			t.Errorf("%d cells", len(l.Cells))
		}
	})
}
