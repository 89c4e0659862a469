package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"utfbench/sweep"
)

// benchProcess returns a command that runs bench in a separate process; see TestMain.
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

// A repeatedly killed sweep has the root of an uninterrupted one, and leaves no file but its output and hidden ones.
func TestKilledSweep(t *testing.T) {
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	sweepTo := func(file string) *exec.Cmd {
		return benchProcess(t, "sweep", "--space", "ops", "--depth", "3", "--json", file,
			"--resume", filepath.Join(dir, "state"))
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
	a, err := sweep.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := sweep.ReadFile(killed); err != nil || b.Root == nil || *a.Root != *b.Root {
		t.Errorf("another root, or none: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "[^.]*")); err != nil || len(left) != 2 {
		t.Errorf("files: %v, %v", left, err)
	}
}
