package shim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// A Test is a user's command that simulates a tile, with a shim in place of the sources. Set the exported fields and
// call Run.
type Test struct {
	Bench   *Bench
	Command []string  // with {shim} for the shim's path
	Folder  string    // for the shim and its pipes; must exist and be empty
	Out     io.Writer // the command's output
	// the number of exchanges after which the bench compares the chip with the copy, while the simulation is at most
	// twice as far ahead; 0 means that the chip itself responds, without a copy
	Ahead int

	Lone     error    // set by Run: why the chip answers each exchange itself; nil if it does not, or Ahead is 0
	Code     int      // set by Run: the command's exit code
	Passed   int      // number of passed cocotb tests, by its output
	Failed   int      // likewise of failed ones: make succeeds regardless
	Summed   bool     // cocotb printed these numbers
	untested bool     // cocotb found no test in a module
	Inside   []string // names of signals inside the tile that the test needs and silicon lacks
}

func (t *Test) path() string { return filepath.Join(t.Folder, "shim.v") }

// ErrUnasked means that the command ended without a simulation of the shim.
var ErrUnasked = errors.New("no simulation used the chip")

// ErrNoTests means that cocotb found no test.
var ErrNoTests = errors.New("cocotb found no test to run: the makefile has to name it in MODULE up to cocotb 1.9, " +
	"and in COCOTB_TEST_MODULES from 2.0 on")

// Run runs the command to its end. The error is the chip's, the reference's or ctx's, not the command's failure.
func (t *Test) Run(ctx context.Context) error {
	in, out, err := t.prepare(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	defer out.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := t.command(ctx)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("the test cannot be started: %w", err)
	}
	served := make(chan error, 1)
	failure.Go(func() {
		err := t.Bench.Serve(ctx, in, out)
		if err != nil && !errors.Is(err, os.ErrClosed) {
			cancel() // the simulation gets no more responses
		}
		served <- err
	})
	ended := cmd.Wait()
	cmd.Cancel() // kills remaining processes
	err = stop(in, served)
	t.Code = cmd.ProcessState.ExitCode()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.Is(err, os.ErrClosed):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case ended != nil && !errors.As(ended, &exit) && !errors.Is(ended, exec.ErrWaitDelay):
		return fmt.Errorf("the test: %w", ended)
	case t.untested && !t.Summed:
		return ErrNoTests
	case t.Bench.Simulations == 0:
		return ErrUnasked
	case t.Bench.Exchanges == 0:
		return errors.New("the simulation ended before it used the chip: was it killed?")
	}
	return nil
}

// stop lets Serve drain its pipe and waits for it.
func stop(in *os.File, served <-chan error) error {
	failure.Go(func() {
		in.WriteString("\n" + end + "\n") // if Serve has ended already, its error is reported below
	})
	err := <-served
	in.Close()
	return err
}

// prepare writes the shim and opens its pipes in both directions, so that they outlive each simulation.
func (t *Test) prepare(ctx context.Context) (in, out *os.File, err error) {
	file, err := os.Create(t.path())
	if err != nil {
		return nil, nil, err
	}
	if err = errors.Join(t.write(ctx, file), file.Close()); err == nil {
		in, err = pipe(filepath.Join(t.Folder, toBench))
	}
	if err == nil {
		if out, err = pipe(filepath.Join(t.Folder, fromBench)); err != nil {
			in.Close()
		}
	}
	return in, out, err
}

// command returns the user's command with the shim's path in its environment.
func (t *Test) command(ctx context.Context) *exec.Cmd {
	words := slices.Clone(t.Command)
	for i := range words {
		words[i] = string(bytes.ReplaceAll([]byte(words[i]), []byte("{shim}"), []byte(t.path())))
	}
	if base := filepath.Base(words[0]); base == "make" || base == "gmake" {
		words = append(words, t.variables(ctx)...)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	said := &listener{to: t.Out, heard: t.hear}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Env = append(os.Environ(), "BENCH_SHIM="+t.path())
	cmd.WaitDelay = time.Second // for remaining processes
	own(cmd)
	return cmd
}

// inside matches cocotb's and Icarus's messages about a missing signal.
var inside = printable.Regexp(`contains no (?:child )?object named '?(\w+)|` +
	"Unable to bind (?:wire/reg/memory|parameter|variable) [`'](\\S+?)'")

// sum is the line at the end of a simulation by cocotb.
var sum = printable.Regexp(`\*\* TESTS=\d+ PASS=(\d+) FAIL=(\d+)`)

// noTests are the words of cocotb where it has nothing to run.
var noTests = printable.Regexp(`No tests were discovered|No tests found|` +
	`Environment variable (?:MODULE|COCOTB_TEST_MODULES)\b`)

// hear records missing signals, and the number of failed tests.
func (t *Test) hear(line []byte) {
	t.untested = t.untested || noTests().Match(line)
	if m := sum().FindSubmatch(line); m != nil {
		passed, _ := strconv.Atoi(string(m[1])) // digits
		failed, _ := strconv.Atoi(string(m[2]))
		t.Passed, t.Failed, t.Summed = t.Passed+passed, t.Failed+failed, true
	}
	if m := inside().FindSubmatch(line); m != nil {
		name := string(m[1]) + string(m[2])
		if !slices.Contains(t.Inside, name) {
			t.Inside = append(t.Inside, name)
		}
	}
}

// A listener forwards output and reads it line by line.
type listener struct {
	to    io.Writer
	heard func(line []byte)

	mu   sync.Mutex
	rest []byte
}

// longest is how much of a line is heard.
const longest = 4096

func (l *listener) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		line, rest, whole := bytes.Cut(l.rest, []byte("\n"))
		if !whole {
			break
		}
		l.heard(line)
		l.rest = rest
	}
	if len(l.rest) > longest {
		l.rest = nil
	}
	return l.to.Write(p)
}
