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

// The gates of random Verilog return the same samples as Icarus. All registers have a reset, and all lines of uio that
// are read are driven, so there is no X, which Icarus treats as false in a condition. BENCH_SEED selects other designs.
func TestRandomVerilog(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("BENCH_SEED"), 10, 64)
	bits := 0
	for i := range testkit.SampleSize(3, 40, 100) {
		text, _ := randomDesign(rand.New(rand.NewPCG(seed, uint64(i))), false)
		p := written(t, "tt_um_random", text)
		p.Reset.Clocks = 2
		x := elaborated(t, p)
		tr := device(t, x)
		jobs := randomJobs(t, x, 2)
		for _, j := range jobs {
			for i := range j.Vector.Steps {
				j.Vector.Steps[i].Drive = j.Vector.Steps[1].Drive // in a reset, too
			}
		}
		tally, failed := verdicts(t, x, tr, jobs)
		tr.Close()
		bits += tally.Evidence.Bits()
		if failed != nil && failed.Verdict != driver.Skipped {
			t.Fatalf("design %d is %s: %s %+v\n%s", i, failed.Verdict, failed.Reason, failed.FirstMismatch, text)
		}
	}
	t.Logf("%d bits were compared", bits)
}

// A design is Verilog under construction: declarations and always blocks.
type design struct {
	*rand.Rand
	free       bool     // some state has no reset
	pads       bool     // the design also reads lines of uio that it may drive
	powerUp    []string // by register: statements that give it a random level in a simulation
	decl, body []string
	regs       []register
}

type register struct {
	name  string
	width int
	clock bool // it may clock other registers
	edge  bool // it changes at edges only
}

