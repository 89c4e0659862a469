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

// Fd is that of the file, which may be a terminal.
func (s *standardOutput) Fd() uintptr { return s.file.Fd() }

// end is the error of a command that wrote to it: what could not be written is the bench's fault, whatever the command
// made of it; a reader that has left, such as head, knows that itself.
func (s *standardOutput) end(err error) error {
	switch {
	case s.err == nil:
		return err
	case errors.Is(s.err, syscall.EPIPE):
		return failure.Told(failure.Bench)
	}
	return benchFault(fmt.Errorf("standard output: %w", s.err))
}
