package station

import (
	"os"
	"path/filepath"
	"strings"

	"utfbench/internal/failure"
	"utfbench/runs/identity"
	"utfbench/tile"
	"utfbench/tile/gates"
)

// CheckModule refuses a top module other than the tile's, unless t.Insist: its differences from the reference would
// mean nothing. Files are the design's sources.
func (t *Target) CheckModule(top string, files ...string) error {
	own, is := t.Tile.(tile.Fabricated)
	if !is || top == own.Project() || t.Insist {
		return nil
	}
	if gates.ProjectOf(t.Tile) != nil {
		return failure.Usagef("the design is %s, not %s, which --tile names (--insist compares them all the same)", top,
			own.Project())
	}
	return failure.Usagef("the design is %s, not %s, whose model the bench has: %s tests it against its own gates "+
		"(--insist compares it with the model of %s)", top, own.Project(), t.tileOf(files), t.Tile.Name())
}

// tileOf returns the flags that name the project of some sources, or a netlist without one.
func (t *Target) tileOf(files []string) string {
	dir := "."
	if len(files) > 0 {
		dir = filepath.Dir(files[0])
	}
	for _, folder := range []string{".", dir, filepath.Join(dir, "..")} {
		if _, err := os.Stat(filepath.Join(folder, "info.yaml")); err == nil {
			return "--tile " + filepath.ToSlash(folder)
		}
	}
	if kind, _, _ := strings.Cut(t.Transport, ":"); kind == identity.Netlist && len(files) > 0 {
		return "--tile " + filepath.ToSlash(files[0]) + " -t netlist"
	}
	return "--tile FOLDER (with its info.yaml)"
}
