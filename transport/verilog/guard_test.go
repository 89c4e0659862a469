//go:build unix

package verilog

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"utfbench/internal/confine"
)

// If a bench is killed, its compiler and the compiler's children also end.
func TestKilledCompile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	bench := exec.Command(os.Args[0], "-test.run", "^TestCompileToKill$")
	bench.Env = append(os.Environ(), "COMPILE_TO_KILL="+file)
	if err := bench.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	for range 600 {
		if text, err := os.ReadFile(file); err == nil && strings.HasSuffix(string(text), "\n") {
			pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	bench.Process.Kill()
	bench.Wait()
	if pid == 0 {
		t.Fatal("the compiler did not start anything")
	}
	for range 200 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Error("what the compiler started goes on without the bench")
}

// TestCompileToKill is the bench that TestKilledCompile starts and kills.
func TestCompileToKill(t *testing.T) {
	file := os.Getenv("COMPILE_TO_KILL")
	if file == "" {
		return
	}
	compiler := &tool{name: "compiler", command: "sh",
		limits: confine.Limits{Processor: time.Minute, Wall: time.Minute, Memory: 4 << 30}}
	_, _, err := compiler.call(context.Background(), "-c", fmt.Sprintf("sleep 600 & echo $! >%q; wait", file))
	t.Error(err)
}

// After a tool has ended, its guard ends too, and cannot kill a later process with the same number.
func TestGuardIsDismissed(t *testing.T) {
	compiler := &tool{name: "compiler", command: "sh",
		limits: confine.Limits{Processor: time.Minute, Wall: time.Minute, Memory: 4 << 30}}
	out, _, err := compiler.call(context.Background(), "-c", "echo done")
	if out != "done\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err != syscall.ECHILD {
		t.Errorf("process %d, %v: want no child", pid, err)
	}
}

func TestTooMuchIsPrinted(t *testing.T) {
	compiler := &tool{name: "compiler", command: "sh",
		limits: confine.Limits{Processor: time.Minute, Wall: time.Minute, Memory: 4 << 30}}
	_, _, err := compiler.call(context.Background(), "-c", "cat /dev/zero")
	if err == nil || !strings.Contains(err.Error(), "compiler printed more than 32 MiB about the design") {
		t.Error(err)
	}
}
