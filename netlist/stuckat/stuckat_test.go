package stuckat

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport"
)

// tile is a module with a tile's ports, whose outputs are low but for uo[0], which shows the net y.
func tile(body string) string {
	return `module t (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe, input ena, clk, rst_n);
  wire y; assign uo_out = {7'h00, y}; assign uio_out = 8'h00; assign uio_oe = 8'h00;
` + testkit.Cells(body) + "\nendmodule"
}

// looks are steps without a clock with these levels of ui, after a reset.
func looks(ui ...uint8) []transport.Step {
	steps := []transport.Step{{Reset: true, Clocks: 1, Drive: 0xFF}}
	for _, in := range ui {
		steps = append(steps, transport.Step{In: in, Drive: 0xFF})
	}
	return steps
}

// measure simulates all faults on one vector.
func measure(t *testing.T, verilog string, steps []transport.Step) (missed []string, classes int) {
	t.Helper()
	n := netlistOf(t, verilog)
	v := Vector{Suite: "s", Name: "s/v", Steps: steps}
	expect(t, verilog, &v)
	cs := Classes(n)
	findings, err := Simulate(t.Context(), n, cs, []Vector{v})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range findings {
		if !f.Anywhere() {
			for _, fault := range cs[i] {
				missed = append(missed, fault.String())
			}
		}
	}
	slices.Sort(missed)
	return missed, len(cs)
}

// Single cells have the classes and the coverage that a text book's tables give them.
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		name, body string
		ui         []uint8
		classes    int
		missed     string
	}{
		{"NAND, all levels", "nand2 g (.A(ui_in[0]), .B(ui_in[1]), .Y(y));", []uint8{0, 1, 2, 3}, 4, ""},
		{"NAND, the three that are needed", "nand2 g (.A(ui_in[0]), .B(ui_in[1]), .Y(y));", []uint8{1, 2, 3}, 4, ""},
		{"NAND, 11 alone", "nand2 g (.A(ui_in[0]), .B(ui_in[1]), .Y(y));", []uint8{3}, 4,
			"g/A stuck at 1, g/B stuck at 1"},
		{"NAND, 01 alone; the reset's levels show it as well", "nand2 g (.A(ui_in[0]), .B(ui_in[1]), .Y(y));",
			[]uint8{1}, 4, "g/A stuck at 0, g/A stuck at 1, g/B stuck at 0, g/Y stuck at 1"},
		{"XOR, all levels: nothing is equivalent", "xor2 g (.A(ui_in[0]), .B(ui_in[1]), .X(y));",
			[]uint8{0, 1, 2, 3}, 6, ""},
		{"AOI, A2 high alone: the data book's table",
			"a21oi g (.A1(ui_in[0]), .A2(ui_in[1]), .B1(ui_in[2]), .Y(y));",
			[]uint8{2}, 6, "g/A1 stuck at 0, g/A2 stuck at 0, g/A2 stuck at 1, g/B1 stuck at 0, g/Y stuck at 1"},
		{"two inverters in a row are one class for each level", "inv g (.A(ui_in[0]), .Y(n)); inv h (.A(n), .Y(y));",
			[]uint8{0, 1}, 2, ""},
		{"a fan-out is not its branches", "inv g (.A(ui_in[0]), .Y(n)); nand2 h (.A(n), .B(n), .Y(y));", []uint8{0, 1},
			6, "h/A stuck at 1, h/B stuck at 1"},
		{"what is hidden is missed: y is ui0, whatever ui1 is", "inv i (.A(ui_in[1]), .Y(n)); " +
			"nand2 a (.A(ui_in[0]), .B(ui_in[1]), .Y(p)); nand2 b (.A(ui_in[0]), .B(n), .Y(q)); " +
			"nand2 c (.A(p), .B(q), .Y(y));", []uint8{0, 1, 2, 3}, 8,
			"a/B stuck at 1, b/B stuck at 1, i/A stuck at 0, i/Y stuck at 1"},
	} {
		missed, classes := measure(t, tile(c.body), looks(c.ui...))
		if got := strings.Join(missed, ", "); got != c.missed || classes != c.classes {
			t.Errorf("%s:\n got  %d classes, missed %s\n want %d classes, missed %s", c.name, classes, got, c.classes,
				c.missed)
		}
	}
}

// random are vectors for the tile turn: the bench is off the bus while the chip may drive it.
func random(seed uint64, suites, vectors, length int) (all []Vector) {
	r := rand.New(rand.NewPCG(seed, 0))
	for s := range suites {
		for k := range vectors {
			v := Vector{Suite: fmt.Sprint("s", s), Name: fmt.Sprintf("s%d/%d", s, k),
				Steps: []transport.Step{{Reset: true, Clocks: 1, Drive: 0xFF}}}
			for len(v.Steps) < length {
				step := transport.Step{In: uint8(r.Uint32()), Clocks: uint8(r.IntN(3)), Drive: 0xFF,
					IO: uint8(r.Uint32())}
				if r.IntN(20) == 0 {
					step.Reset = true
				}
				if step.In&1 != 0 { // read, then off the bus
					step.Drive, step.IO, step.Clocks = 0, 0, 1
					v.Steps = append(v.Steps, step)
					step.In &^= 3
				}
				v.Steps = append(v.Steps, step)
			}
			all = append(all, v)
		}
	}
	return all
}

