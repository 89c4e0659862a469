package verilog

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/internal/failure"
	"utfbench/model"
	"utfbench/transport"
)

// header is the header of a tile's module.
const header = `module tt_um_bad (input wire [7:0] ui_in, output wire [7:0] uo_out, input wire [7:0] uio_in,
 output wire [7:0] uio_out, output wire [7:0] uio_oe, input wire ena, input wire clk, input wire rst_n);
`

// rest drives every output.
const rest = "assign uo_out = ui_in; assign uio_out = 8'h5A; assign uio_oe = ui_in;\n"

func design(t *testing.T, simulator, text string) Config {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "bad.v")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Config{Sources: []string{file}, Simulator: simulator, CacheDir: filepath.Join(dir, "cache"),
		Patience: 2 * time.Second}
}

func TestBadDesign(t *testing.T) {
	second := strings.ReplaceAll(header, "tt_um_bad", "tt_um_other") + rest + "endmodule\n"
	for _, c := range []struct{ name, text, want string }{
		{"syntax", header + rest + "assign = 3;\nendmodule\n", "bad.v:4: syntax error"},
		{"syntax in the header", strings.Replace(header, "input wire clk", "inputt wire clk,,", 1) + rest +
			"endmodule\n", "bad.v:2: syntax error"},
		{"missing module", header + rest + "absent a (ui_in);\nendmodule\n", "bad.v:4: "},
		{"missing include", "`include \"absent.vh\"\n" + header + rest + "endmodule\n", "absent.vh"},
		{"two tops", header + rest + "endmodule\n" + second, "more than one module has the ports of a tile: give the " +
			"files of one, tt_um_bad or tt_um_other"},
		{"no tile", "module m (input wire a);\nendmodule\n", "no module has the ports of a tile, ui_in, uo_out, " +
			"uio_in, uio_out, uio_oe, ena, clk, rst_n: the modules are m"},
		{"no module", "// nothing\n", "there is no module at all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			simulated(t, func(t *testing.T, simulator string) {
				config := design(t, simulator, c.text)
				_, err := Open(context.Background(), config)
				if err == nil || failure.KindOf(err) != failure.User || !strings.Contains(err.Error(), c.want) ||
					strings.Contains(err.Error(), "\n") {
					t.Fatalf("error %v\nwant a mistake of the user in one line with %q", err, c.want)
				}
				if strings.Contains(err.Error(), "tile.v") {
					t.Errorf("error %v blames a file that the user has never seen", err)
				}
				wantEntries(t, config.CacheDir, 0)
			})
		})
	}
}

// The error for an unknown cell of a kit names the transport that supports such cells.
func TestCellOfAKit(t *testing.T) {
	for i, messages := range []string{"a.v:8: error: Unknown module type: sky130_fd_sc_hd__inv_2\n",
		"%Error: a.v:8:3: Can't resolve module reference: 'sky130_fd_sc_hd__inv_2'\n",
		"a.v:8: error: Unknown module type: other\n"} {
		reason := tools[i%2].reason(messages)
		if strings.HasSuffix(reason, ": -t netlist:FILE simulates a netlist without one") != (i < 2) {
			t.Error(reason)
		}
	}
}

func TestBadConfig(t *testing.T) {
	need(t, "icarus")
	good := design(t, "icarus", header+rest+"endmodule\n")
	for want, change := range map[string]func(c *Config){
		`"absent.v": no such file`:                        func(c *Config) { c.Sources = []string{"absent.v"} },
		"no Verilog file is given":                        func(c *Config) { c.Sources = nil },
		"testdata is a folder, and has to be a Verilog":   func(c *Config) { c.Sources = []string{"testdata"} },
		"verilog.go is a file, and has to be a folder":    func(c *Config) { c.Includes = []string{"verilog.go"} },
		`unknown simulator "vcs": allowed are auto, icar`: func(c *Config) { c.Simulator = "vcs" },
		"the sources have no module m: the modules are":   func(c *Config) { c.Top = "m" },
	} {
		c := good
		change(&c)
		if _, err := Open(context.Background(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want one with %q", err, want)
		}
	}
}

func TestNotInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for simulator, want := range map[string]string{
		"icarus":    "the simulator icarus is not installed: it is the Debian package iverilog",
		"verilator": "the simulator verilator is not installed: it is the Debian package verilator",
		"auto":      "no simulator is installed: Icarus is the Debian package iverilog, Verilator is verilator",
	} {
		c := ourChip(simulator, model.TT09)
		if _, err := Open(context.Background(), c); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %q", simulator, err, want)
		}
	}
}

