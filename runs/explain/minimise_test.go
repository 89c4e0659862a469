package explain

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// If the result cannot be written to its file, it is written to the output.
func TestMinimisedToNowhere(t *testing.T) {
	var out bytes.Buffer
	o := Minimisation{OutFile: filepath.Join(t.TempDir(), "gone", "x.vec")}
	chip := &FailingChip{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09})}
	err := o.Write(&out, chip, &report.Execution{Vector: "v", Steps: make([]transport.Step, 9)},
		&MinimisedSequence{Steps: []transport.Step{{}}})
	if failure.ExitCode(err) != 3 || !strings.Contains(err.Error(), "the vector is on standard output instead") ||
		!strings.Contains(out.String(), "suite minimised") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// Run fails if there is no reference, since the lack of a difference would then prove nothing about the chip.
func TestMinimiseWithoutReference(t *testing.T) {
	why := errors.New("no Yosys")
	o := Minimisation{Starts: []report.Execution{{Vector: "v", Steps: make([]transport.Step, 1)}}}
	chip := FailingChip{Tile: gates.DescribedTile{About: &project.Project{Top: "tt_um_x"}, Reason: why},
		Transport: mock.Open(mock.Config{Tile: utf.TT09})}
	err := o.Run(t.Context(), &chip, io.Discard)
	if !errors.Is(err, why) {
		t.Error(err)
	}
}
