package plan

import (
	"errors"
	"io/fs"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile"
)

// smoke returns the names of the tile's smoke vectors, or nil if they were not selected.
func (s *Selection) smoke() (map[string]bool, error) {
	if !s.Smoke {
		return nil, nil
	}
	t, has := s.Tile.(tile.Smoked)
	switch {
	case !has:
		return nil, failure.Usagef("--smoke: this tile has no short list of vectors: omit --smoke")
	case len(s.Files) > 0 || s.Random > 0:
		return nil, failure.Usagef("--smoke selects built-in vectors: omit --file and --random")
	}
	of := map[string]bool{}
	for _, name := range Names(t.Smoke()) {
		of[name] = true
	}
	return of, nil
}

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
