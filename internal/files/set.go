package files

import (
	"bufio"
	"fmt"
	"io"
)

// StandardStream is the path that names standard output.
const StandardStream = "-"

// A Set holds the outputs of a command. All are created first, so that an error in creating one is reported early.
type Set struct {
	Out   io.Writer // receives the output named StandardStream; nil if that names a file
	files []*File
}

// Create starts an output, like the function Create. An error begins with the flag that names the output.
func (s *Set) Create(flag, path string, mode Mode) (*File, error) {
	if path == StandardStream && s.Out != nil {
		f := &File{Writer: bufio.NewWriter(s.Out)}
		s.files = append(s.files, f)
		return f, nil
	}
	f, err := Create(path, mode)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	s.files = append(s.files, f)
	return f, nil
}

// Commit commits all outputs, even after an error, and returns the first error.
func (s *Set) Commit() (first error) {
	for _, f := range s.files {
		if err := f.Commit(); first == nil {
			first = err
		}
	}
	return first
}

// Discard removes the unfinished files. After Commit it does nothing.
func (s *Set) Discard() {
	for _, f := range s.files {
		f.Discard()
	}
}

// An Output is a file for a value, with the flag that names it and the function that writes it. Without path, no file.
type Output[T any] struct {
	Flag, Path string
	Write      func(T, io.Writer) error
}

// CreateOutputs creates outputs in a set, and returns a function that writes a value to each and commits the set.
func CreateOutputs[T any](s *Set, outputs ...Output[T]) (write func(T) error, err error) {
	var all []func(T) error
	for _, o := range outputs {
		if o.Path == "" {
			continue
		}
		file, err := s.Create(o.Flag, o.Path, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, func(value T) error { return o.Write(value, file) })
	}
	return func(value T) error {
		for _, write := range all {
			if err := write(value); err != nil {
				return err
			}
		}
		return s.Commit()
	}, nil
}
