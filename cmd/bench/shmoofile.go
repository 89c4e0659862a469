package main

import (
	"fmt"

	"utfbench/cause/shmoo"
	"utfbench/internal/files"
)

// readShmoo reads a file of bench shmoo --csv.
func readShmoo(path string) (*shmoo.Grid, error) {
	f, err := files.Shmoo.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := shmoo.ReadCSV(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}