// counting returns steps with ui 0, 1, 2 and so on, each with a clock.
func counting(n int) []transport.Step {
	steps := make([]transport.Step, n)
	for i := range steps {
		steps[i] = transport.Step{In: uint8(i), Clocks: 1}
	}
	return steps
}

// Contention is reported regardless of the levels, in each step in which it persists, and not afterwards.
func TestContention(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		for _, io := range []uint8{0x00, 0x08} {
			tr := mustOpen(t, design(t, simulator, header+rest+"endmodule\n")) // drives the lines of uio whose line of ui is high
			steps := []transport.Step{{Reset: true, Clocks: 1}, {In: 0x06, Drive: 0x09, IO: io},
				{In: 0x08, Drive: 0x08, IO: io, Clocks: 1}, {In: 0x08, Drive: 0x08, IO: io},
				{In: 0x00, Drive: 0x08, IO: io}, {In: 0x08}}
			got := make([]transport.Sample, len(steps))
			if n, err := tr.Apply(context.Background(), steps, got); n != len(steps) || err != nil {
				t.Errorf("Apply = %d, %v; want all", n, err)
			}
			for i, want := range []uint8{2: 0x08, 3: 0x08, 5: 0} {
				if c := got[i].Contention(); c != want {
					t.Errorf("uio %02X, step %d: contention on %02X; want %02X", io, i+1, c, want)
				}
			}
			if err := tr.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// A netlist may have power pins, and use cells from other files.
func TestGateLevel(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		netlist := strings.Replace(header, "(", "(\n`ifdef GL_TEST\n inout wire VPWR, inout wire VGND,\n`endif\n ", 1) +
			"inv a (.Y(uo_out[0]), .A(ui_in[0]), .VPWR(VPWR));\nbuff b (.Y(uo_out[1]), .A(ui_in[1]));\n" +
			"assign uo_out[7:2] = 0; assign uio_oe = 0; assign uio_out = 0;\nendmodule\n"
		c := design(t, simulator, netlist)
		dir := filepath.Dir(c.Sources[0])
		c.Defines = []string{"GL_TEST"}
		c.Sources = append(c.Sources, filepath.Join(dir, "inv.v"), filepath.Join(dir, "buff.v"))
		write(t, c.Sources[1], "module inv (output wire Y, input wire A, input wire VPWR); "+
			"assign Y = ~A & VPWR; endmodule\n")
		write(t, c.Sources[2], "module buff (output wire Y, input wire A); assign Y = A; endmodule\n")
		tr := mustOpen(t, c)
		defer tr.Close()
		steps, got := []transport.Step{{Reset: true, Clocks: 1}, {In: 3}}, make([]transport.Sample, 2)
		if _, err := tr.Apply(context.Background(), steps, got); err != nil {
			t.Fatal(err)
		}
		if got[0].Out != 1 || got[1].Out != 2 {
			t.Errorf("uo is %02X and %02X; want 01 and 02", got[0].Out, got[1].Out)
		}
	})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The digest depends on a design's contents and not on its paths.
func TestDigest(t *testing.T) {
	need(t, "icarus")
	included := "`include \"rest.vh\"\n" + "`ifdef ODD\n// odd\nwire odd;\n`endif\n"
	digest := func(text string, defines ...string) string {
		c := design(t, "icarus", header+included+"endmodule\n")
		dir := filepath.Dir(c.Sources[0])
		if err := os.WriteFile(filepath.Join(dir, "rest.vh"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c.Includes, c.Defines = []string{dir}, defines
		tr := mustOpen(t, c)
		defer tr.Close()
		name, digest := tr.Design()
		if name != "tt_um_bad (icarus)" || len(digest) != 64 {
			t.Errorf("%s %s", name, digest)
		}
		return digest
	}
	first := digest(rest)
	if again := digest(rest); again != first {
		t.Error("the same in another folder has another digest")
	}
	if edited := digest(strings.Replace(rest, "5A", "5B", 1)); edited == first {
		t.Error("an include file was edited, and the digest is the same")
	}
	if odd := digest(rest, "ODD"); odd == first {
		t.Error("a macro is defined, and the digest is the same")
	}
}
