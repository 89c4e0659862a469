package verilog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"utfbench/model"
	"utfbench/model/modeltest"
	"utfbench/transport"
)

// header is a tile's, up to its body.
const header = `module tt_um_bad (input wire [7:0] ui_in, output wire [7:0] uo_out, input wire [7:0] uio_in,
 output wire [7:0] uio_out, output wire [7:0] uio_oe, input wire ena, input wire clk, input wire rst_n);
`

// rest drives every output.
const rest = "assign uo_out = ui_in; assign uio_out = 8'h5A; assign uio_oe = ui_in;\n"

// design writes a file and is the Config for it, with a cache of its own.
func design(t *testing.T, simulator, text string) Config {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "bad.v")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Config{Sources: []string{file}, Simulator: simulator, Cache: filepath.Join(dir, "cache"), Patience: 2 * time.Second}
}

func TestBadDesign(t *testing.T) {
	second := strings.ReplaceAll(header, "tt_um_bad", "tt_um_other") + rest + "endmodule\n"
	for _, c := range []struct{ name, text, want string }{
		{"syntax", header + rest + "assign = 3;\nendmodule\n", "bad.v:4: syntax error"},
		{"syntax in the header", strings.Replace(header, "input wire clk", "inputt wire clk,,", 1) + rest + "endmodule\n", "bad.v:2: syntax error"},
		{"missing module", header + rest + "absent a (ui_in);\nendmodule\n", "bad.v:4: "},
		{"missing include", "`include \"absent.vh\"\n" + header + rest + "endmodule\n", "absent.vh"},
		{"two tops", header + rest + "endmodule\n" + second, "more than one module has the ports of a tile: say with --top which one, tt_um_bad or tt_um_other"},
		{"no tile", "module m (input wire a);\nendmodule\n", "no module has the ports of a tile, ui_in, uo_out, uio_in, uio_out, uio_oe, ena, clk, rst_n: the modules are m"},
		{"no module", "// nothing\n", "there is no module at all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			both(t, func(t *testing.T, simulator string) {
				config := design(t, simulator, c.text)
				_, err := Open(context.Background(), config)
				var input *InputError
				if err == nil || !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
					t.Fatalf("error %v\nwant an InputError of one line with %q", err, c.want)
				}
				if strings.Contains(err.Error(), "tile.v") {
					t.Errorf("error %v blames a file that the user has never seen", err)
				}
				wantEntries(t, config.Cache, 0)
			})
		})
	}
}

func TestBadConfig(t *testing.T) {
	need(t, "icarus")
	good := design(t, "icarus", header+rest+"endmodule\n")
	for want, change := range map[string]func(c *Config){
		`"absent.v": no such file`:                        func(c *Config) { c.Sources = []string{"absent.v"} },
		"no Verilog file is given":                        func(c *Config) { c.Sources = nil },
		"testdata is a folder, and has to be a Verilog":   func(c *Config) { c.Sources = []string{"testdata"} },
		"tile.v is a file, and has to be a folder":        func(c *Config) { c.CellsDirs = []string{"tile.v"} },
		`unknown simulator "vcs": allowed are auto, icar`: func(c *Config) { c.Simulator = "vcs" },
		"the sources have no module m: the modules are":   func(c *Config) { c.Top = "m" },
		"the waves cannot be written":                     func(c *Config) { c.VCD = "no/such/folder/a.vcd" },
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

// What a simulation does in the middle of a batch.
func TestSimulationEnds(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"finish", "always @(posedge clk) if (ui_in == 3) $finish;", "the simulation ended by itself at step 4: does the design call $finish or $stop?"},
		{"loop", "always @(posedge clk) if (ui_in == 3) while (1) $display(\"no end\");", "the simulation has said nothing for 2s at step"},
	} {
		t.Run(c.name, func(t *testing.T) {
			both(t, func(t *testing.T, simulator string) {
				tr := mustOpen(t, design(t, simulator, header+rest+c.body+"\nendmodule\n"))
				defer tr.Close()
				n, err := tr.Apply(context.Background(), counting(10), make([]transport.Sample, 10))
				if err == nil || n > 3 || !strings.Contains(err.Error(), c.want) {
					t.Fatalf("Apply = %d, %v; want at most 3 and an error with %q", n, err, c.want)
				}
				wantGone(t, tr)
				if n, again := tr.Apply(context.Background(), counting(1), make([]transport.Sample, 1)); n != 0 || again == nil {
					t.Errorf("Apply after that = %d, %v; want 0 and an error", n, again)
				}
			})
		})
	}
}

