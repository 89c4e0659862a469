package plan

import (
	"errors"
	"io/fs"
	"strings"

	"utfbench/internal/files"
)

// Names parses a list of one name per line; lines that begin with # are comments.
func Names(text string) (names []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			names = append(names, line)
		}
	}
	return names
}

// ReadNames reads a list from a file; a missing file is empty.
func ReadNames(path string) ([]string, error) {
	text, err := files.Names.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return Names(string(text)), err
}
