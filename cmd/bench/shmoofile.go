package main

import (
	"bufio"
	"fmt"

	"utfbench/cause/shmoo"
	"utfbench/internal/files"
)

// readShmoo reads a file of bench shmoo --csv, or of --json.
func readShmoo(path string) (*shmoo.Grid, error) {
	f, err := files.Shmoo.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	read := shmoo.ReadCSV
	if first, _ := in.Peek(1); string(first) == "{" {
		read = shmoo.ReadJSON
	}
	g, err := read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}
