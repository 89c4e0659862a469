package gates

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// TestIcarus compares the ternary evaluation of fabricated netlists bit by bit with Icarus, which simulates the
// original netlist, including power pins, with the kit's own cells. It also compares evaluation in lanes with ternary
// evaluation.
//
//	BENCH_NETLISTS  a shuttle's folder projects, with NAME/NAME.v
//	BENCH_SKY130    cells/ and models/ of skywater-pdk-libs-sky130_fd_sc_hd
//	BENCH_DESIGNS   a regular expression; without it, a few designs
func TestIcarus(t *testing.T) {
	dir, kit := os.Getenv("BENCH_NETLISTS"), os.Getenv("BENCH_SKY130")
	if dir == "" || kit == "" {
		t.Skip("needs the netlists of a shuttle and a kit's Verilog: set BENCH_NETLISTS and BENCH_SKY130")
	}
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("needs Icarus: ", err)
	}
	pattern := os.Getenv("BENCH_DESIGNS")
	if pattern == "" {
		pattern = "hardware_utf8|ay8913|toivoh_demo|c7_array_mult|dff_mem|michaelmcculloch_alu"
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "tt_um*.v"))
	total := icarusCount{}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".v")
		if is, _ := regexp.MatchString(pattern, name); !is {
			continue
		}
		t.Run(name, func(t *testing.T) {
			n := againstIcarus(t, f, name, kit)
			t.Logf("%+v", n)
			total.add(n)
		})
	}
	t.Logf("all: %+v", total)
}

type icarusCount struct{ Both, Different, OnlyHere, OnlyIcarus, Contradicted int }

func (c *icarusCount) add(d icarusCount) {
	c.Both += d.Both
	c.Different += d.Different
	c.OnlyHere += d.OnlyHere
	c.OnlyIcarus += d.OnlyIcarus
	c.Contradicted += d.Contradicted
}

const icarusClocks = 400

// compared holds a step of the comparison: a line of stimulus, and the ternary outputs.
type compared struct {
	in, io, drive uint8
	rst           bool
	at            [24]sim.Set // oe, line, uo
}

func againstIcarus(t *testing.T, file, name, kit string) (n icarusCount) {
	text := testkit.Must(os.ReadFile(file))(t)
	c, macros, err := ReadNetlist(Source{File: file, Text: string(text)}, nil)
	if err != nil {
		t.Skip(err)
	}
	d := testkit.Must(Compile(c))(t)
	steps, contradicted := stimulate(d)
	n.Contradicted = contradicted
	if contradicted > 0 {
		t.Errorf("%d bits are known to the ternary evaluation and differ in a lane", contradicted)
	}
	r := icarusRun{netlist: lastComma.ReplaceAllString(string(text), "$1"), name: name, kit: kit, macros: macros,
		steps: steps, phase: 1000}
	r.read(t)
	rows, ok := r.run(t)
	if !ok {
		r.slow(t)
		if rows, ok = r.run(t); !ok {
			t.Skip("Icarus gives no result")
		}
	}
	for i, row := range rows {
		for k, s := range steps[i].at {
			mine, other := "?10x"[s.Hi&1|s.Lo&1<<1], row[23-k]
			switch {
			case mine != 'x' && (other == '0' || other == '1'):
				n.Both++
				if mine != other {
					if n.Different == 0 {
						t.Errorf("step %d, bit %d: %c, and Icarus says %c", i, k, mine, other)
					}
					n.Different++
				}
			case mine != 'x':
				n.OnlyHere++
			case other == '0' || other == '1':
				n.OnlyIcarus++
			}
		}
	}
	return n
}

