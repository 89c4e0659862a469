package main

import (
	"fmt"

	"utfbench/cause/timing"
	"utfbench/internal/files"
)

// readTiming reads a file of bench timing --json; nil without one.
func readTiming(flag, path string) (*timing.Report, error) {
	if path == "" {
		return nil, nil
	}
	f, err := files.Timing.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	defer f.Close()
	r, err := timing.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("--%s %s: %w", flag, path, err)
	}
	return r, nil
}
