package verilog

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/transport"
)

// The test's kit has an inverter, a multiplexer and a flip-flop with an asynchronous reset, built from primitives, with
// and without power; a fill; and files that must not be used.
var (
	kitPrimitives = map[string]string{
		"udp_mux": `primitive udp_mux (X, A0, A1, S);
  output X; input A0, A1, S;
  table // A0 A1 S : X
    0 0 ? : 0 ; 1 1 ? : 1 ; 0 ? 0 : 0 ; 1 ? 0 : 1 ; ? 0 1 : 0 ; ? 1 1 : 1 ;
  endtable
endprimitive
`,
		"udp_dff$R": `primitive udp_dff$R (output reg Q, input D, input CLK, input R, input NOTIFIER);
  table // D CLK R N : Q : Q+
    * b 0 ? : ? : - ; ? (?0) 0 ? : ? : - ; ? b (?0) ? : ? : - ; ? ? 1 ? : ? : 0 ;
    0 r ? ? : ? : 0 ; 1 r 0 ? : ? : 1 ; 0 (x1) ? ? : 0 : 0 ; ? ? ? * : ? : x ;
  endtable
endprimitive
`}
	kitBases = map[string]string{
		"inv": "module my_sc__inv (Y, A, VPWR, VGND); output Y; input A, VPWR, VGND; wire n; not not0 (n, A);\n" +
			"  and and0 (Y, n, VPWR); endmodule\n",
		"mux": "module my_sc__mux (X, A0, A1, S, VPWR, VGND); output X; input A0, A1, S, VPWR, VGND;\n" +
			"  udp_mux (X, A0, A1, S); endmodule\n", // without a name, as in IHP's kit
		"dff": "module my_sc__dff (Q, D, CLK, R, VPWR, VGND); output Q; input D, CLK, R, VPWR, VGND;\n" +
			"  wire q, dD, dC; reg n;\n  udp_dff$R `UNIT_DELAY dff0 (q, dD, dC, R, n);\n  buf buf0 (Q, q);\n" +
			"  specify (CLK => Q) = 1; $setuphold (posedge CLK &&& R, posedge D, 0.0, 0.0, n,,, dC, dD);\n" +
			"  $setuphold (posedge CLK &&& R, negedge D, 0.0, 0.0, n,,, dC, dD); endspecify\nendmodule\n",
		"fill": "module my_sc__fill (VPWR, VGND); input VPWR, VGND; endmodule\n",
		"bad":  "module my_sc__bad (Y); this is no Verilog endmodule\n",
	}
	kitPorts = map[string]string{"inv": "Y, A", "mux": "X, A0, A1, S", "dff": "Q, D, CLK, R", "fill": "", "bad": "Y"}
)

// drive returns a cell of one drive strength, which instantiates the base.
func drive(cell string) string {
	ports := kitPorts[cell] + ", VPWR, VGND"
	if kitPorts[cell] == "" {
		ports = "VPWR, VGND"
	}
	inputs := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(ports, "Y, "), "X, "), "Q, ")
	outputs := ""
	if inputs != ports {
		outputs = "output " + ports[:1] + "; "
	}
	return "`ifdef USE_POWER_PINS\nmodule my_sc__" + cell + "_1 (" + ports + "); " + outputs + "input " + inputs +
		";\n  my_sc__" + cell + " base (" + ports + ");\nendmodule\n`endif\n"
}

func writeKit(t *testing.T, layout string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, text)
	}
	put("cells/inv/my_sc__inv_1.blackbox.v", "module my_sc__inv_1 (Y, A); output Y; input A; endmodule\n")
	if layout == "one file" {
		put("libs.ref/my_sc/verilog/primitives.v", kitPrimitives["udp_mux"]+kitPrimitives["udp_dff$R"])
		all := ""
		for cell, base := range kitBases {
			all += base + drive(cell)
		}
		put("libs.ref/my_sc/verilog/my_sc.v", all)
		return dir
	}
	put("models/mux/udp_mux.v", "`ifndef MUX\n`define MUX\n"+kitPrimitives["udp_mux"]+"`endif\n")
	put("models/dff/udp_dff_r.v", kitPrimitives["udp_dff$R"])
	uses := map[string]string{"mux": "`include \"../../models/mux/udp_mux.v\"\n",
		"dff": "`include \"../../models/dff/udp_dff_r.v\"\n"}
	for cell, base := range kitBases {
		put("cells/"+cell+"/my_sc__"+cell+"_1.v", "`include \"my_sc__"+cell+".v\"\n"+drive(cell))
		put("cells/"+cell+"/my_sc__"+cell+".v", uses[cell]+base)
	}
	return dir
}

