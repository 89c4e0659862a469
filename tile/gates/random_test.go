package gates_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
)

// The gates of random Verilog show what Icarus simulates. All registers have a reset and all lines of uio that are read
// are driven, so no X occurs, which Icarus takes as false in a condition. BENCH_SEED selects other designs.
func TestRandomVerilog(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("BENCH_SEED"), 10, 64)
	bits := 0
	for i := range testkit.Pick(4, 100) {
		text := randomDesign(rand.New(rand.NewPCG(seed, uint64(i))))
		p := written(t, "tt_um_random", text)
		p.Reset.Clocks = 2
		x := elaborated(t, p)
		tr := device(t, x)
		jobs := byChance(t, x, 2)
		for _, j := range jobs {
			for i := range j.Vector.Steps {
				j.Vector.Steps[i].Drive = j.Vector.Steps[1].Drive // in a reset, too
			}
		}
		tally, failed := verdicts(t, x, tr, jobs)
		tr.Close()
		bits += tally.Evidence.Bits()
		if failed != nil && failed.Verdict != driver.Skipped {
			t.Fatalf("design %d is %s: %s %+v\n%s", i, failed.Verdict, failed.Reason, failed.First, text)
		}
	}
	t.Logf("%d bits were compared", bits)
}

// A design is Verilog in the making, of declarations and always blocks.
type design struct {
	*rand.Rand
	decl, body []string
	regs       []register
}

type register struct {
	name  string
	width int
	clock bool // it may clock others
}

// randomDesign returns a tile of registers with several kinds of clocks and resets, memories, logic and instances.
func randomDesign(rng *rand.Rand) string {
	d := design{Rand: rng}
	for i := range 3 + d.IntN(5) {
		d.add(register{name: fmt.Sprint("r", i), width: 1 + d.IntN(8)})
	}
	var sum, xor []string
	for _, r := range d.regs {
		sum = append(sum, r.name)
		xor = append(xor, fmt.Sprintf("(%s << %d)", r.name, d.IntN(5)))
	}
	return fmt.Sprintf(`module part #(parameter W = 4, R = 0)
    (input wire clk, input wire rst, input wire en, input wire [W-1:0] d, output reg [W-1:0] q);
  genvar i;
  generate for (i = 0; i < W; i = i + 1) begin : b
    always @(posedge clk or posedge rst) if (rst) q[i] <= R >> i; else if (en) q[i] <= d[W-1-i];
  end endgenerate
endmodule
module tt_um_random (
    input wire [7:0] ui_in, output wire [7:0] uo_out,
    input wire [7:0] uio_in, output wire [7:0] uio_out, output wire [7:0] uio_oe,
    input wire ena, input wire clk, input wire rst_n);
%s
%s
  assign uo_out = %s;
  assign uio_out = %s;
  assign uio_oe = 8'h%d0;
endmodule
`, strings.Join(d.decl, "\n"), strings.Join(d.body, "\n"), strings.Join(xor, " ^ "), strings.Join(sum, " + "),
		d.IntN(10))
}

func (d *design) add(r register) {
	width, value, to := r.width, d.vector(r.width), d.Uint32N(1<<r.width)
	set := fmt.Sprintf("%s <= %d; else ", r.name, to)
	if d.IntN(2) == 0 {
		set += "if (" + d.condition() + ") "
	}
	set += fmt.Sprintf("%s <= %s;", r.name, value)
	d.declare("reg [%d:0] %s;", width-1, r.name)
	switch d.IntN(8) {
	case 0, 1:
		d.always("posedge clk", "if (!rst_n) "+set)
		r.clock = true
	case 2:
		d.always("posedge clk or negedge rst_n", "if (!rst_n) "+set)
		r.clock = true
	case 3:
		d.always("negedge clk", "if (!rst_n) "+set)
	case 4:
		d.declare("wire c%s = clk & %s;", r.name, d.input())
		d.always("posedge c"+r.name+" or negedge rst_n", "if (!rst_n) "+set)
	case 5:
		clock := "clk"
		if i := slices.IndexFunc(d.regs, func(r register) bool { return r.clock }); i >= 0 {
			clock = d.regs[i].name + "[0]"
		}
		d.always("posedge "+clock+" or negedge rst_n", "if (!rst_n) "+set)
	case 6:
		d.declare("reg [%d:0] m%s [0:3]; integer i%s;", width-1, r.name, r.name)
		d.always("posedge clk", fmt.Sprintf("if (!rst_n) for (i%[1]s = 0; i%[1]s < 4; i%[1]s = i%[1]s + 1) "+
			"m%[1]s[i%[1]s] <= %[2]d; else if (%[3]s) m%[1]s[ui_in[1:0]] <= %[4]s;", r.name, to, d.condition(), value))
		d.always("*", fmt.Sprintf("%[1]s = m%[1]s[uio_in[1:0]];", r.name))
	case 7:
		d.declare("wire [%d:0] q%s; part #(%d, %d) p%s(clk, ~rst_n, %s, %s, q%s);", width-1, r.name, width, to, r.name,
			d.condition(), value, r.name)
		d.always("*", fmt.Sprintf("begin %[1]s = q%[1]s; if (%[2]s) %[1]s = %[3]s; end", r.name, d.condition(),
			d.vector(width)))
	}
	d.regs = append(d.regs, r)
}

func (d *design) declare(format string, args ...any) {
	d.decl = append(d.decl, "  "+fmt.Sprintf(format, args...))
}

func (d *design) always(at, do string) {
	d.body = append(d.body, fmt.Sprintf("  always @(%s) %s", at, do))
}

// input returns a bit of ui, or of uio that the bench drives.
func (d *design) input() string {
	if d.IntN(3) == 0 {
		return fmt.Sprintf("uio_in[%d]", d.IntN(4))
	}
	return fmt.Sprintf("ui_in[%d]", d.IntN(8))
}

func (d *design) bit() string {
	if len(d.regs) == 0 || d.IntN(2) == 0 {
		return d.input()
	}
	r := d.regs[d.IntN(len(d.regs))]
	return fmt.Sprintf("%s[%d]", r.name, d.IntN(r.width))
}

func (d *design) condition() string {
	w := 1 + d.IntN(3)
	return [...]string{d.bit(), d.bit() + " ^ " + d.bit(), d.vector(w) + " < " + d.vector(w),
		d.vector(w) + " == " + d.vector(w)}[d.IntN(4)]
}

// vector returns an expression of at least some bits.
func (d *design) vector(width int) string {
	switch d.IntN(8) {
	case 0:
		return fmt.Sprintf("%d'd%d", width, d.Uint32N(1<<width))
	case 1:
		return fmt.Sprintf("(%s %c %s)", d.vector(width), "+-&|^*"[d.IntN(6)], d.vector(width))
	case 2:
		return fmt.Sprintf("(%s ? %s : %s)", d.bit(), d.vector(width), d.vector(width))
	case 3:
		return fmt.Sprintf("(%s >> %s)", d.vector(width), d.bit())
	case 4:
		return fmt.Sprintf("(~%s)", d.vector(width))
	}
	bits := make([]string, width)
	for i := range bits {
		bits[i] = d.bit()
	}
	return "{" + strings.Join(bits, ", ") + "}"
}
