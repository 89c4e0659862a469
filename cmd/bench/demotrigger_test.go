//go:build unix

package main

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport/rp2040/boardtest"
)

// loopUntilPulsed runs a loop on a board until a pin was pulsed so many times more, or for as long as a test may take,
// and then interrupts it.
func loopUntilPulsed(t *testing.T, b *boardtest.Board, pin, times int, args ...string) (code int, said string) {
	t.Helper()
	code, said = loopOnce(b, pin, times, args...)
	if boardFailed(t, b.TTY, code, said) {
		return loopOnce(b, pin, times, args...)
	}
	return code, said
}

func loopOnce(b *boardtest.Board, pin, times int, args ...string) (code int, said string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	times += len(b.Pulses(pin))
	var watching sync.WaitGroup
	watching.Go(func() {
		for ctx.Err() == nil && len(b.Pulses(pin)) < times {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	})
	var out bytes.Buffer
	code = run(ctx, append([]string{"run", "-t", "rp2040", "--port", b.TTY, "--patience", "1m", "--no-wiring",
		"--loop"}, args...), strings.NewReader(""), &out, &out)
	cancel()
	watching.Wait()
	return code, out.String()
}

// A loop over a vector that fails triggers at its first divergence once that is known, and leaves the pin released when
// it is interrupted.
func TestTrigger(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	const vector, pin = "sequences/pair-after-retry-tt09", 45
	config := demo(t, "tt-demo-rp2350")
	config.Revision = model.TT08 // which the ROM does not say
	b := boardtest.Start(t, config)
	code, said := loopUntilPulsed(t, b, pin, 3, "--run", "^"+vector+"$", "--trigger", "45")
	for _, want := range []string{vector + " fails at its execution 1:", "step 6 of 18",
		"trigger: GPIO45 is high for a microsecond before step 6 of 18 of each execution", "FAIL  " + vector} {
		if code != exitFail || !strings.Contains(said, want) {
			t.Errorf("exit code %d, and no %q in\n%s", code, want, said)
		}
	}
	var before driver.Job
	for _, job := range testkit.Jobs[driver.Job](t, "sequences.vec") {
		if job.Vector.Name == vector {
			before = job
		}
	}
	want := before.Vector.Steps[4]
	want.Clocks, want.IO = 0, want.IO&want.Drive
	pulses := b.Pulses(pin)
	if len(pulses) < 3 {
		t.Errorf("%d pulses", len(pulses))
	}
	for _, p := range pulses {
		if p.Lines != want {
			t.Fatalf("a pulse with the lines at %+v; want them at step 5, %+v", p.Lines, want)
		}
	}
	if b.DrivesPin(pin) {
		t.Error("the pin is driven afterwards")
	}
	b.Check(t)
}

// A step that is named is pulsed from the first execution on, and a pin that carries a line is refused.
func TestTriggerAtAStep(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	b := boardtest.Start(t, demo(t, "tt-demo-tt06"))
	args := func(trigger string) []string {
		return []string{"--run", "^sequences/pair-after-retry-tt09$", "--trigger", trigger}
	}
	for trigger, want := range map[string]string{
		"5":     "--trigger GPIO5 cannot be pulsed: uo0 is at it; free on this board is GPIO29",
		"29@19": "--trigger 29@19: sequences/pair-after-retry-tt09 has the steps 1 to 18",
	} {
		code, said := loopUntilPulsed(t, b, 29, 1, args(trigger)...)
		if code != exitUsage || !strings.Contains(said, want) {
			t.Errorf("%s: exit code %d, and no %q in\n%s", trigger, code, want, said)
		}
	}
	if code, said := loopUntilPulsed(t, b, 29, 3, args("29@2")...); code != exitInterrupted || b.DrivesPin(29) ||
		!strings.Contains(said, "stopped before the first execution was answered") {
		t.Errorf("in the first batch: exit code %d, and it says\n%s", code, said)
	}
	const oneBatch = 8192/18 + 1 // of executions
	code, said := loopUntilPulsed(t, b, 29, oneBatch+3, args("GPIO29@2")...)
	want := "trigger: GPIO29 is high for a microsecond before step 2 of 18 of each execution"
	if code != exitPass || !strings.Contains(said, want) || len(b.Pulses(29)) == 0 || b.DrivesPin(29) {
		t.Errorf("exit code %d, %d pulses, driven %v, no %q in\n%s", code, len(b.Pulses(29)), b.DrivesPin(29), want,
			said)
	}
	b.Check(t)
}