// latches is a netlist with flip-flops that have a clear, a clock through buffers, and outputs that are inverted.
var latches = tile(`
  buf c0 (.A(clk), .X(k0)); inv c1 (.A(k0), .Y(k1)); inv c2 (.A(k1), .Y(k2)); buf c3 (.A(k0), .X(k3));
  buf r0 (.A(rst_n), .X(r)); nand2 r1 (.A(ui_in[5]), .B(q1), .Y(r2)); nand2 r3 (.A(r), .B(r2), .Y(rn));
  inv r4 (.A(rn), .Y(rr));
  dfrbp f0 (.CLK(k2), .D(ui_in[0]), .RESET_B(rr), .Q(q0), .Q_N(n0));
  dfrbp f1 (.CLK(k3), .D(x0), .RESET_B(r), .Q(q1), .Q_N());
  dfxtp f2 (.CLK(k3), .D(m0), .Q(q2));
  xor2 g0 (.A(q0), .B(ui_in[1]), .X(x0)); mux2 g1 (.A0(n0), .A1(q1), .S(ui_in[2]), .X(m0));
  a21oi g2 (.A1(q2), .A2(ui_in[3]), .B1(q1), .Y(y1)); nand2 g3 (.A(y1), .B(n0), .Y(y));`)

// The fast simulation finds what a slow one finds, that puts one fault after the other into the chip, vector by vector.
func TestAgainstSlow(t *testing.T) {
	for name, c := range map[string]struct {
		verilog string
		vectors []Vector
		every   int
		slow    bool
	}{
		"latches":       {latches, random(1, 2, 4, 10), 1, false},
		"turn":          {read(t, "turn.v"), random(2, 2, 2, 16), 20, false},
		"long":          {latches, random(3, 1, 1, 150), 2, false},
		"latches, slow": {latches, random(6, 2, 4, 12), 1, true},
		"turn, slow":    {read(t, "turn.v"), random(7, 2, 2, 16), 24, true},
		"long, slow":    {latches, random(8, 1, 1, 120), 1, true},
	} {
		t.Run(name, func(t *testing.T) { againstSlow(t, c.verilog, c.vectors, c.every, c.slow) })
	}
}

func againstSlow(t *testing.T, verilog string, vectors []Vector, every int, slow bool) {
	n := netlistOf(t, verilog)
	for i := range vectors {
		expect(t, verilog, &vectors[i])
	}
	every *= testkit.Pick(50, 1)
	classes := Classes(n)
	if slow {
		classes = SlowClasses(n)
	}
	findings, err := Simulate(t.Context(), n, classes, vectors)
	if err != nil {
		t.Fatal(err)
	}
	suites, found := Suites(vectors), 0
	for i := 0; i < len(classes); i += every {
		for _, f := range classes[i] { // all of a class are found, or none
			for k := range suites {
				for p := range powerUps {
					at := findings[i].Found[k][p]
					if at != Nowhere && shows(t, verilog, &f, &vectors[at.Vector], p == 1) != int(at.Step) {
						t.Errorf("%v is not seen first in %s at step %d", &f, vectors[at.Vector].Name, at.Step)
					}
					if at != Nowhere {
						found++
						continue
					}
					for v := range vectors {
						if vectors[v].Suite == suites[k] && shows(t, verilog, &f, &vectors[v], p == 1) != none {
							t.Errorf("%v is seen in %s from power-up %d, and was not found", &f, vectors[v].Name, p)
						}
					}
				}
			}
		}
	}
	if found < testkit.Pick(1, 40) {
		t.Errorf("only %d were found: the test tests nothing", found)
	}
}

// A netlist that does something else is refused with the vector and the step.
func TestOther(t *testing.T) {
	n := netlistOf(t, tile("buf g (.A(ui_in[0]), .X(y));"))
	v := Vector{Suite: "s", Name: "s/v", Steps: looks(0, 1)}
	expect(t, tile("inv g (.A(ui_in[1]), .Y(y));"), &v)
	var other *Other
	if err := Check(t.Context(), n, []Vector{v}); !errors.As(err, &other) || other.Vector != "s/v" || other.Step != 0 {
		t.Errorf("%v", err)
	}
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Simulate(cut, n, Classes(n), []Vector{v}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// transpose is its own inverse, and moves each bit to its place.
func TestTranspose(t *testing.T) {
	var a [64]uint64
	r := rand.New(rand.NewPCG(1, 1))
	for i := range a {
		a[i] = r.Uint64()
	}
	b := a
	transpose(&b)
	for i := range a {
		for j := range a {
			if a[i]>>j&1 != b[j]>>i&1 {
				t.Fatalf("bit %d of number %d", j, i)
			}
		}
	}
}

// What the vectors of the UTF chip cost is measured by hand with bench faults: docs/coverage.md.
func BenchmarkSimulate(b *testing.B) {
	verilog := read(b, "turn.v")
	n := netlistOf(b, verilog)
	vectors := random(4, 4, 50, 40)
	for i := range vectors {
		expect(b, verilog, &vectors[i])
	}
	classes := Classes(n)
	for b.Loop() {
		if _, err := Simulate(b.Context(), n, classes, vectors); err != nil {
			b.Fatal(err)
		}
	}
}
