package cli

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"utfbench/internal/failure"
)

// An Output is standard output. It remembers the first failed write, for a command that ignores it.
type Output struct {
	File *os.File
	err  error
}

// Write implements io.Writer.
func (o *Output) Write(b []byte) (int, error) {
	n, err := o.File.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// Fd returns the file's descriptor, which may be a terminal.
func (o *Output) Fd() uintptr { return o.File.Fd() }

// End returns the error of a command that wrote to it. A failed write is the bench's fault; a reader that closed early,
// such as head, is none.
func (o *Output) End(err error) error {
	switch {
	case o.err == nil:
		return err
	case errors.Is(o.err, syscall.EPIPE):
		return failure.Told(failure.Bench)
	}
	return failure.New(failure.Bench, fmt.Errorf("standard output: %w", o.err))
}
