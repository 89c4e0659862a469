package shmoo

import (
	"fmt"

	"utfbench/internal/files"
)

// ReadFile reads a file written by bench shmoo --json.
func ReadFile(path string) (*Grid, error) {
	f, err := files.Shmoo.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}