// counting are steps with ui 0, 1, 2 and so on, each with a clock.
func counting(n int) []transport.Step {
	steps := make([]transport.Step, n)
	for i := range steps {
		steps[i] = transport.Step{In: uint8(i), Clocks: 1}
	}
	return steps
}

// wantGone checks that the simulator's process is no more.
func wantGone(t *testing.T, tr *Transport) {
	t.Helper()
	if err := syscall.Kill(tr.sim.cmd.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the simulator's process is still there: %v", err)
	}
}

func TestKilledSimulator(t *testing.T) {
	need(t, "icarus")
	tr := mustOpen(t, ourChip("icarus", model.TT09))
	defer tr.Close()
	steps := modeltest.Stimulus(1, 500_000)
	samples := make([]transport.Sample, len(steps))
	time.AfterFunc(300*time.Millisecond, func() { tr.sim.cmd.Process.Kill() })
	n, err := tr.Apply(context.Background(), steps, samples)
	if err == nil || n == 0 || !strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("Apply = %d, %v; want some steps and an error that says that it was killed", n, err)
	}
}

// A context that ends in the middle of a batch ends the simulation, and soon.
func TestCancelledInTheMiddle(t *testing.T) {
	need(t, "icarus")
	tr := mustOpen(t, ourChip("icarus", model.TT09))
	defer tr.Close()
	steps := modeltest.Stimulus(1, 2_000_000)
	samples := make([]transport.Sample, len(steps))
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	begun := time.Now()
	n, err := tr.Apply(ctx, steps, samples)
	if !errors.Is(err, context.DeadlineExceeded) || n == 0 || time.Since(begun) > 10*time.Second {
		t.Errorf("Apply = %d, %v after %s; want some steps, the context's error, and soon", n, err, time.Since(begun))
	}
	wantGone(t, tr)
}

