package files

import (
	"bufio"
	"fmt"
	"io"
)

// Standard names standard output as an output.
const Standard = "-"

// A Set is the outputs of a command. Each is begun before anything else is done, so that one that cannot be written is
// known by then. Its zero value has none.
type Set struct {
	Out   io.Writer // takes the output that is called Standard; nil if that is a file like others
	files []*File
}

// Create starts an output as Create does. An error begins with the flag that names it.
func (s *Set) Create(flag, path string, mode Mode) (*File, error) {
	if path == Standard && s.Out != nil {
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

// Commit gives all of them their names. The error is the first one; the others have their names nevertheless.
func (s *Set) Commit() (first error) {
	for _, f := range s.files {
		if err := f.Commit(); first == nil {
			first = err
		}
	}
	return first
}

// Discard leaves no half-written file behind. After Commit it does nothing.
func (s *Set) Discard() {
	for _, f := range s.files {
		f.Discard()
	}
}

// An Output is a flag's file, to which a value is written; an empty path means no file.
type Output[T any] struct {
	Flag, Path string
	Write      func(T, io.Writer) error
}

// Begin begins files of a set, and returns a function that writes a value into each and commits the set.
func Begin[T any](s *Set, outputs ...Output[T]) (write func(T) error, err error) {
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
