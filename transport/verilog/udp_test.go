package verilog

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"utfbench/transport"
)

// primitives of all kinds that libraries have, with 5 inputs at most.
var primitives = map[string]string{
	"multiplexer":            kitPrimitives["udp_mux"],
	"flip-flop with a reset": strings.Replace(kitPrimitives["udp_dff$R"], "? ? ? * : ? : x ;", "", 1),
	"falling edge": `primitive fall (Q, D, CN); output Q; reg Q; input D, CN;
  table 0 f : ? : 0 ; 1 (10) : ? : 1 ; ? r : ? : - ; * ? : ? : - ; ? (x0) : ? : - ; endtable endprimitive`,
	"set and reset": `primitive both (Q, S, R, C, D); output Q; reg Q; input S, R, C, D;
  table // S R C D : Q : Q+
    0 1 ? ? : ? : 0 ; 1 0 ? ? : ? : 1 ; 1 1 ? ? : ? : 0 ;
    0 0 (01) 0 : ? : 0 ; 0 0 (01) 1 : ? : 1 ; 0 0 (?0) ? : ? : - ; 0 0 ? * : ? : - ;
    (?0) 0 ? ? : ? : - ; 0 (?0) ? ? : ? : - ; endtable endprimitive`,
	"enable": `primitive enable (output reg Q, input D, input E, input C);
  table 0 1 p : ? : 0 ; 1 1 p : ? : 1 ; ? 0 p : ? : - ; ? ? n : ? : - ; * ? ? : ? : - ; ? * ? : ? : - ;
  endtable endprimitive`,
	"latch": `primitive latch (Q, D, G); output Q; reg Q; input D, G;
  table 0 1 : ? : 0 ; 1 1 : ? : 1 ; ? 0 : ? : - ; endtable endprimitive`,
	"majority": `primitive majority (X, A, B, C); output X; input A, B, C;
  table 0 0 b : 0 ; 0 b 0 : 0 ; b 0 0 : 0 ; 1 1 b : 1 ; 1 b 1 : 1 ; b 1 1 : 1 ; endtable endprimitive`,
}

// A module in place of a primitive gives what the primitive gives in Icarus, in both simulators, where that is known.
func TestPrimitives(t *testing.T) {
	need(t, "icarus")
	need(t, "verilator")
	var declared, made, instances strings.Builder
	n := 0
	for name, text := range primitives {
		p, err := parsePrimitive(text)
		if err != nil {
			t.Fatal(name, err)
		}
		m, err := p.module()
		if err != nil {
			t.Fatal(name, err)
		}
		declared.WriteString(text + "\n")
		made.WriteString(m)
		fmt.Fprintf(&instances, "%s u%d (uo_out[%[2]d]", p.name, n)
		for i := range p.ports[1:] {
			if strings.HasPrefix(p.ports[1+i], "NOTIFIER") {
				instances.WriteString(", 1'b0")
				continue
			}
			fmt.Fprintf(&instances, ", ui_in[%d]", i)
		}
		instances.WriteString(");\n")
		n++
	}
	body := header + instances.String() + fmt.Sprintf("assign uo_out[7:%d] = 0; assign uio_out = 0; "+
		"assign uio_oe = 0;\n", n) +
		"endmodule\n"
	r := rand.New(rand.NewPCG(1, 1))
	steps := []transport.Step{{Reset: true, Clocks: 1}}
	for in := byte(0); len(steps) < 2000; { // one input at a time, since two at once are a race
		in ^= 1 << r.IntN(4)
		steps = append(steps, transport.Step{In: in})
	}
	run := func(simulator, text string) []transport.Sample {
		tr := mustOpen(t, design(t, simulator, text))
		defer tr.Close()
		got := make([]transport.Sample, len(steps))
		if _, err := tr.Apply(context.Background(), steps, got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	want := run("icarus", declared.String()+body)
	known := 0
	for _, simulator := range []string{"icarus", "verilator"} {
		for i, got := range run(simulator, made.String()+body) {
			if wrong := (got.Out ^ want[i].Out) &^ want[i].OutX; wrong != 0 {
				t.Fatalf("%s: step %d with %02X: outputs %02X differ\n%s", simulator, i, steps[i].In, wrong,
					instances.String())
			}
			if want[i].OutX == 0 {
				known++
			}
		}
	}
	if known < 3000 {
		t.Errorf("only %d of 4000 answers are known whole", known)
	}
}

// What cannot be read, or is more than a module of ours can do, is said.
func TestBadPrimitives(t *testing.T) {
	for want, text := range map[string]string{
		"cannot be read":      "primitive p",
		"0 inputs":            "primitive p (Q); output Q; table 0 : 0 ; endtable endprimitive",
		"a row that does not": "primitive p (Q, A); output Q; input A; table 0 0 : 0 ; endtable endprimitive",
		"more than one edge": "primitive p (Q, A, B); output Q; reg Q; input A, B;" +
			"table r ? : ? : 1 ; ? r : ? : 0 ; endtable endprimitive",
	} {
		p, err := parsePrimitive(text)
		if err == nil {
			_, err = p.module()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

// Nothing that a kit may have stops the bench, and what is made of a primitive has its ports.
func FuzzPrimitive(f *testing.F) {
	for _, text := range primitives {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		instancesIn(text)
		elementsIn(text)
		p, err := parsePrimitive(text)
		if err != nil {
			return
		}
		if m, err := p.module(); err == nil &&
			!strings.HasPrefix(m, "module "+p.name+" ("+strings.Join(p.ports, ", ")) {
			t.Errorf("%q becomes %q", text, m)
		}
	})
}

func TestFirstMessage(t *testing.T) {
	for text, want := range map[string]string{
		"a.v:3: warning: odd\nb.v:7: sorry: not supported\nc.v:9: error: " +
			"Unknown module type: x\n": "c.v:9: Unknown module type: x",
		"a.v:1: Timing checks are not supported.\nb.v:2: error: bad\n": "b.v:2: bad",
		"%Warning-X: a.v:1:2: odd\n%Error: b.v:4:5: syntax error\n":    "b.v:4: syntax error",
		"a.v:5: syntax error\na.v:5: error: bad\n":                     "a.v:5: syntax error",
		"\nno place\n": "no place",
		"":             "it gives no reason",
	} {
		if got := firstMessage(text); got != want {
			t.Errorf("of %q is said %q; want %q", text, got, want)
		}
	}
}
