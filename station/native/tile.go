package native

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/pack"
	"utfbench/tile/project"
)

// openTile opens a tile that is not built in: a Tiny Tapeout project, by its folder or one of its two files (see
// project.Open), or a design in a pack, FILE.pack:NAME. The user's macros also apply to the tile's own Verilog.
func openTile(ctx context.Context, of *station.Target) (tile.Tile, error) {
	built := strings.Join(station.TileNames(), ", ")
	if of.TileName == "" {
		return nil, failure.Usagef("--tile: give the folder of a project, or one of %s", built)
	}
	where, err := unpacked(of.TileName)
	if err != nil {
		return nil, fmt.Errorf("--tile: %w", err)
	}
	p, err := project.Open(where)
	switch {
	case err != nil && absent(where):
		return nil, fmt.Errorf("--tile: %w; built in are %s", err, built)
	case err != nil:
		return nil, fmt.Errorf("--tile: %w%s", err, meant(where))
	case of.NoReference:
		return gates.DescribedTile{About: p}, nil
	case p.Netlist != "":
		return openGates(p)
	}
	if _, err := yosys.Find(); err != nil {
		return gates.DescribedTile{About: p, Reason: err}, nil
	}
	done := of.StartActivity("Yosys reads the tile")
	t, err := yosys.Open(ctx, p, of.Simulation.Defines)
	done()
	switch {
	case err == nil:
		return t, nil
	case ctx.Err() != nil:
		return nil, failure.New(failure.Interrupted, errors.New("stopped while Yosys was at work: no chip was reached"))
	case of.WithoutGates && failure.KindOf(err) == failure.User:
		return gates.DescribedTile{About: p, Reason: err}, nil
	}
	return nil, fmt.Errorf("--tile %s: %w", of.TileName, err)
}

// absent reports whether a path does not exist; it may then be the misspelt name of a tile.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// packed separates the names of a pack and a design, as in tt09.pack:tt_um_example.
const packed = ".pack:"

// unpacked returns the path of a tile. It extracts a design in a pack into the user's cache.
func unpacked(where string) (string, error) {
	if strings.HasSuffix(where, strings.TrimSuffix(packed, ":")) {
		return "", failure.Usagef("%s is a pack: name one of its designs, as in %[1]s:tt_um_example; bench shuttle "+
			"show %[1]s lists them", where)
	}
	i := strings.LastIndex(where, packed)
	if i < 0 {
		return where, nil
	}
	p, err := pack.Open(where[:i+len(packed)-1])
	if err != nil {
		return "", err
	}
	defer p.Close()
	d, err := p.Find(where[i+len(packed):])
	if err != nil {
		return "", err
	}
	return p.Extract(d, "")
}

func openGates(p *project.Project) (tile.Tile, error) {
	t, err := gates.Open(p)
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("--tile: %w%s", err, meant(p.Netlist)))
	}
	return t, nil
}

// meant returns a hint on the project to which a path, such as a source file's, belongs, or "".
func meant(path string) string {
	p := project.FromSources("", []string{filepath.Join(path, "x")})
	if p == nil || p.Netlist != "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean --tile %s?)", p.Dir)
}