func TestCloseInTheMiddle(t *testing.T) {
	need(t, "icarus")
	tr := mustOpen(t, ourChip("icarus", model.TT09))
	steps := modeltest.Stimulus(1, 2_000_000)
	samples := make([]transport.Sample, len(steps))
	time.AfterFunc(300*time.Millisecond, func() { tr.Close() })
	if n, err := tr.Apply(context.Background(), steps, samples); !errors.Is(err, transport.ErrClosed) {
		t.Errorf("Apply = %d, %v; want ErrClosed", n, err)
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	wantGone(t, tr)
}

// Contention is found whether or not the levels agree, and X only where they differ.
func TestContention(t *testing.T) {
	both(t, func(t *testing.T, simulator string) {
		for io, want := range map[uint8]string{
			0x00: "contention on uio3: bench and chip both drive it, at step 3 of the simulation, with ui 08",
			0x08: "contention on uio3: bench and chip both drive it, at step 3 of the simulation, with ui 08",
		} {
			tr := mustOpen(t, design(t, simulator, header+rest+"endmodule\n")) // drives uio where ui is high
			steps := []transport.Step{{Reset: true, Clocks: 1}, {In: 0x06, Drive: 0x09, IO: io}, {In: 0x08, Drive: 0x08, IO: io, Clocks: 1}, {}}
			n, err := tr.Apply(context.Background(), steps, make([]transport.Sample, len(steps)))
			if n != 2 || err == nil || err.Error() != want {
				t.Errorf("Apply = %d, %v\nwant 2, %s", n, err, want)
			}
			if err := tr.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// A bench that is killed takes the simulation along, even one that loops and never looks at its pipe.
func TestKilledBench(t *testing.T) {
	need(t, "icarus")
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux: elsewhere a simulation that loops outlives its bench")
	}
	for _, body := range []string{"", "always @(posedge clk) while (1) $display(1);"} {
		c := design(t, "icarus", header+rest+body+"\nendmodule\n")
		bench := exec.Command(os.Args[0], "-test.run", "^TestBenchToKill$")
		bench.Env = append(os.Environ(), "BENCH_TO_KILL="+c.Sources[0])
		out, err := bench.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := bench.Start(); err != nil {
			t.Fatal(err)
		}
		var pid int
		if _, err := fmt.Fscanf(out, "simulator %d\n", &pid); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
		bench.Process.Kill()
		bench.Wait()
		for range 50 {
			if !runs(pid) {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if runs(pid) {
			t.Errorf("the simulator of %q goes on without its bench", body)
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// TestBenchToKill is the bench of TestKilledBench.
func TestBenchToKill(t *testing.T) {
	file := os.Getenv("BENCH_TO_KILL")
	if file == "" {
		return
	}
	tr := mustOpen(t, Config{Sources: []string{file}, Simulator: "icarus", Cache: filepath.Join(filepath.Dir(file), "cache")})
	fmt.Printf("simulator %d\n", tr.sim.cmd.Process.Pid)
	for {
		tr.Apply(context.Background(), counting(100), make([]transport.Sample, 100))
	}
}

// runs says whether a process is there and is no zombie.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// wantEntries counts what a cache holds, leftovers included.
func wantEntries(t *testing.T, dir string, want int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if len(entries) != want {
		t.Errorf("the cache holds %v; want %d entries", entries, want)
	}
}

func TestCache(t *testing.T) {
	need(t, "icarus")
	c := design(t, "icarus", header+rest+"endmodule\n")
	open := func(c Config) {
		t.Helper()
		tr := mustOpen(t, c)
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
	open(c)
	open(c)
	wantEntries(t, c.Cache, 1)
	c.Defines = []string{"X=1"}
	open(c)
	wantEntries(t, c.Cache, 2)
	// What a killed run leaves is removed by the next; what a living one is at, is not.
	store := cache{c.Cache}
	dir, lock, err := store.begin()
	if err != nil {
		t.Fatal(err)
	}
	open(c)
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the folder of a build that goes on: %v", err)
	}
	lock.Close()
	open(c)
	wantEntries(t, c.Cache, 2)
}

// Two runs may build the same thing at once.
func TestCacheTogether(t *testing.T) {
	need(t, "icarus")
	c := design(t, "icarus", header+rest+"endmodule\n")
	errs := make(chan error)
	for range 8 {
		go func() {
			tr, err := Open(context.Background(), c)
			if err == nil {
				err = tr.Close()
			}
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	wantEntries(t, c.Cache, 1)
}

func TestVCD(t *testing.T) {
	both(t, func(t *testing.T, simulator string) {
		c := design(t, simulator, header+rest+"endmodule\n")
		c.VCD = filepath.Join(t.TempDir(), "waves.vcd")
		tr := mustOpen(t, c)
		if _, err := tr.Apply(context.Background(), counting(5), make([]transport.Sample, 5)); err != nil {
			t.Fatal(err)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		text, err := os.ReadFile(c.VCD)
		if err != nil || !strings.Contains(string(text), "$enddefinitions") || !strings.Contains(string(text), "ui_in") {
			t.Errorf("the waves are %d bytes, %v; want a VCD with ui_in", len(text), err)
		}
	})
}

// A netlist with power pins, and cells from a file and from a folder.
func TestGateLevel(t *testing.T) {
	both(t, func(t *testing.T, simulator string) {
		netlist := strings.Replace(header, "(", "(\n`ifdef GL_TEST\n inout wire VPWR, inout wire VGND,\n`endif\n ", 1) +
			"inv a (.Y(uo_out[0]), .A(ui_in[0]), .VPWR(VPWR));\nbuff b (.Y(uo_out[1]), .A(ui_in[1]));\n" +
			"assign uo_out[7:2] = 0; assign uio_oe = 0; assign uio_out = 0;\nendmodule\n"
		c := design(t, simulator, netlist)
		dir := filepath.Dir(c.Sources[0])
		c.Defines, c.Cells, c.CellsDirs = []string{"GL_TEST"}, []string{filepath.Join(dir, "lib.v")}, []string{filepath.Join(dir, "cells")}
		write(t, c.Cells[0], "module inv (output wire Y, input wire A, input wire VPWR); assign Y = ~A & VPWR; endmodule\n")
		if err := os.Mkdir(c.CellsDirs[0], 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "cells", "buff.v"), "module buff (output wire Y, input wire A); assign Y = A; endmodule\n")
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
