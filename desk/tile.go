package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"utfbench/tile"
	"utfbench/tile/factory"
	"utfbench/tile/project"
	"utfbench/tile/rtl"
	"utfbench/tile/utf"
	"utfbench/transport/verilog"
)

// builtIn are the tiles that have a model in this program, by name.
var builtIn = []tile.Tile{utf.TT09, factory.Tile{}}

// TileNames are the tiles that are opened by name.
func TileNames() (all []string) {
	for _, t := range builtIn {
		all = append(all, t.Name())
	}
	return all
}

// OpenTile opens what a user means by a tile: one that is built in, by name, or a project of Tiny Tapeout, by its folder
// or one of its two files (see project.Open). What a user says of the simulation counts for the reference as well.
// Whoever opens one calls tile.Done.
func OpenTile(ctx context.Context, where string, sim verilog.Config, working func(string) (done func())) (tile.Tile,
	error) {
	if i := slices.Index(TileNames(), where); i >= 0 {
		return builtIn[i], nil
	}
	if where == "" {
		return nil, fmt.Errorf("--tile: give the folder of a project, or one of %s", strings.Join(TileNames(), ", "))
	}
	p, err := project.Open(where)
	if err != nil {
		return nil, fmt.Errorf("--tile: %w; built in are %s", err, strings.Join(TileNames(), ", "))
	}
	if working != nil {
		defer working("compiling the tile")()
	}
	t, err := rtl.Open(ctx, p, sim)
	if err != nil {
		return nil, fmt.Errorf("--tile %s: %w", where, verilogFault(ctx, err))
	}
	return t, nil
}

// simulated is a tile that brings its own sources.
type simulated interface{ Simulation() verilog.Config }
