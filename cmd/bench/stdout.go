package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"utfbench/internal/failure"
)

// standardOutput remembers why it could not be written to, for a command that does not look.
type standardOutput struct {
	file *os.File
	err  error // the first
}

// Write implements io.Writer.
func (s *standardOutput) Write(b []byte) (int, error) {
	n, err := s.file.Write(b)
	if err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}

// Fd returns the file's descriptor, which may be a terminal.
func (s *standardOutput) Fd() uintptr { return s.file.Fd() }

// end returns the error of a command that wrote to it. A failed write is the bench's fault; a reader that closed early,
// such as head, is none.
func (s *standardOutput) end(err error) error {
	switch {
	case s.err == nil:
		return err
	case errors.Is(s.err, syscall.EPIPE):
		return failure.Told(failure.Bench)
	}
	return benchFault(fmt.Errorf("standard output: %w", s.err))
}
