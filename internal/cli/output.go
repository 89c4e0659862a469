package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// An Output is standard output or standard error. It wipes the progress line before it writes, and records the first
// write error, which a command may ignore.
type Output struct {
	File     *os.File
	Progress *Progress
	err      error
}

// Write implements io.Writer.
func (o *Output) Write(b []byte) (int, error) {
	if IsTerminal(o) {
		o.Progress.Clear()
	}
	n, err := o.File.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// Fd returns the file's descriptor, so that callers can test for a terminal.
func (o *Output) Fd() uintptr { return o.File.Fd() }

// End returns the final error of a command that wrote to o and returned err. A failed write is the bench's fault. If
// the reader closed early, as head does, no message is needed.
func (o *Output) End(err error) error {
	switch {
	case o.err == nil:
		return err
	case errors.Is(o.err, syscall.EPIPE):
		return failure.AlreadyPrinted(failure.ReaderGone)
	}
	return failure.New(failure.Bench, fmt.Errorf("standard output: %w", o.err))
}

// patience is the time limit for parking, longer than a board needs.
const patience = 20 * time.Second

// ReportPanic parks the open chips, and reports a panic to the user. version is the program's.
func ReportPanic(env *files.Env, p *failure.Panic, version string) {
	w := env.Stderr
	left := failure.CloseRegistered(patience)
	fmt.Fprintf(w, "bench: this is a mistake in bench, not in the chip: %s\n", printable.Lines(p.Error()))
	if left != nil {
		fmt.Fprintf(w, "bench: a chip may still be driven (%s): bench park parks it\n", printable.Lines(left.Error()))
	}
	report := fmt.Sprintf("%s\nbench %s\n\n%s\n\n%s", version, strings.Join(env.Args, " "), p, p.Stack)
	if file, err := keep(report); err == nil {
		fmt.Fprintf(w, "bench: please report it with %s, which has the version, the command and the stack\n", file)
	} else {
		fmt.Fprintf(w, "bench: please report it with these lines:\n%s\n", printable.Lines(report))
	}
}

func keep(text string) (name string, err error) {
	f, err := os.CreateTemp("", "bench-crash-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return f.Name(), cmp.Or(err, f.Close())
}

func opener(system string) []string {
	switch system {
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case "darwin":
		return []string{"open"}
	}
	return []string{"xdg-open"}
}

// openerPatience is the time within which an opener reports a failure. One that is a browser runs until it is closed.
const openerPatience = 3 * time.Second

// OpenPage opens a page in the user's browser. The error names the program that failed.
func OpenPage(path string) error {
	whole, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	words := append(opener(runtime.GOOS), whole)
	cmd := exec.Command(words[0], words[1:]...)
	ended := make(chan error, 1)
	if err = cmd.Start(); err == nil {
		failure.Go(func() { ended <- cmd.Wait() })
		select {
		case err = <-ended:
		case <-time.After(openerPatience):
		}
	}
	if err != nil {
		return fmt.Errorf("%s could not open %s: %w; open the page yourself", words[0], path, err)
	}
	return nil
}
