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
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/transport"
)

// A Test is a user's command that simulates a tile, with a shim in place of its sources. Set the exported fields.
type Test struct {
	Bench         *Bench
	Identity      report.Identity   // identity of the chip
	DoubtReason   string            // finding of the wiring check against the chip, or ""
	AcceptedLines transport.Outputs // output lines that need not be compared

	Command []string  // {shim} stands for the path of the shim
	Folder  string    // folder for the shim and its pipes; must exist and be empty
	Out     io.Writer // output of the command
	// number of exchanges after which the bench compares the chip with the copy; the simulation is at most twice as far
	// ahead; 0 means that the chip itself responds, without a copy
	AheadExchanges int

	NoCopyReason    error    // set by Run: why there is no copy; nil if there is one, or AheadExchanges is 0
	ExitCode        int      // set by Run: the exit code of the command
	PassedTests     int      // number of cocotb tests that passed, according to the output
	FailedTests     int      // number of cocotb tests that failed; make succeeds nevertheless
	HasSummary      bool     // cocotb has printed these numbers
	EndedEarly      bool     // set by Run: Serve ended MaxExchangesAfterDifference exchanges after a difference
	MissingSignals  []string // signals inside the tile that the simulation missed, since silicon lacks them
	OptionalSignals []string // signals named in a cocotb test that may not need them: "user_project.n (test.py:7)"
	Parameters      []string // parameters of the tile that the testbench sets

	untested bool // cocotb has found no test in a module
	pace     pace
	listener *listener
}

func (t *Test) path() string { return filepath.Join(t.Folder, "shim.v") }

// ErrNoSimulation means that the command ended without a simulation of the shim.
var ErrNoSimulation = errors.New("no simulation used the chip")

// ErrNoTests means that cocotb found no test.
var ErrNoTests = errors.New("cocotb found no test to run: the makefile has to name it in MODULE up to cocotb 1.9, " +
	"and in COCOTB_TEST_MODULES from 2.0 on")

// Run runs the command to its end. An error comes from the chip, the reference or ctx, not from the command.
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
	t.Bench.Progress, t.Bench.OnDifference = t.progress, t.differs
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
	cmd.Cancel() // kills processes that still run
	err = stop(in, served)
	t.ExitCode = cmd.ProcessState.ExitCode()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, errEnough):
		t.EndedEarly = true
		return nil
	case err != nil && !errors.Is(err, os.ErrClosed):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case ended != nil && !errors.As(ended, &exit) && !errors.Is(ended, exec.ErrWaitDelay):
		return fmt.Errorf("the test: %w", ended)
	case t.untested && !t.HasSummary:
		return ErrNoTests
	case t.Bench.Simulations == 0:
		return ErrNoSimulation
	case t.Bench.Exchanges == 0:
		return errors.New("the simulation ended before it used the chip: was it killed?")
	}
	return nil
}

// A pace makes the reports of a long test ever rarer, down to one per minute.
type pace time.Duration

// due reports whether a report is due after the given duration of the test.
func (p *pace) due(took time.Duration) bool {
	next := max(time.Duration(*p), 10*time.Second)
	if took < next {
		return false
	}
	*p = pace(took + min(took, time.Minute))
	return true
}

// progress prints the progress of a test if a report is due. Like differs, it holds back the command's output.
func (t *Test) progress() {
	if t.pace.due(t.Bench.Elapsed) {
		t.listener.betweenWrites(t.writeProgress)
	}
}

func (t *Test) differs() { t.listener.betweenWrites(t.writeDifference) }

// stop lets Serve read the rest of its pipe, and waits for it.
func stop(in *os.File, served <-chan error) error {
	failure.Go(func() {
		in.WriteString("\n" + end + "\n") // if Serve has ended, its error is returned below
	})
	err := <-served
	in.Close()
	return err
}

// prepare writes the shim, and opens both pipes for reading and writing, so that they outlast each simulation.
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

// UsesMake reports whether the command is make.
func (t *Test) UsesMake() bool {
	base := filepath.Base(t.Command[0])
	return base == "make" || base == "gmake"
}

// command returns the user's command, with the path of the shim in its environment.
func (t *Test) command(ctx context.Context) *exec.Cmd {
	words := slices.Clone(t.Command)
	for i := range words {
		words[i] = string(bytes.ReplaceAll([]byte(words[i]), []byte("{shim}"), []byte(t.path())))
	}
	if t.UsesMake() {
		words = append(words, t.variables(ctx)...)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	t.listener = &listener{to: t.Out, lineRead: t.parseLine}
	cmd.Stdout, cmd.Stderr = t.listener, t.listener
	cmd.Env = append(os.Environ(), "BENCH_SHIM="+t.path())
	cmd.WaitDelay = time.Second // for processes that still run
	own(cmd)
	return cmd
}

// inside matches the messages of cocotb and Icarus about a missing signal.
var inside = printable.LazyRegexp(`contains no (?:child )?object named '?(\w+)|` +
	"Unable to bind (?:wire/reg/memory|parameter|variable) [`'](\\S+?)'")

// parameter matches Icarus's and Verilator's messages about a parameter that the shim lacks.
var parameter = printable.LazyRegexp("parameter (\\w+) not found in|Parameter (?:pin )?not found: '(\\w+)'")

// sum matches the last line of cocotb's summary.
var sum = printable.LazyRegexp(`\*\* TESTS=\d+ PASS=(\d+) FAIL=(\d+)`)

// noTests matches cocotb's messages that there is no test to run.
var noTests = printable.LazyRegexp(`No tests were discovered|No tests found|` +
	`Environment variable (?:MODULE|COCOTB_TEST_MODULES)\b`)

// parseLine records missing signals and parameters, and the numbers of passed and failed tests.
func (t *Test) parseLine(line []byte) {
	t.untested = t.untested || noTests().Match(line)
	if m := sum().FindSubmatch(line); m != nil {
		passed, _ := strconv.Atoi(string(m[1])) // digits
		failed, _ := strconv.Atoi(string(m[2]))
		t.PassedTests, t.FailedTests, t.HasSummary = t.PassedTests+passed, t.FailedTests+failed, true
	}
	t.MissingSignals = addName(t.MissingSignals, inside(), line)
	t.Parameters = addName(t.Parameters, parameter(), line)
}

// addName adds the name that one of the pattern's two groups matches in a line, unless names contains it.
func addName(names []string, pattern *regexp.Regexp, line []byte) []string {
	m := pattern.FindSubmatch(line)
	if m == nil || slices.Contains(names, string(m[1])+string(m[2])) {
		return names
	}
	return append(names, string(m[1])+string(m[2]))
}

// A listener forwards output and reads it line by line.
type listener struct {
	to       io.Writer
	lineRead func(line []byte)

	mu   sync.Mutex
	rest []byte
}

// betweenWrites calls f between two writes of the command.
func (l *listener) betweenWrites(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

// longest is the number of bytes of a line that are examined.
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
		l.lineRead(line)
		l.rest = rest
	}
	if len(l.rest) > longest {
		l.rest = nil
	}
	return l.to.Write(p)
}
