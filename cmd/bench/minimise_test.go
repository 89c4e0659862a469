package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/cause/minimise"
	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A result that cannot be written where it was to go is not lost.
func TestMinimisedToNowhere(t *testing.T) {
	var out bytes.Buffer
	o := minimiseOptions{from: "v", steps: make([]transport.Step, 9), out: filepath.Join(t.TempDir(), "gone", "x.vec")}
	err := o.write(&out, &station.Chip{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09})},
		&minimise.Result{Steps: []transport.Step{{}}})
	if failure.ExitCode(err) != exitBench ||
		!strings.Contains(err.Error(), "the vector is on standard output instead") ||
		!strings.Contains(out.String(), "suite minimised") {
		t.Errorf("%v\n%s", err, &out)
	}
}
