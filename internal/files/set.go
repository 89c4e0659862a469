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
