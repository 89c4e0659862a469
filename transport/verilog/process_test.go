//go:build unix

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

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
)

// Apply returns an error if the simulation ends or hangs within a batch.
func TestSimulationEnds(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"finish", "always @(posedge clk) if (ui_in == 3) $finish;", "the simulation ended by itself at step 4: does " +
			"the design call $finish or $stop?"},
		{"loop", "always @(posedge clk) if (ui_in == 3) while (1) $display(\"no end\");",
			"the simulation has not responded for 2s at step"},
	} {
		t.Run(c.name, func(t *testing.T) {
			simulated(t, func(t *testing.T, simulator string) {
				tr := mustOpen(t, design(t, simulator, header+rest+c.body+"\nendmodule\n"))
				defer tr.Close()
				n, err := tr.Apply(context.Background(), counting(10), make([]transport.Sample, 10))
				if err == nil || n > 3 || !strings.Contains(err.Error(), c.want) {
					t.Fatalf("Apply = %d, %v; want at most 3 and an error with %q", n, err, c.want)
				}
				wantGone(t, tr)
				if n, again := tr.Apply(context.Background(), counting(1), make([]transport.Sample, 1)); n != 0 ||
					again == nil {
					t.Errorf("Apply after that = %d, %v; want 0 and an error", n, again)
				}
			})
		})
	}
}

// When Verilator 5 aborts, the error quotes its message, not the last line, which gives no reason.
func TestWords(t *testing.T) {
	for printed, want := range map[string]string{
		"":                                     "",
		"one\ntwo\n":                           ` The last that it printed is "two"`,
		"%Error: a.v:3: Failed\nAborting...\n": ` The last that it printed is "%Error: a.v:3: Failed"`,
		"%Error: a.v:7: Settle region did not converge.\nAborting...\n": ". Verilator could not settle the levels: " +
			"use --simulator icarus",
	} {
		var s simulation
		s.output.Write([]byte(printed))
		if got := s.words(); got != want {
			t.Errorf("%q: %q; want %q", printed, got, want)
		}
	}
}

// wantGone fails the test if the simulator's process has not ended.
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
	steps := testkit.Stimulus(1, 500_000)
	samples := make([]transport.Sample, len(steps))
	time.AfterFunc(300*time.Millisecond, func() { tr.sim.cmd.Process.Kill() })
	n, err := tr.Apply(context.Background(), steps, samples)
	if err == nil || n == 0 || !strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("Apply = %d, %v; want some steps and an error that says that it was killed", n, err)
	}
}

// If the context ends within a batch, Apply returns promptly and the simulation ends.
func TestCancelledInTheMiddle(t *testing.T) {
	need(t, "icarus")
	tr := mustOpen(t, ourChip("icarus", model.TT09))
	defer tr.Close()
	steps := testkit.Stimulus(1, 2_000_000)
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
	steps := testkit.Stimulus(1, 2_000_000)
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

// If a bench is killed, its simulation also ends, even in a loop that never reads its pipe.
func TestKilledBench(t *testing.T) {
	need(t, "icarus")
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux: elsewhere a simulation that loops outlives its bench")
	}
	for _, body := range []string{"", "always @(posedge clk) while (1) $display(1);"} {
		c := design(t, "icarus", header+rest+body+"\nendmodule\n")
		bench := exec.Command(os.Args[0], "-test.run", "^TestBenchToKill$")
		bench.Env = append(os.Environ(), "BENCH_TO_KILL="+c.Sources[0])
		out := testkit.Must(bench.StdoutPipe())(t)
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

// TestBenchToKill is the bench that TestKilledBench starts and kills.
func TestBenchToKill(t *testing.T) {
	file := os.Getenv("BENCH_TO_KILL")
	if file == "" {
		return
	}
	tr := mustOpen(t, Config{Sources: []string{file}, Simulator: "icarus",
		CacheDir: filepath.Join(filepath.Dir(file), "cache")})
	fmt.Printf("simulator %d\n", tr.sim.cmd.Process.Pid)
	for {
		tr.Apply(context.Background(), counting(100), make([]transport.Sample, 100))
	}
}

func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
