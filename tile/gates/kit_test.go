package gates

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/gates/sim"
)

// A kit is the Verilog of a library, in a folder named by an environment variable.
type kit struct {
	variable string
	prefix   string // of the cells' names
	files    func(dir string) []string
	mend     func(text string) string // adapts the text for Icarus
	skipped  []string                 // cells without logic, or that Icarus cannot simulate
}

var kits = []kit{
	{"BENCH_SKY130", "sky130_fd_sc_hd__", func(dir string) []string {
		return glob(dir, "cells/*/sky130_fd_sc_hd__*_[0-9]*.v", "cells/*/sky130_fd_sc_hd__macro_sparecell.v")
	}, nil, nil},
	{"BENCH_GF180_7T", "gf180mcu_fd_sc_mcu7t5v0__", gf180, mendGF180, []string{"hold"}},
	{"BENCH_GF180_9T", "gf180mcu_fd_sc_mcu9t5v0__", gf180, mendGF180, []string{"hold"}},
	{"BENCH_SG13G2", "sg13g2_", func(dir string) []string {
		return glob(dir, "*udp.v", "sg13g2_stdcell.v")
	}, func(text string) string {
		text = regexp.MustCompile(`(?m)^\s*wire delayed_.*$|^\s*\$?specify(.|\n)*?endspecify`).
			ReplaceAllString(text, "")
		return strings.ReplaceAll(text, "delayed_", "")
	}, []string{"sighold"}},
}

func gf180(dir string) []string { return glob(dir, "models/*/*.v", "cells/*/*.functional.v") }

// mendGF180 gives the primitives the names that the cells use.
func mendGF180(text string) string {
	text = regexp.MustCompile(`UDP_\w*_MGM_(\w+)_UDP`).ReplaceAllStringFunc(text, func(name string) string {
		kind := name[strings.Index(name, "_MGM_")+len("_MGM_") : len(name)-len("_UDP")]
		return "udp_" + strings.ToLower(kind)
	})
	return regexp.MustCompile(`gf180mcu_fd_sc_mcu\dt5v0__udp_`).ReplaceAllString(text, "udp_")
}

func glob(dir string, patterns ...string) (all []string) {
	for _, p := range patterns {
		found, _ := filepath.Glob(filepath.Join(dir, p))
		all = append(all, found...)
	}
	return all
}

// TestKits compares each cell of the table with the kit's own Verilog in Icarus: random pins change one at a time, and
// levels known to both must be equal. Environment variables name the folders:
//
//	BENCH_SKY130    skywater-pdk-libs-sky130_fd_sc_hd, cells/ and models/
//	BENCH_GF180_7T  globalfoundries-pdk-libs-gf180mcu_fd_sc_mcu7t5v0, cells/ and models/
//	BENCH_GF180_9T  likewise, for mcu9t5v0
//	BENCH_SG13G2    libs.ref/sg13g2_stdcell/verilog of the IHP Open PDK
func TestKits(t *testing.T) {
	for _, k := range kits {
		t.Run(k.prefix, func(t *testing.T) {
			dir := os.Getenv(k.variable)
			if dir == "" {
				t.Skipf("needs the kit's Verilog: set %s", k.variable)
			}
			if _, err := exec.LookPath("iverilog"); err != nil {
				t.Skip("needs Icarus: ", err)
			}
			k.check(t, dir)
		})
	}
}

// changes is the number of pin changes, and pins is the maximum number of pins.
const changes, pins = 4000, 7

