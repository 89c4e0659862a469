package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/testkit"
	"utfbench/station"
	"utfbench/transport"
)

// An unclassified error is the bench's fault.
func TestErrorWithoutAKind(t *testing.T) {
	plain := errors.New("something that nobody thought of")
	kinds := []station.Kind{{Name: "mock", DefaultBoard: "mock", Open: func(context.Context, *station.Target, string,
		*station.Chip) (transport.Transport, error) {
		return nil, plain
	}}}
	for _, command := range []string{"run", "wiring", "doctor", "park", "sweep", "shmoo", "step"} {
		var said strings.Builder
		d := usualDesign(testEnv([]string{command, "-t", "mock"}, &said, &said))
		d.Kinds = kinds
		if code := d.run(t.Context()); code != exitBench || !strings.Contains(said.String(), plain.Error()) {
			t.Errorf("bench %s: exit code %d, %s", command, code, &said)
		}
	}
	if code := failure.ExitCode(fmt.Errorf("around: %w", plain)); code != exitBench {
		t.Errorf("exit code %d", code)
	}
	if code := failure.ExitCode(fmt.Errorf("around: %w", failure.Usage(plain))); code != exitUsage {
		t.Errorf("exit code %d", code)
	}
}

// Each verdict has the exit code that README.md documents, and no error has the exit code of PASS.
func TestExitCodes(t *testing.T) {
	for kind := failure.Bench; kind <= failure.Weak+1; kind++ {
		if code := failure.ExitCode(failure.AlreadyPrinted(kind)); code == exitPass {
			t.Errorf("kind %d: exit code 0", kind)
		}
	}
	want := map[driver.Verdict]int{driver.Pass: 0, driver.Fail: 1, driver.Flaky: 6, driver.Error: 3, driver.Wiring: 4,
		driver.Skipped: 5, driver.Weak: 7, driver.Aborted: 3, driver.Unjudged: 3}
	for i := range driver.Verdicts {
		v := driver.Verdict(i)
		if code := failure.ExitCode(v.Err()); code != want[v] {
			t.Errorf("%s: exit code %d, want %d", v, code, want[v])
		}
	}
}

// arguments maps commands to required arguments, without which they check nothing else.
var arguments = map[string][]string{
	"bench board check": {"x.yaml"}, "bench board show": {"rpi"}, "bench bundle": {"1"},
	"bench cocotb": {"true"}, "bench diagnose": {"1"}, "bench diff": {"1", "1"}, "bench minimise": {"1"},
	"bench report": {"1"}, "bench vectors show": {"man7/eof"},
	"bench import": {"a.vcd"},
}

// notForTables lists the prefixes of commands that TestBadValuesOfFlags skips.
var notForTables = []string{"bench demo", "bench cocotb", "bench completion"}

// badValues lists values that few flags accept.
var badValues = []string{"", "no such thing", "-1", ".", "./nowhere/file", "garbage"}

// A bad value of a flag is a usage error: no command blames the bench for it.
func TestBadValuesOfFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("BENCH_DB", filepath.Join(t.TempDir(), "h.db"))
	if err := os.WriteFile("garbage", []byte("\x00garbage: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	seen, tried := 0, 0
	visitCommands(newRoot(usualDesign(files.ProcessEnv())), func(c *cobra.Command) {
		path := c.CommandPath()
		for _, left := range notForTables {
			if strings.HasPrefix(path, left) {
				return
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			for _, value := range badValues {
				if seen++; seen%testkit.Pick(37, 1) != 0 {
					continue
				}
				tried++
				args := append(strings.Fields(path)[1:], arguments[path]...)
				args = append(args, "--"+f.Name+"="+value)
				if code, said := briefly(args...); code == exitBench && !strings.Contains(said, "no demo board found") {
					t.Errorf("bench %q: exit code 3, %s", args, said)
				}
			}
		})
	})
	if seen < 1400 {
		t.Errorf("only %d of %d values were tried", tried, seen)
	}
}

func visitCommands(c *cobra.Command, visit func(*cobra.Command)) {
	if c.Runnable() && c.HasParent() {
		visit(c)
	}
	for _, below := range c.Commands() {
		visitCommands(below, visit)
	}
}

// briefly runs a command, and stops it after a short time.
func briefly(args ...string) (code int, said string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer time.AfterFunc(300*time.Millisecond, cancel).Stop()
	var out, errOut bytes.Buffer
	code = run(ctx, args, &out, &errOut)
	return code, errOut.String()
}