// stimulate resets a design and applies random levels, on the bus only to lines that the chip has released.
func stimulate(d *Design) (steps []compared, contradicted int) {
	rng := rand.New(rand.NewPCG(1, 1))
	ternary, lanes := d.NewChip(nil), d.NewChip(&sim.RandomChoices{Seed: 1})
	var f Frame
	for i := range icarusClocks {
		s := compared{in: uint8(rng.Uint32()), io: uint8(rng.Uint32()), rst: i >= 10}
		step := transport.Step{In: s.in, Reset: !s.rst}
		f.Set(&step)
		ternary.Step(&f)
		lanes.Step(&f)
		for k := range 8 {
			s.drive |= uint8(^ternary.Drives(k).Hi&1) << k
		}
		s.io &= s.drive
		step.IO, step.Drive, step.Clocks = s.io, s.drive, 1
		f.Set(&step)
		ternary.Step(&f)
		lanes.Step(&f)
		for k := range 8 {
			s.at[k], s.at[8+k], s.at[16+k] = ternary.Drives(k), ternary.UIOLevel(k), ternary.OutputLevel(k)
			for j, l := range []sim.Set{lanes.Drives(k), lanes.UIOLevel(k), lanes.OutputLevel(k)} {
				if s := s.at[8*j+k]; l.Hi&^s.Hi|l.Lo&^s.Lo != 0 {
					contradicted++
				}
			}
		}
		steps = append(steps, s)
	}
	return steps, contradicted
}

// fillers holds empty modules for another library's cells without a function.
const fillers = `module sky130_ef_sc_hd__decap_12 (input VPWR, VGND, VPB, VNB); endmodule
module sky130_ef_sc_hd__fill_4 (input VPWR, VGND, VPB, VNB); endmodule
module sky130_ef_sc_hd__fill_8 (input VPWR, VGND, VPB, VNB); endmodule
module sky130_ef_sc_hd__fill_12 (input VPWR, VGND, VPB, VNB); endmodule
`

// An icarusRun is a simulation of a netlist with the kit's own cells.
type icarusRun struct {
	netlist, name, kit string
	types              []string // the kit's cells in the netlist
	power              []string // supply ports
	macros             []CellCount
	steps              []compared
	phase              int // ns
}

// lastComma matches a comma after the last pin, which Icarus 11 does not accept.
var lastComma = regexp.MustCompile(`,(\s*\);)`)

var kitCell = regexp.MustCompile(`(?m)^\s*(sky130_fd_sc_h[a-z]__[a-z0-9_]+) `)

func (r *icarusRun) read(t *testing.T) {
	used := map[string]bool{}
	for _, cell := range kitCell.FindAllStringSubmatch(r.netlist, -1) {
		if !strings.HasPrefix(cell[1], "sky130_fd_sc_hd__") {
			t.Skip("the kit of ", cell[1], " is not at hand")
		}
		used[cell[1]] = true
	}
	r.types = slices.Sorted(maps.Keys(used))
	modules := testkit.Must(parseModules(r.netlist, filler))(t)
	top := testkit.Must(topModule(modules, r.name))(t)
	for port := range top.Ports {
		if _, is := supply(port); is {
			r.power = append(r.power, port)
		}
	}
}

// baseOf returns a cell's name without kit and drive strength.
func baseOf(cell string) string {
	base := strings.TrimPrefix(cell, "sky130_fd_sc_hd__")
	if i := strings.LastIndexByte(base, '_'); i >= 0 && base[i+1] >= '0' && base[i+1] <= '9' {
		base = base[:i]
	}
	return base
}

var primitive = regexp.MustCompile(`(?m)^(\s*(?:buf|not|and|nand|or|nor|xor|xnor))(\s+\w+\s*\()`)

