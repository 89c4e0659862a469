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

	"utfbench/sweep"
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

// A sweep that is killed outright, again and again, has the root of one that was not, and leaves nothing besides.
func TestKilledSweep(t *testing.T) {
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	sweepTo := func(file string) *exec.Cmd {
		return benchProcess(t, "sweep", "--space", "values", "--values", "60000", "--seed", "1", "--json", file,
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
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("files: %v, %v", left, err)
	}
}

// An interrupt keeps what is done, says so, and ends by 130.
func TestInterruptedSweep(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	file := filepath.Join(t.TempDir(), "state")
	errOut := &bytes.Buffer{}
	code := run(ctx, []string{"sweep", "--resume", file}, os.Stdin, devNull(t), errOut)
	if code != exitInterrupted || !strings.Contains(errOut.String(), "the same command resumes it") {
		t.Errorf("exit code %d, %s", code, errOut)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}
