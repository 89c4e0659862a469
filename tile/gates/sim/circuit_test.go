package sim

import (
	"strings"
	"testing"
)

func tile() *Circuit {
	c := NewCircuit("tt_um_test")
	for _, p := range tilePorts {
		c.AddPort(p.name, p.dir, p.bits)
	}
	return c
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		change func(c *Circuit)
		want   string
	}{
		{func(*Circuit) {}, ""},
		{func(c *Circuit) { c.Add(Buf, One, Zero) }, "tt_um_test drives net 1, which is no net that can be driven"},
		{func(c *Circuit) { c.Begin("u1", "inv", 7); c.Add(Not, c.Port("uo_out")[0], 9999) },
			"cell u1 (inv, line 7) reads net 9999, which does not exist"},
		{func(c *Circuit) { c.Cells = append(c.Cells, Cell{Kind: kinds}) }, "there is no such kind or part"},
		{func(c *Circuit) { c.Ports[0].Nets[3] = Open }, "port ui_in: net -1 does not exist"},
		{func(c *Circuit) { c.Nets = make([]string, MaxNets+1) }, "at most 262144 are supported"},
		{func(c *Circuit) { c.Cells = make([]Cell, MaxCells+1) }, "at most 262144 are supported"},
		{func(c *Circuit) { c.Ports = c.Ports[1:] }, "module tt_um_test has no port ui_in, which every tile has"},
		{func(c *Circuit) { c.Ports[1].Nets = c.Ports[1].Nets[:4] }, "port uo_out has 4 bits (a tile's has 8)"},
		{func(c *Circuit) { c.Ports[5].Dir = Inout }, "port ena has the wrong direction"},
	} {
		c := tile()
		test.change(c)
		err := c.Check()
		if err == nil {
			err = c.CheckTile()
		}
		if test.want == "" && err == nil {
			continue
		}
		if err == nil || test.want == "" || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

func TestNotIsMadeOnce(t *testing.T) {
	c := NewCircuit("m")
	a := c.Net("a")
	first := c.Not(a)
	if first != c.Not(a) || c.Not(Zero) != One || c.Not(One) != Zero || len(c.Cells) != 1 {
		t.Errorf("%d cells: %v", len(c.Cells), c.Cells)
	}
	if open := c.Not(Open); open == c.Not(Open) {
		t.Error("two open inputs share a level")
	}
}

// Flip-flops behind inverters of the same net, or of a constant, share a group and the check of its clock.
func TestInvertersAreJoined(t *testing.T) {
	c := NewCircuit("m")
	clk, rst := c.Net("clk"), c.Net("rst_n")
	for _, from := range []Net{rst, rst, One, One} {
		branch := c.Net("")
		c.Add(Buf, branch, from)
		reset, q := c.Net(""), c.Net("q")
		c.Add(Not, reset, branch)
		c.Add(Flop, q, q, clk, Zero, reset)
	}
	p, err := Compile(c, []Net{clk, rst}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.groups) != 2 || len(p.groups[0].bits) != 2 || p.groups[1].reset != int32(Zero) || len(p.ops) != 1 {
		t.Errorf("%d operations, groups %+v", len(p.ops), p.groups)
	}
}
