package shmoo

import (
	"bufio"
	"fmt"

	"utfbench/internal/files"
)

// ReadFile reads a file written by bench shmoo --csv or --json.
func ReadFile(path string) (*Grid, error) {
	f, err := files.Shmoo.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	read := ReadCSV
	if first, _ := in.Peek(1); string(first) == "{" {
		read = ReadJSON
	}
	g, err := read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}