// slow adds a delay to each primitive of the cells, far shorter than a flip-flop's, since an oscillator without delays
// never ends its time step. It keeps only the first steps, in shorter phases.
func (r *icarusRun) slow(t *testing.T) {
	kit := t.TempDir()
	if err := os.Symlink(filepath.Join(r.kit, "models"), filepath.Join(kit, "models")); err != nil {
		t.Fatal(err)
	}
	for _, cell := range r.types {
		files, _ := filepath.Glob(filepath.Join(r.kit, "cells", baseOf(cell), "*.v"))
		to := filepath.Join(kit, "cells", baseOf(cell))
		if err := os.MkdirAll(to, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text := testkit.Must(os.ReadFile(f))(t)
			text = primitive.ReplaceAll(text, []byte("$1 #0.01 $2"))
			if err := os.WriteFile(filepath.Join(to, filepath.Base(f)), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.kit, r.phase, r.steps = kit, 50, r.steps[:icarusClocks/16]
}

// stub returns an empty module in place of a macro, so that its outputs float.
func (r *icarusRun) stub(macro string) string {
	ports := map[string]bool{}
	instance := regexp.MustCompile(`(?s)\b` + regexp.QuoteMeta(macro) + `\s+[^\s;(]+\s*\((.*?);`)
	for _, body := range instance.FindAllStringSubmatch(r.netlist, -1) {
		for _, pin := range regexp.MustCompile(`\.(\w+)\s*\(`).FindAllStringSubmatch(body[1], -1) {
			ports["input "+pin[1]] = true
		}
	}
	return fmt.Sprintf("module %s (%s); endmodule\n", macro, strings.Join(slices.Sorted(maps.Keys(ports)), ", "))
}

// bench returns the Verilog of the test bench, without the netlist.
func (r *icarusRun) bench() string {
	var v strings.Builder
	v.WriteString("`timescale 1ns/1ps\n")
	for _, cell := range r.types {
		fmt.Fprintf(&v, "`include %q\n", filepath.Join(r.kit, "cells", baseOf(cell), cell+".v"))
	}
	v.WriteString(fillers)
	for _, m := range r.macros {
		v.WriteString(r.stub(m.Type))
	}
	power := ""
	for _, port := range r.power {
		level, _ := supply(port)
		power += fmt.Sprintf(", .%s(%s)", port, map[bool]string{false: "gnd", true: "power"}[level == sim.One])
	}
	fmt.Fprintf(&v, `
module bench;
  supply1 power; supply0 gnd;
  reg clk, rst; reg [7:0] ui, level, drive; wire [7:0] uo, out, oe, line;
  genvar i;
  generate for (i = 0; i < 8; i = i + 1) begin
    bufif1 (line[i], out[i], oe[i]);
    bufif1 (line[i], level[i], drive[i]);
  end endgenerate
  %s chip (.ui_in(ui), .uo_out(uo), .uio_in(line), .uio_out(out), .uio_oe(oe), .ena(1'b1), .clk(clk), .rst_n(rst)%s);
  reg [24:0] stim [0:%d]; integer t;
  initial begin
    $readmemb("stim", stim); clk = 0; rst = 0; ui = 0; level = 0; drive = 0; #%[4]d;
    for (t = 0; t <= %[3]d; t = t + 1) begin
      drive = 0; #%[4]d rst = stim[t][24]; ui = stim[t][7:0]; #%[4]d;
      level = stim[t][15:8]; drive = stim[t][23:16]; #%[4]d;
      clk = 1; #%[4]d clk = 0; #%[4]d $display("%%b%%b%%b", uo, line, oe);
    end
    $finish;
  end
endmodule
`, r.name, power, len(r.steps)-1, r.phase)
	return v.String()
}

// run returns a line per step; ok is false if Icarus does not end in time.
func (r *icarusRun) run(t *testing.T) (rows [][]byte, ok bool) {
	tmp := t.TempDir()
	var stim strings.Builder
	for _, s := range r.steps {
		fmt.Fprintf(&stim, "%d%08b%08b%08b\n", map[bool]int{true: 1}[s.rst], s.drive, s.io, s.in)
	}
	for file, text := range map[string]string{"bench.v": r.bench(), "chip.v": r.netlist, "stim": stim.String()} {
		if err := os.WriteFile(filepath.Join(tmp, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("iverilog", "-g2012", "-grelative-include", "-DFUNCTIONAL", "-DUSE_POWER_PINS",
		"-DUNIT_DELAY=#1", "-I"+r.kit, "-o", "bench", "bench.v", "chip.v")
	build.Dir = tmp
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	run := exec.CommandContext(ctx, "vvp", "-n", "bench")
	run.Dir = tmp
	out, err := run.Output()
	if err != nil {
		return nil, false
	}
	rows = bytes.Fields(out)
	if len(rows) != len(r.steps) {
		t.Fatalf("%d lines from Icarus: %.300s", len(rows), out)
	}
	return rows, true
}
