package cli

import (
	"bufio"
	"context"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// A command is shown before it runs, long output is cut to its end, and an unexpected exit code ends the tour.
func TestRun(t *testing.T) {
	sh, err := exec.LookPath("seq")
	if err != nil {
		t.Skip("no seq here: ", err)
	}
	var out strings.Builder
	tour := Tour{Program: sh, Name: "seq", Dir: t.TempDir(), Out: &out}
	if err := tour.Run(context.Background(), []Scene{{"Count.", "30", 0}}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasPrefix(got, "1 of 1. Count.\n\n$ seq 30\n(7 lines before these)\n8\n") ||
		!strings.HasSuffix(got, "\n30\n[exit code 0]\n\n") {
		t.Errorf("%s", got)
	}
	if err := tour.Run(context.Background(), []Scene{{"Fail.", "x", 0}}); err == nil ||
		!strings.Contains(err.Error(), "but the tour expects 0") {
		t.Errorf("%v", err)
	}
}

// The end of an output begins with a whole block.
func TestEnding(t *testing.T) {
	block := "FAIL\n" + strings.Repeat(" step\n", mostLines)
	if got, want := string(ending([]byte("head\n"+block))), "(1 line before these)\n"+block; got != want {
		t.Errorf("%s", got)
	}
}

// Ctrl-C ends the tour while it waits for a line.
func TestStop(t *testing.T) {
	never, _ := io.Pipe()
	tour := Tour{Out: io.Discard, Wait: bufio.NewReader(never)}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := tour.Run(ctx, []Scene{{"Count.", "30", 0}}); err != context.Canceled {
		t.Error(err)
	}
}

// On a terminal the tour shows a prompt, at full length before the first command.
func TestPause(t *testing.T) {
	sh, err := exec.LookPath("seq")
	if err != nil {
		t.Skip("no seq here: ", err)
	}
	var out strings.Builder
	tour := Tour{Program: sh, Name: "seq", Dir: t.TempDir(), Out: &out,
		Wait: bufio.NewReader(strings.NewReader("\n\n"))}
	scenes := []Scene{{strings.Repeat("count ", 20), "1", 0}, {"Again.", "1", 0}}
	if err := tour.Run(context.Background(), scenes); err != nil {
		t.Fatal(err)
	}
	const first, later = "$ seq 1\n[Enter runs it, Ctrl-C ends the tour] 1\n", "$ seq 1\n[Enter] 1\n"
	if got := out.String(); !strings.Contains(got, first) || !strings.Contains(got, later) {
		t.Errorf("%s", got)
	} else if line, _, _ := strings.Cut(got, "\n"); len(line) > Widest {
		t.Errorf("a line of %d characters: %s", len(line), line)
	}
}
