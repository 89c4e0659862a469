package stuckat

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// models are cells of the kit for a simulator.
const models = `
module sky130_fd_sc_hd__inv_1 (input A, output Y); assign Y = !A; endmodule
module sky130_fd_sc_hd__buf_1 (input A, output X); assign X = A; endmodule
module sky130_fd_sc_hd__nand2_1 (input A, B, output Y); assign Y = !(A & B); endmodule
module sky130_fd_sc_hd__nor2_1 (input A, B, output Y); assign Y = !(A | B); endmodule
module sky130_fd_sc_hd__xor2_1 (input A, B, output X); assign X = A ^ B; endmodule
module sky130_fd_sc_hd__mux2_1 (input A0, A1, S, output X); assign X = S ? A1 : A0; endmodule
module sky130_fd_sc_hd__a21oi_1 (input A1, A2, B1, output Y); assign Y = !(A1 & A2 | B1); endmodule
module sky130_fd_sc_hd__o21ai_1 (input A1, A2, B1, output Y); assign Y = !((A1 | A2) & B1); endmodule
module sky130_fd_sc_hd__conb_1 (output HI, LO); assign HI = 1; assign LO = 0; endmodule
module sky130_fd_sc_hd__dfxtp_1 (input CLK, D, output reg Q); always @(posedge CLK) Q <= D; endmodule
`

// A fault that is put into the Verilog and run in Icarus is seen where it was found, and not where it was not.
func TestAgainstIcarus(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("needs Icarus Verilog: ", err)
	}
	text := read(t, "turn.v")
	n := netlistOf(t, text)
	vectors := random(5, 1, 8, 30)
	for i := range vectors {
		expect(t, text, &vectors[i])
	}
	classes := Classes(n)
	findings, err := Simulate(t.Context(), n, classes, vectors)
	if err != nil {
		t.Fatal(err)
	}
	tried := map[bool]int{}
	for i := 7; i < len(classes); i += len(classes) / testkit.Pick(8, 24) {
		f := &classes[i][len(classes[i])-1] // any of a class will do
		seen, known := inIcarus(t, mutant(t, text, f), vectors)
		tried[findings[i].Anywhere()]++
		switch {
		case findings[i].Anywhere() && !seen:
			t.Errorf("%v was found, and Icarus does not see it", f)
		case findings[i].Found[0] == [powerUps]Place{Nowhere, Nowhere} && seen && known:
			t.Errorf("%v was not found, and Icarus sees it", f)
		}
	}
	if tried[true] < testkit.Pick(3, 10) || tried[false] < 1 {
		t.Errorf("%d that were found and %d others are too few", tried[true], tried[false])
	}
}

// mutant is the netlist with a fault in its text: a pin is connected to a constant, or an output is taken off its net.
func mutant(t *testing.T, text string, f *Fault) string {
	t.Helper()
	level := map[bool]string{true: "1'b1", false: "1'b0"}[f.Level]
	instance := regexp.MustCompile(`(?m)^ +[a-z0-9_]+ \\?` + regexp.QuoteMeta(f.Cell) + ` +\(.*\);$`).FindString(text)
	at := regexp.MustCompile(`\.` + f.Pin + `\(([^()]*)\)`).FindStringSubmatch(instance)
	if at == nil {
		t.Fatalf("%v: no pin in %q", f, instance)
	}
	faulty := strings.Replace(instance, at[0], "."+f.Pin+"("+level+")", 1)
	if strings.Contains("XYQHILO", f.Pin) {
		faulty = strings.Replace(instance, at[0], "."+f.Pin+"()", 1) + "\n  assign " + at[1] + " = " + level + ";"
	}
	return strings.Replace(text, instance, faulty, 1)
}

// inIcarus says whether a line shows another level than is wanted, or none, and whether it was a level.
func inIcarus(t *testing.T, text string, vectors []Vector) (seen, known bool) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "n.v")
	text += models
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := verilog.Open(t.Context(), verilog.Config{Sources: []string{file}, Top: "tt_um_bench_turn",
		Simulator: "icarus", Cache: dir})
	if err != nil {
		t.Fatal(fmt.Errorf("%w\n%s", err, text))
	}
	defer tr.Close()
	for _, v := range vectors {
		got := make([]transport.Sample, len(v.Steps))
		if _, err := tr.Apply(t.Context(), v.Steps, got); err != nil {
			t.Fatal(err)
		}
		for i, g := range got {
			w := v.Want[i]
			out, io := (g.Out^w.Out|g.OutX)&^w.OutX, (g.IO^w.IO|g.IOX)&^w.IOX
			seen = seen || out|io != 0
			known = known || out&^g.OutX|io&^g.IOX != 0
		}
	}
	return seen, known
}