// kitNetlist is a 1-bit register that holds its value or takes ui0, inverted on uo0, with a fill and an unknown cell.
const kitNetlist = `module tt_um_bad (ui_in, uo_out, uio_in, uio_out, uio_oe, ena, clk, rst_n, VPWR, VGND);
 input [7:0] ui_in; output [7:0] uo_out; input [7:0] uio_in; output [7:0] uio_out; output [7:0] uio_oe;
 input ena; input clk; input rst_n; inout VPWR; inout VGND;
 wire q, d, r, \escaped[0] ;
 my_sc__inv_1 _1_ (.A(rst_n), .VGND(VGND), .VPWR(VPWR), .Y(r));
 my_sc__mux_1 _2_ (.A0(q), .A1(ui_in[0]), .S(ui_in[1]),
    .VGND(VGND), .VPWR(VPWR), .X(d));
 my_sc__dff_1 \reg[0] (.CLK(clk), .D(d), .Q(q), .R(r), .VGND(VGND), .VPWR(VPWR));
 my_sc__inv_1 _3_ (.A(q), .VGND(VGND), .VPWR(VPWR), .Y(uo_out[0]));
 my_sc__fill_1 FILLER_0_1 (.VGND(VGND), .VPWR(VPWR));
 my_ef__decap_12 FILLER_0_2 (.VGND(VGND), .VPWR(VPWR));
 assign uo_out[7:1] = 7'd0;
 assign uio_out = 8'd0;
 assign uio_oe = 8'd0;
endmodule
`

// A netlist needs only its kit's folder, in either layout. For Verilator primitives are converted.
func TestPDK(t *testing.T) {
	steps := []transport.Step{{Reset: true, Clocks: 1}, {In: 3, Clocks: 1}, {In: 0, Clocks: 1}, {In: 2, Clocks: 1},
		{In: 1, Clocks: 1}, {In: 3, Clocks: 1}, {In: 0, Reset: true}}
	want := []byte{1, 0, 0, 1, 1, 0, 1}
	for _, layout := range []string{"one file", "a folder a cell"} {
		t.Run(layout, func(t *testing.T) {
			simulated(t, func(t *testing.T, simulator string) {
				c := design(t, simulator, kitNetlist)
				c.PDK = writeKit(t, layout)
				tr, err := Open(t.Context(), c)
				if simulator == "verilator" {
					if err == nil || !strings.Contains(err.Error(), "is a primitive of Verilog, which Verilator does "+
						"not take: --simulator icarus does") {
						t.Error(err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				defer tr.Close()
				got := make([]transport.Sample, len(steps))
				if _, err := tr.Apply(context.Background(), steps, got); err != nil {
					t.Fatal(err)
				}
				for i, w := range want {
					if got[i].Out != w || got[i].OutX != 0 {
						t.Errorf("step %d: uo is %02X, unknown %02X; want %02X", i, got[i].Out, got[i].OutX, w)
					}
				}
			})
		})
	}
}

// The error for missing cells is one sentence.
func TestNotInPDK(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		other := t.TempDir()
		write(t, filepath.Join(other, "other.v"), "module other (input wire a); endmodule\n")
		for want, dir := range map[string]string{
			"has a cell my_sc__inv_1, which is neither in the sources nor in " + other: other,
			"has no Verilog file: --pdk is the folder of a process design kit":         t.TempDir(),
			"no such file or folder": filepath.Join(other, "absent"),
			"has to be a folder":     filepath.Join(other, "other.v"),
		} {
			c := design(t, simulator, kitNetlist)
			c.PDK = dir
			if _, err := Open(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v; want %q", err, want)
			}
		}
	})
}

// The digest includes the cells in use, independent of the kit's path, and no others.
func TestDigestOfPDK(t *testing.T) {
	need(t, "icarus")
	digest := func() string {
		c := design(t, "icarus", kitNetlist)
		c.PDK = writeKit(t, "one file")
		tr := mustOpen(t, c)
		defer tr.Close()
		_, d := tr.Design()
		return d
	}
	first := digest()
	if again := digest(); again != first {
		t.Errorf("the same kit elsewhere gives %s, then %s", first, again)
	}
	before := maps.Clone(kitBases)
	defer func() { kitBases = before }()
	kitBases = maps.Clone(kitBases)
	kitBases["bad"] += "// not used\n"
	if other := digest(); other != first {
		t.Error("a cell that is not used changes the digest")
	}
	kitBases["inv"] = strings.Replace(kitBases["inv"], "and and0", "nand and0", 1)
	if other := digest(); other == first {
		t.Error("a cell that is used does not change the digest")
	}
}
