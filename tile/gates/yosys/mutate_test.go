package yosys

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

const mutable = `module t (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe, input ena, clk, rst_n);
assign uio_out = ui_in; assign uio_oe = 0;
reg [7:0] count; reg wrap;
wire [7:0] next = ui_in[0] ? count + uio_in : count ^ {8{ui_in[1]}};
assign uo_out = {count[7:1], wrap};
always @(posedge clk) if (!rst_n) begin count <= 0; wrap <= 0; end
else begin count <= next; wrap <= next < count; end
endmodule
`

// A mutated design behaves like the original while no mutation is active, and otherwise as if it had only that one.
func TestMutate(t *testing.T) {
	const seed = 7
	n := testkit.Pick(4, 12)
	d := written(t, map[string]string{"src/a.v": mutable})
	d.CacheDir = t.TempDir()
	circuit, all, err := Mutate(t.Context(), d, n, seed)
	if err != nil || len(all) != n {
		t.Fatalf("%d mutations, %v", len(all), err)
	}
	r := testkit.Must(begin(t.Context(), d))(t)
	defer r.end()
	before, after, _ := strings.Cut(script, afterMutations)
	// made returns the design as elaborated with additional commands of Yosys.
	made := func(commands ...string) *sim.Circuit {
		commands = slices.Concat([]string{"hierarchy -check -top t", before}, commands,
			[]string{afterMutations + after})
		testkit.Must(r.call(t.Context(), r.where, commands, "-b", "json", "-o", r.own("one.json")))(t)
		return testkit.Must(ParseJSON(testkit.Must(os.ReadFile(r.own("one.json")))(t), "t"))(t)
	}
	list := r.own("list")
	text := strings.ReplaceAll(r.text, "a tile", "a-tile")
	if err := r.write("design.v", text); err != nil {
		t.Fatal(err)
	}
	same(t, "no mutation", circuit, made(fmt.Sprintf("mutate -list %d -seed %d -o %s", n, seed, list)))
	acts, different := 0, 0
	for i, command := range strings.Split(strings.TrimSpace(string(testkit.Must(os.ReadFile(list))(t))), "\n") {
		for acts < len(circuit.Cells) && circuit.Parts[circuit.Cells[acts].Part].Type != gates.MutationCell {
			acts++
		}
		circuit.Cells[acts].In[0] = sim.One
		if different += same(t, all[i].String(), circuit, made(command)); !strings.Contains(all[i].Place, "src/a.v:") {
			t.Errorf("%s: no place in the sources", all[i])
		}
		circuit.Cells[acts].In[0] = sim.Zero
		acts++
	}
	if different < n/2 {
		t.Errorf("%d of %d mutations change an output", different, n)
	}
}

// same fails the test if two circuits differ in random steps. It returns 1 if they differ from the unmutated design.
func same(t *testing.T, what string, circuits ...*sim.Circuit) (differs int) {
	t.Helper()
	var chips []*gates.Chip
	for _, c := range circuits {
		c := *c
		c.Cells, c.Nets, c.Parts, c.Pins = slices.Clone(c.Cells), slices.Clone(c.Nets), slices.Clone(c.Parts),
			slices.Clone(c.Pins)
		chips = append(chips, testkit.Must(gates.Compile(&c))(t).NewChip(nil))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	count := byte(0)
	for i := range 300 {
		s := transport.Step{Reset: i == 0, In: uint8(rng.Uint32()), IO: uint8(rng.Uint32()), Drive: 0xFF, Clocks: 1}
		a, b := chips[0].Apply(&s), chips[1].Apply(&s)
		if both := ^(a.OutX | b.OutX); (a.Out^b.Out)&both != 0 {
			t.Errorf("%s: step %d: %+v, mutated alone %+v", what, i, a, b)
			return 0
		}
		switch {
		case s.Reset:
			count = 0
		case s.In&1 != 0:
			count += s.IO
		case s.In&2 != 0:
			count = ^count
		}
		if (a.Out^count)&^a.OutX&0xFE != 0 {
			differs = 1
		}
	}
	return differs
}
