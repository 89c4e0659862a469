package gates

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"utfbench/tile/gates/sim"
)

const ports = "module m (a, y); input [1:0] a; output y;"

func fill(cell string) bool { return cell == "fill" }

// parseModules reads the notations of netlists, and rejects anything else with an error that names the mistake.
func TestParse(t *testing.T) {
	for _, c := range [][2]string{
		{ports + "inv g (.A(a[0]), .Y(y)); endmodule", "inv g A=a[0] Y=y"},
		{"module m (input wire [1:0] a, output y); inv g (.A(a[1]),.Y(y)); endmodule", "inv g A=a[1] Y=y"},
		{ports + "(* keep = 1 *) inv /* x */ \\g.h[1] (.A(\\q[3] ), .Y()); // y\nendmodule", `inv \g.h[1] A=\q[3]`},
		{ports + "inv g (.A(1'b1), .Y(\\y )); endmodule", "inv g A=1'b1 Y=y"},
		{"`default_nettype none\n`timescale 1ns/1ps\n" + ports + "tap t (); fill f (.P(y)); endmodule", "tap t"},
		{ports + "fill f (.P(y); endmodule", "want \")\" here"},
		{ports + "wire w = a[1]; assign y = w; endmodule", "w<a[1] y<w"},
		{ports + "wire [1:0] b; assign b = {a[0], a[1]}; endmodule", "b[0]<a[1] b[1]<a[0]"},
		{ports + "wire [3:0] b; assign b = {2{a}}; endmodule", "b[0]<a[0] b[1]<a[1] b[2]<a[0] b[3]<a[1]"},
		{ports + "wire [0:2] b; assign b[1:2] = 2'b10; assign b[0] = 4'hE; endmodule",
			"line 1: 4 bits are assigned to 1"},
		{ports + "wire [0:2] b; assign b = 3'b110; endmodule", "b[2]<1'b0 b[1]<1'b1 b[0]<1'b1"},
		{"module m; endmodule module n; endmodule", "line 1: two"},
		{"endmodule", `"endmodule": want a module here`},
		{"module", "the text ends within a module: it is cut off"},
		{ports + "inv g (a[0], y); endmodule", "inv g connects its pins by their order"},
		{ports + "inv #(1) g (); endmodule", `"#": want a name here`},
		{"module m #(parameter N = 1) (input a); endmodule", "#: this is a description of behaviour"},
		{ports + "always @(posedge a) y = 1; endmodule", "always: this is a description of behaviour"},
		{ports + "rom g (.A(a), .Y(y)); endmodule", "rom g A={a[0] a[1]} Y=y"},
		{ports + "rom g (.A(a), .A(a)); endmodule", "the pin A of rom g is connected twice"},
		{ports + "inv g (.A(y), .A(y)); endmodule", "the pin A of inv g is connected twice"},
		{ports + "inv g (.A(q[1])); endmodule", "q[1]: q is not declared as a bus"},
		{ports + "inv g (.A(1'bx)); endmodule", "only 0 and 1 are levels"},
		{ports + "inv g (.A(1)); endmodule", "a constant has to say how many bits it has"},
		{ports + "inv g (.A(y)", "the text ends within a module"},
		{ports + "\n\n/* ", "line 3: a comment is not closed"},
		{ports + "wire [99999999:0] b; endmodule", "want a number from 0 to 4096 here"},
		{ports + "wire [4090:90] b; assign b = {9{b}}; endmodule", "more than 4096 bits in braces"},
		{"`ifdef X\n" + ports + "endmodule", "`ifdef in a netlist is not supported"},
		{ports + strings.Repeat("wire [4000:0] b; assign b = b;", 200),
			"more than 524288 instances, pins, names and bits: this is no netlist of a tile"},
		{ports + "assign y = " + strings.Repeat("{", 1000), "braces are nested more than 64 deep"},
		{ports, "the text ends within a module"},
	} {
		text, want := c[0], c[1]
		modules, err := parseModules(text, fill)
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case len(modules) == 2:
			got = "line 1: two"
		default:
			got = written(modules[0])
		}
		if !strings.Contains(got, want) || err == nil && got != want {
			t.Errorf("%s\n got  %s\n want %s", text, got, want)
		}
	}
}

func TestTopModule(t *testing.T) {
	tile := &module{Name: "b", Ports: map[string]sim.Direction{"uo_out[0]": sim.Output}}
	for _, c := range []struct{ name, want string }{{"", ""}, {"b", ""}, {"c", "no module c, which info.yaml names"}} {
		if top, err := topModule([]*module{{Name: "a"}, tile}, c.name); (top == tile) != (err == nil) ||
			err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, %v", c.name, top, err)
		}
	}
	if _, err := topModule([]*module{tile, tile}, ""); err == nil || !strings.Contains(err.Error(), "both could be") {
		t.Error(err)
	}
}

func written(m *module) string {
	var all []string
	for _, i := range m.Instances {
		all = append(all, i.Cell, i.Name)
		for _, pin := range i.Pins {
			if pin.Nets != nil {
				pin.Net = "{" + strings.Join(pin.Nets, " ") + "}"
			}
			all = append(all, pin.Name+"="+pin.Net)
		}
	}
	for _, a := range m.Assigns {
		all = append(all, a.To+"<"+a.From)
	}
	return strings.Join(all, " ")
}

// Each bit of a bus is a separate port with the direction of the bus.
func TestPorts(t *testing.T) {
	m, err := parseModules("module m (input [7:0] ui_in, inout VPWR, output wire [1:0] y, z); endmodule", fill)
	if err != nil {
		t.Fatal(err)
	}
	p := m[0].Ports
	if len(p) != 13 || p["ui_in[7]"] != sim.Input || p["VPWR"] != sim.Inout || p["y[1]"] != sim.Output ||
		p["z[1]"] != sim.Output {
		t.Error(fmt.Sprint(p))
	}
}

// FuzzParse checks that any text yields either modules or a one-line error.
func FuzzParse(f *testing.F) {
	own, err := os.ReadFile("testdata/turn.v")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(own))
	f.Add(ports + "wire [3:0] b; assign b = {2{a}}; inv \\g[1] (.A(1'b0), .Y(b[3])); endmodule")
	f.Add("module m (input [0:1] a); wire g; assign {g, a[0]} = 2'h1; endmodule")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := parseModules(text, fill)
		if err != nil && strings.Contains(err.Error(), "\n") && !strings.Contains(text, "\n") {
			t.Errorf("no sentence: %q", err)
		}
	})
}

// constant returns the stated number of bits, and rejects signs, bases other than 2 and 16, and invalid digits.
func TestConstant(t *testing.T) {
	for word, want := range map[string]string{"4'b0_101": "1010", "5'H1F": "11111",
		"70'h1": "1" + strings.Repeat("0", 69)} {
		bits, err := constant(word)
		got := ""
		for _, b := range bits {
			got += map[string]string{zero: "0", one: "1"}[b]
		}
		if got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s from the lowest bit", word, got, err, want)
		}
	}
	for _, word := range []string{"4'b-1", "+4'b1", "4'd2", "4'h+2", "4'b_", "4'b2", "4'q1", "0'b1", "b1"} {
		if bits, err := constant(word); err == nil {
			t.Errorf("%s is taken for %v", word, bits)
		}
	}
}
