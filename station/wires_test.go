package station

import (
	"strings"
	"testing"

	"utfbench/boards"
	"utfbench/cause/wiring"
	"utfbench/tile"
	"utfbench/tile/factory"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// A keeper is a board of a lab.
type keeper struct{ transport.Transport }

func (keeper) Keep() *Held { return nil }

// Where the bench cannot select the factory test, a stuck output comes with what would tell whose fault it is; nothing
// is advised where nothing is in doubt.
func TestAdvice(t *testing.T) {
	demo, pi := boards.Board{Mux: new(boards.Mux)}, boards.Board{}
	for _, c := range []struct {
		name    string
		chip    Chip
		outputs []string
		want    string
	}{
		{"wires by hand", Chip{Wires: true, Board: &pi, Tile: utf.TT09}, []string{"uo3"}, "exchange at the chip's end"},
		{"no design selected", Chip{Wires: true, Board: &demo, Tile: utf.TT09}, []string{"uo3"},
			"leave --design none out"},
		{"an old host", Chip{Wires: true, Board: &demo, Tile: utf.TT09, Transport: keeper{}}, []string{"uo3"},
			"too old to select it"},
		{"no wires", Chip{Board: &pi, Tile: utf.TT09}, []string{"uo3"}, ""},
		{"no output", Chip{Wires: true, Board: &pi, Tile: utf.TT09}, nil, ""},
	} {
		r := &wiring.Report{Verdict: wiring.Unclear, Why: "so", Outputs: c.outputs}
		c.chip.advise(r)
		if !strings.Contains(r.Why, c.want) || c.want == "" && r.Why != "so" || r.Settled {
			t.Errorf("%s: %s", c.name, r.Why)
		}
	}
}

// An output that is at fault in the factory test is not the user's design.
func TestAdviceOfTheFactoryTest(t *testing.T) {
	var own tile.Tile = factory.Tile{}
	c := Chip{Wires: true, Board: &boards.Board{Mux: new(boards.Mux)}, Tile: own}
	h := stuckOutput(t)
	c.advise(h)
	if !h.Settled || !strings.Contains(h.Why, "so it is not the design") {
		t.Errorf("%+v", h)
	}
}

// stuckOutput returns what a check finds of a factory test whose uo4 is stuck.
func stuckOutput(t *testing.T) *wiring.Report {
	t.Helper()
	target := New("mock")
	target.Tile, target.Faults = factory.Tile{}, []string{"uo4=stuck1"}
	c, err := target.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.CheckWires(t.Context())
	if err != nil || r.Outputs == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	return r
}
