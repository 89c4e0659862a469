package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// benchProcess is this command as a process of its own: TestMain runs main under that name.
func benchProcess(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &exec.Cmd{Path: self, Args: append([]string{"bench"}, args...)}
}

func mustRun(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

// A sweep that is killed outright, again and again, leaves the certificate of one that was not, and nothing besides.
func TestKilledSweep(t *testing.T) {
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	sweepTo := func(file string) *exec.Cmd {
		return benchProcess(t, "sweep", "--shard", "2/30", "--certificate", file, "--force")
	}
	began := time.Now()
	mustRun(t, sweepTo(whole))
	took := time.Since(began)
	for range 5 {
		cmd := sweepTo(killed)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(took))) / 2)
		cmd.Process.Kill()
		if cmd.Wait() == nil {
			t.Log("it was done before it was killed")
		}
	}
	mustRun(t, sweepTo(killed))
	a, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(killed); err != nil || !bytes.Equal(a, b) {
		t.Errorf("another certificate, or none: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("files: %v, %v", left, err)
	}
}

// Two sweeps do not write one state. The lock goes with the process that had it, however that ended.
func TestTwoSweepsOfOneState(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cert")
	sweep := func() *exec.Cmd { return benchProcess(t, "sweep", "--shard", "1/60", "--certificate", file) }
	first := sweep()
	first.Env = append(first.Environ(), "MOCK_AFTER=1000000 hangs")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	defer first.Process.Kill()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if info, err := os.Stat(file + ".part"); err == nil && info.Size() > 0 {
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatal("no state after a minute")
		}
	}
	second := sweep()
	out, _ := second.CombinedOutput()
	want := "bench: " + file + ".part: another sweep is using that state; wait until it " +
		"ends, or name another file with --state\n"
	if code := second.ProcessState.ExitCode(); code != exitUsage || string(out) != want {
		t.Errorf("exit code %d, %s", code, out)
	}
	first.Process.Kill()
	first.Wait()
	mustRun(t, sweep())
	if left, err := filepath.Glob(file + "*"); err != nil || len(left) != 1 {
		t.Errorf("files: %v, %v", left, err)
	}
}

// An interrupt keeps what is done, says so, and ends by 130.
func TestInterruptedSweep(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	file := filepath.Join(t.TempDir(), "cert")
	errOut := &bytes.Buffer{}
	code := run(ctx, []string{"sweep", "--certificate", file}, os.Stdin, devNull(t), errOut)
	if code != exitInterrupted || !strings.Contains(errOut.String(), "the same command goes on from there") {
		t.Errorf("exit code %d, %s", code, errOut)
	}
	if left, _ := filepath.Glob(file + "*"); len(left) != 1 || left[0] != file+".part" {
		t.Errorf("files: %v", left)
	}
}
