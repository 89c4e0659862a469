package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/transport"
)

// A piBench is a bench that tests the chip on a Raspberry Pi's header.
type piBench struct {
	*pi
	file string
	cmd  *exec.Cmd
	said bytes.Buffer
}

func onPi(t *testing.T, args ...string) *piBench {
	t.Helper()
	c := &piBench{file: filepath.Join(t.TempDir(), "pi")}
	err := os.WriteFile(c.file, make([]byte, 4096), 0o600)
	if err == nil {
		c.pi, err = openPi(c.file)
	}
	self, serr := os.Executable()
	if err != nil || serr != nil {
		t.Fatal(err, serr)
	}
	c.cmd = exec.Command(self, args...)
	c.cmd.Args[0], c.cmd.Stdout, c.cmd.Stderr = "bench", &c.said, &c.said
	c.cmd.Env = append(os.Environ(), "FAKE_PI="+c.file)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// ownLines are the lines that only the bench can drive.
const ownLines = transport.MaskUI | transport.MaskClk | transport.MaskRstN

// awaitDriven waits until the bench drives a line.
func (c *piBench) awaitDriven(t *testing.T) {
	t.Helper()
	for range 30_000 {
		if drive, _ := c.driven(); drive != 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("no line is driven after half a minute: %s", &c.said)
}

// A bench that panics parks the chip itself, whether the panic is in the command's goroutine or another one.
func TestPanicOnPi(t *testing.T) {
	for _, args := range [][]string{{"run", "-t", "gpio", "--no-history"}, {"sweep", "-t", "gpio", "--space", "ops"}} {
		t.Setenv("MOCK_AFTER", "1000 panics")
		t.Setenv("TMPDIR", t.TempDir())
		c := onPi(t, args...)
		_ = c.cmd.Wait()
		if code := c.cmd.ProcessState.ExitCode(); code != exitBench ||
			!strings.Contains(c.said.String(), "a mistake in bench, not in the chip: panic: ") {
			t.Errorf("%q: exit code %d, %s", args, code, &c.said)
		}
		if drive, levels := c.driven(); drive != 0 || levels&ownLines != 0 {
			t.Errorf("%q leaves %07x driven, and the latches at %07x\n%s", args, drive, levels, &c.said)
		}
		if by, err := c.stores(c.file); err != nil || len(by) != 1 {
			t.Errorf("%q: %d processes stored into registers, %v; want the bench alone", args, len(by), err)
		}
	}
}

// A bench that is killed at any moment leaves no line driven: its guard resets the chip and then releases all lines.
func TestKilledOnPi(t *testing.T) {
	for _, after := range []time.Duration{0, 3 * time.Millisecond, 300 * time.Millisecond} {
		c := onPi(t, "run", "-t", "gpio", "--count", "1000", "--no-history")
		c.awaitDriven(t)
		time.Sleep(after)
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait() // also for the guard, which has the same standard error
		if drive, levels := c.driven(); drive != 0 || levels&ownLines != 0 {
			t.Errorf("killed after %s it leaves %07x driven, and the latches at %07x\n%s", after, drive, levels,
				&c.said)
		}
		c.checkOrder(t)
	}
}

// checkOrder checks that the guard set all levels low before it changed the direction of a line, since a chip in reset
// with READ low does not drive uio.
func (c *piBench) checkOrder(t *testing.T) {
	t.Helper()
	by, err := c.stores(c.file)
	if err != nil {
		t.Fatal(err)
	}
	delete(by, c.cmd.Process.Pid)
	if len(by) != 1 {
		t.Fatalf("%d processes besides the bench stored into registers; want its guard alone", len(by))
	}
	for _, stores := range by {
		if len(stores) < 4 || stores[0][:2] != "10" {
			t.Errorf("the guard's stores are %q; want the first to be to GPCLR0", stores)
		}
	}
}
