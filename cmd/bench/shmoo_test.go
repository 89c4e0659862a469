package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// An interrupted shmoo draws what was measured, and marks it as incomplete.
func TestInterruptedShmoo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var said bytes.Buffer
	if code := run(ctx, []string{"shmoo"}, devNull(t), &said, devNull(t)); code != exitInterrupted ||
		!strings.Contains(said.String(), "incomplete: 0 of 12 cells were measured\n") {
		t.Errorf("exit code %d, %s", code, &said)
	}
}