// randomDesign returns a tile of registers with several kinds of clocks and resets, memories, logic and instances. A
// free design also has state without a reset, latches, loops, and a uio_oe that depends on state. powerUp is Verilog
// that gives its state random levels in a simulation.
func randomDesign(rng *rand.Rand, free bool) (text, powerUp string) {
	d := design{Rand: rng, free: free}
	for i := range 3 + d.IntN(5) {
		d.add(register{name: fmt.Sprint("r", i), width: 1 + d.IntN(8)})
	}
	var sum, xor []string
	for _, r := range d.regs {
		sum = append(sum, r.name)
		xor = append(xor, fmt.Sprintf("(%s << %d)", r.name, d.IntN(5)))
	}
	enable := fmt.Sprintf("8'h%d0", d.IntN(10))
	if free {
		enable += " & " + d.edges()
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
  assign uio_oe = %s;
endmodule
`, strings.Join(d.decl, "\n"), strings.Join(d.body, "\n"), strings.Join(xor, " ^ "), strings.Join(sum, " + "),
		enable), d.powering()
}

func (d *design) add(r register) {
	if d.free && d.IntN(3) > 0 {
		d.addFree(r)
		return
	}
	width, value, to := r.width, d.vector(r.width), d.Uint32N(1<<r.width)
	set := fmt.Sprintf("%s <= %d; else ", r.name, to)
	if d.IntN(2) == 0 {
		set += "if (" + d.condition() + ") "
	}
	set += fmt.Sprintf("%s <= %s;", r.name, value)
	d.declare("reg [%d:0] %s;", width-1, r.name)
	kind := d.IntN(8)
	if r.edge = kind < 6; r.edge {
		d.power("%s = $urandom;", r.name)
	}
	switch kind {
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
		d.power(eachWord, r.name)
	case 7:
		d.declare("wire [%d:0] q%s; part #(%d, %d) p%s(clk, ~rst_n, %s, %s, q%s);", width-1, r.name, width, to, r.name,
			d.condition(), value, r.name)
		d.always("*", fmt.Sprintf("begin %[1]s = q%[1]s; if (%[2]s) %[1]s = %[3]s; end", r.name, d.condition(),
			d.vector(width)))
		d.power("p%s.q = $urandom;", r.name)
	}
	d.regs = append(d.regs, r)
}

// eachWord is a statement that sets each word of a memory at random.
const eachWord = "for (i%[1]s = 0; i%[1]s < 4; i%[1]s = i%[1]s + 1) m%[1]s[i%[1]s] = $urandom;"

// addFree adds a register without a reset, or with one that depends on state or is active high; a latch; or a loop of
// gates that holds a bit. The simulation forces such a bit at power-up.
func (d *design) addFree(r register) {
	kind := d.IntN(11)
	if kind > 8 {
		r.width = 1
	}
	if r.edge = kind < 7; r.edge {
		d.declare("reg [%d:0] %s;", r.width-1, r.name)
		d.power("%s = $urandom;", r.name)
	}
	d.pads = r.edge
	next := d.next(r)
	d.pads = false
	switch kind {
	case 0, 1:
		d.always([]string{"posedge clk", "negedge clk"}[kind], next)
	case 2:
		d.always("posedge clk", fmt.Sprintf("%[1]s <= %[1]s + 1;", r.name))
		r.clock = true
	case 3:
		d.always("posedge clk", fmt.Sprintf("if (%s) %s <= %d; else %s", d.bit(), r.name, d.IntN(2), next))
	case 4:
		by := d.bit()
		d.always("posedge clk or posedge "+by, fmt.Sprintf("if (%s) %s <= %d; else %s", by, r.name, d.IntN(2), next))
	case 5:
		d.always(d.derived(), next)
	case 6: // two equal registers, which synthesis merges
		d.declare("reg [%d:0] t%s;", r.width-1, r.name)
		d.power("t%s = $urandom;", r.name)
		d.always("posedge clk", "begin "+next+" "+strings.ReplaceAll(next, r.name, "t"+r.name)+" end")
		d.regs = append(d.regs, register{name: "t" + r.name, width: r.width, edge: true})
	case 7:
		d.declare("reg [%d:0] %[2]s, m%[2]s [0:3]; integer i%[2]s;", r.width-1, r.name)
		d.power(eachWord, r.name)
		d.always("posedge clk", fmt.Sprintf("if (%s) m%s[%s] <= %s;", d.condition(), r.name, d.pair(),
			d.vector(r.width)))
		d.always("*", fmt.Sprintf("%[1]s = m%[1]s[%[2]s];", r.name, d.pair()))
	case 8:
		d.declare("reg [%d:0] %s;", r.width-1, r.name)
		d.power("%s = $urandom;", r.name)
		d.always("*", fmt.Sprintf("if (%s) %s = %s;", d.bit(), r.name, d.vector(r.width)))
	case 9:
		d.declare("wire [0:0] %[1]s; wire n%[1]s;", r.name)
		op := "|&"[d.IntN(2)]
		d.assign("#1 %s = ~(%s %c n%[1]s)", r.name, d.bit(), op)
		d.assign("#2 n%s = ~(%s %c %[1]s)", r.name, d.bit(), op) // delayed, so that the loop always settles
		d.power("force %s = 0; if ($urandom & 1) force %[1]s = 1;", r.name)
	case 10:
		d.declare("wire [0:0] %s;", r.name)
		d.assign("%[1]s = %[2]s ? %[3]s : %[1]s", r.name, d.bit(), d.bit())
		d.power("force %s = 0; if ($urandom & 1) force %[1]s = 1;", r.name)
	}
	d.regs = append(d.regs, r)
}

// next returns an assignment of a register's next value, which may depend on its current one.
func (d *design) next(r register) string {
	value := [...]string{"%[2]s", "%[1]s + %[2]s", "%[1]s ^ %[2]s", "{%[1]s, %[3]s}"}[d.IntN(4)]
	do := fmt.Sprintf("%[1]s <= "+value+"%.0[2]s%.0[3]s;", r.name, d.vector(r.width), d.bit())
	if d.IntN(2) == 0 {
		return "if (" + d.condition() + ") " + do
	}
	return do
}

// derived returns an edge of clk, or of a register that may be a clock.
func (d *design) derived() string {
	for _, r := range d.regs {
		if r.clock {
			return fmt.Sprintf("posedge %s[%d]", r.name, d.IntN(r.width))
		}
	}
	return "posedge clk"
}

func (d *design) pair() string { return fmt.Sprintf("{%s, %s}", d.bit(), d.bit()) }

// edges returns eight bits of state that changes at edges only.
func (d *design) edges() string {
	bits := make([]string, 8)
	for i := range bits {
		bits[i] = fmt.Sprint("1'b", d.IntN(2))
		if r := d.regs[d.IntN(len(d.regs))]; r.edge {
			bits[i] = fmt.Sprintf("%s[%d]", r.name, d.IntN(r.width))
		}
	}
	return "{" + strings.Join(bits, ", ") + "}"
}

// power adds a statement that gives state a random level.
func (d *design) power(format string, args ...any) {
	d.powerUp = append(d.powerUp, fmt.Sprintf(format, args...))
}

// powering returns blocks that set the state at power-up, the last register first, since a block that reads a register
// runs when that register changes. Then the inputs change, and finally loops are released.
func (d *design) powering() string {
	var b strings.Builder
	for i, do := range d.powerUp {
		fmt.Fprintf(&b, "  initial begin #%d %s end\n", len(d.powerUp)-i, do)
		if strings.HasPrefix(do, "force") {
			fmt.Fprintf(&b, "  initial #60 release %s;\n", strings.Fields(do)[1])
		}
	}
	return b.String()
}

func (d *design) assign(format string, args ...any) {
	d.body = append(d.body, "  assign "+fmt.Sprintf(format, args...)+";")
}

func (d *design) declare(format string, args ...any) {
	d.decl = append(d.decl, "  "+fmt.Sprintf(format, args...))
}

func (d *design) always(at, do string) {
	d.body = append(d.body, fmt.Sprintf("  always @(%s) %s", at, do))
}

// input returns a bit of ui, a bit of uio that the bench drives (with pads, any bit of uio), or in a free design rst_n.
func (d *design) input() string {
	switch {
	case d.pads && d.IntN(4) == 0:
		return fmt.Sprintf("uio_in[%d]", 4+d.IntN(4))
	case d.free && d.IntN(8) == 0:
		return "rst_n"
	case d.IntN(3) == 0:
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

// vector returns an expression at least width bits wide.
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
