package main

import (
	"context"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script run the command as a process of its own, exit code included.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"bench": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
		},
	})
}

// exits is `exits CODE COMMAND ARG...`: the command has to end with just that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		coded, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%v: %v", args[1:], err)
		}
		got = coded.ExitCode()
	}
	if got != want {
		ts.Fatalf("%v ended with %d; want %d", args[1:], got, want)
	}
}

// An interrupt before the first batch parks the chip and leaves by 130.
func TestInterrupted(t *testing.T) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	stop()
	if code := run(ctx, []string{"run"}, os.Stdin, devNull(t), devNull(t)); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
}

func devNull(t *testing.T) *os.File {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// An interrupt in the middle of a run that would take minutes ends it, with one report.
func TestInterruptedInTheMiddle(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	seen := &canceller{cancel: cancel}
	code := run(ctx, []string{"run", "--count", "1000000", "-v"}, os.Stdin, seen, devNull(t))
	if code != exitInterrupted || !strings.Contains(seen.tail, "ABORTED  stopped after") {
		t.Errorf("exit code %d, want %d; the report ends with %q", code, exitInterrupted, seen.tail)
	}
	if seen.writes > 200_000 {
		t.Errorf("%d lines were written after an interrupt at the 20,000th", seen.writes)
	}
}

// A canceller interrupts the run after some output.
type canceller struct {
	cancel context.CancelFunc
	writes int
	tail   string
}

func (c *canceller) Write(b []byte) (int, error) {
	if c.writes++; c.writes == 20_000 {
		c.cancel()
	}
	c.tail = string(b)
	return len(b), nil
}