func (k *kit) check(t *testing.T, dir string) {
	source, names := k.source(t, dir)
	if len(names) < 40 {
		t.Fatalf("only %d cells in %s", len(names), dir)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	vectors := make([]uint8, changes)
	for i := 1; i < changes; i++ {
		vectors[i] = vectors[i-1] ^ 1<<rng.IntN(pins)
	}
	rows := k.icarus(t, dir, source, names, vectors)
	at := 0
	for _, name := range names {
		c, _ := FindCell(name)
		want := make([]string, len(rows))
		for i, row := range rows {
			want[i] = string(row[at : at+len(c.outputs)])
		}
		at += len(c.outputs)
		k.compare(t, name, c, vectors, want)
	}
	t.Logf("%d cells", len(names))
}

// source returns the kit's Verilog and the names of its cells that have a function, in one drive strength each. It
// fails the test for a cell that the table lacks.
func (k *kit) source(t *testing.T, dir string) (text string, names []string) {
	var all strings.Builder
	seen := map[string]bool{}
	for _, file := range k.files(dir) {
		b := testkit.Must(os.ReadFile(file))(t)
		if c, _ := FindCell(strings.TrimSuffix(filepath.Base(file), ".v")); c == nil || !c.IsFiller() {
			fmt.Fprintf(&all, "`include %q\n", k.copied(t, dir, file, string(b)))
		}
		for _, m := range header.FindAllStringSubmatch(comment.ReplaceAllString(string(b), ""), -1) {
			name := m[1]
			k.order(t, name, m[2])
			base := withoutStrength(strings.TrimPrefix(name, k.prefix))
			if !strings.HasPrefix(name, k.prefix) || seen[base] {
				continue
			}
			seen[base] = true
			c, known := FindCell(name)
			switch {
			case !known:
				t.Errorf("the table has no %s", name)
			case !c.IsFiller() && !slices.Contains(k.skipped, base):
				names = append(names, name)
			}
		}
	}
	return all.String(), names
}

// header matches a module with its ports, comment a comment or directive, and word a port's name.
var (
	header  = regexp.MustCompile(`(?m)^\s*module\s+(\w+)\s*\(([^)]*)\)`)
	comment = regexp.MustCompile("//.*|(?s:/\\*.*?\\*/)|(?m:^`.*$)")
	word    = regexp.MustCompile(`\w+\s*(?:,|$)`)
)

// order compares the order of a module's ports, without supplies, with the table's order for the library.
func (k *kit) order(t *testing.T, name, ports string) {
	c, known := FindCell(name)
	if !known || !HasOrderedPorts(name) ||
		slices.Contains(k.skipped, withoutStrength(strings.TrimPrefix(name, k.prefix))) {
		return
	}
	var got []string
	for _, w := range word.FindAllString(strings.TrimSpace(ports), -1) {
		port := strings.TrimSpace(strings.TrimSuffix(w, ","))
		if _, power := supply(port); !power {
			got = append(got, port)
		}
	}
	if want := slices.Concat(c.Outputs(), c.Inputs); !slices.Equal(got, want) {
		t.Errorf("%s: the kit's module has the ports %v, the table %v", name, got, want)
	}
}

// copied returns the file to include: the original or an adapted copy.
func (k *kit) copied(t *testing.T, dir, file, text string) string {
	if k.mend == nil {
		return file
	}
	to := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(to, []byte(k.mend(text)), 0o644); err != nil {
		t.Fatal(err)
	}
	return to
}

func (k *kit) icarus(t *testing.T, dir, source string, names []string, vectors []uint8) [][]byte {
	var v strings.Builder
	fmt.Fprintf(&v, "`timescale 1ns/1ps\n%smodule bench;\n  reg [%d:0] v; integer i; reg [%d:0] all [0:%d];\n", source,
		pins-1, pins-1, changes-1)
	var shown []string
	for i, name := range names {
		c, _ := FindCell(name)
		var conn []string
		for b, pin := range c.Inputs {
			conn = append(conn, fmt.Sprintf(".%s(v[%d])", pin, b))
		}
		for _, pin := range c.Outputs() {
			out := fmt.Sprintf("o%d_%s", i, pin)
			fmt.Fprintf(&v, "  wire %s;\n", out)
			conn, shown = append(conn, fmt.Sprintf(".%s(%s)", pin, out)), append(shown, out)
		}
		fmt.Fprintf(&v, "  %s u%d (%s);\n", name, i, strings.Join(conn, ", "))
	}
	fmt.Fprintf(&v, "  initial begin $readmemb(\"vectors\", all); for (i = 0; i < %d; i = i + 1) begin "+
		"v = all[i]; #1000 $display(\"%%b\", {%s}); end end\nendmodule\n", changes, strings.Join(shown, ", "))
	var text strings.Builder
	for _, x := range vectors {
		fmt.Fprintf(&text, "%0*b\n", pins, x)
	}
	tmp := t.TempDir()
	for name, s := range map[string]string{"bench.v": v.String(), "vectors": text.String()} {
		if err := os.WriteFile(filepath.Join(tmp, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("iverilog", "-g2012", "-grelative-include", "-DFUNCTIONAL", "-DUNIT_DELAY=#1", "-I"+dir,
		"-s", "bench", "-o", "bench", "bench.v")
	build.Dir = tmp
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.3000s", err, out)
	}
	run := exec.Command("vvp", "-n", "bench")
	run.Dir = tmp
	out := testkit.Must(run.Output())(t)
	rows := bytes.Fields(out)
	if len(rows) != len(vectors) {
		t.Fatalf("%d rows from Icarus: %.500s", len(rows), out)
	}
	return rows
}

func (k *kit) compare(t *testing.T, name string, c *Cell, vectors []uint8, want []string) {
	to := sim.NewCircuit(name)
	nets := map[string]sim.Net{}
	var inputs []sim.Net
	for _, pin := range c.Inputs {
		nets[pin] = to.Net(pin)
		inputs = append(inputs, nets[pin])
	}
	for _, pin := range c.Outputs() {
		nets[pin] = to.AddPort(pin, sim.Output, 1)[0]
	}
	c.Add(to, func(pin string) sim.Net { return nets[pin] })
	p := testkit.Must(sim.Compile(to, inputs, len(inputs)))(t)
	m, all := sim.NewMachine(p, nil), p.Cone(p.Inputs(), true)
	both := make([]int, len(c.outputs))
	only := 0
	for i, v := range vectors {
		for b, n := range inputs {
			m.Set(n, sim.Level(-uint64(v>>b&1)))
		}
		m.Event(all)
		for o, out := range c.Outputs() {
			s := m.Level(nets[out])
			mine, other := "?10x"[s.Hi&1|s.Lo&1<<1], want[i][o]
			switch {
			case mine == 'x' && (other == '0' || other == '1'):
				only++
			case mine == 'x' || other != '0' && other != '1':
			case mine != other:
				t.Errorf("%s, pin %s, vector %d (%07b, before %07b): %c, and the kit says %c", name, out, i, v,
					vectors[max(i, 1)-1], mine, other)
				return
			default:
				both[o]++
			}
		}
	}
	if slices.Min(both) < changes/5 || only > changes/100 {
		t.Errorf("%s: compared %v of %d levels; %d are known to Icarus only", name, both, len(vectors), only)
	}
}
