//go:build unix

package boardtest

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// Revive restarts a hung board, and leaves a responsive one alone.
func TestRevive(t *testing.T) {
	t.Parallel()
	b := Start(t, Config{Pins: map[string]int{}})
	b.AwaitPrompt(t)
	answers := func() {
		t.Helper()
		if doing := Revive(t, b.TTY); doing != "" {
			t.Errorf("it answers, and was started anew: %s", doing)
		}
	}
	answers()
	patienceOfRevival = 2 * time.Second
	defer func() { patienceOfRevival = 20 * time.Second }()
	if err := b.node.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if doing := Revive(t, b.TTY); !strings.Contains(doing, "threads") {
		t.Errorf("it hangs, and is said to do %q", doing)
	}
	patienceOfRevival = 20 * time.Second
	answers()
	if doing := Revive(t, "/dev/null"); doing != "" {
		t.Errorf("there is no board, and it does %q", doing)
	}
}
