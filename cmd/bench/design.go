package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/tile/utf"
)

// usual is the default tile.
const usual = utf.TT09

// A design is a command's tile, from --tile or the usual one.
type design struct {
	tile tile.Tile
	name string // what names it on a command line that is to be pasted
}

// usualDesign returns the design of a command line without --tile.
func usualDesign() *design { return &design{usual, utf.Name} }

// tileFlag adds --tile to every command.
func tileFlag(f *pflag.FlagSet) {
	f.String("tile", "", "the design, by the folder of its project, with the info.yaml; or a fabricated "+
		"netlist NAME.v, "+
		"FILE.pack:NAME of a pack, "+
		strings.Join(station.TileNames(), ", ")+" (default: BENCH_TILE, or "+utf.Name+")")
}

// tileless are the commands that speak of no tile, so that a variable which names a broken one is not in their way.
var tileless = []string{"bench ports", "bench info", "bench version", "bench man", "bench demo", "bench board",
	"bench config", "bench trust", "bench safe", "bench help", "bench completion",
	"bench __complete", "bench __completeNoDesc"}

// speaksOfTile reports whether a command, or its parent, uses a tile. The root command does not.
func speaksOfTile(cmd *cobra.Command) bool {
	for c := cmd; c.HasParent(); c = c.Parent() {
		if slices.Contains(tileless, c.CommandPath()) {
			return false
		}
	}
	return cmd.HasParent()
}

// checks reports whether a command checks a tile's description.
func checks(cmd *cobra.Command) bool {
	return cmd.CommandPath() == "bench tile check"
}

// take opens the tile of the command line or the environment. Simulation flags apply to the tile's own gates, too.
func (d *design) take(cmd *cobra.Command) error {
	where := cmd.Flags().Lookup("tile").Value.String()
	switch given := cmd.Flags().Changed("tile"); {
	case speaksOfTile(cmd):
	case given:
		return failure.Usagef("%s does not take --tile", cmd.CommandPath())
	default:
		return nil
	}
	if where == "" && !cmd.Flags().Changed("tile") {
		where = os.Getenv("BENCH_TILE")
		if where == "" {
			tellForgotten(cmd)
			return nil
		}
		if err := cmd.Flags().Lookup("tile").Value.Set(where); err != nil { // for commands that are to be pasted
			return err
		}
	}
	name := native.TileName{Where: where, Working: working, Check: checks(cmd), Simulation: station.Simulation{
		Defines: texts(cmd, "define"), Includes: texts(cmd, "include"), Cells: texts(cmd, "cells"),
		CellsDirs: texts(cmd, "cells-dir")}}
	if f := cmd.Flags().Lookup("pdk"); f != nil {
		name.Simulation.PDK = f.Value.String()
	}
	if f := cmd.Flags().Lookup("against"); f != nil {
		name.Against = station.Against(f.Value.String())
	}
	t, err := name.Open(cmd.Context())
	if err != nil {
		return err
	}
	d.tile, d.name = t, where
	return nil
}

// tellForgotten notes on standard error that the current folder is the project of another tile than the usual one.
func tellForgotten(cmd *cobra.Command) {
	p, err := project.Open(".")
	if err != nil || p.Top == "" || p.Top == usual.Project() {
		return
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "bench: this folder is the project of %s, and without --tile . this command is "+
		"about the chip %s\n", p.Top, usual.Name())
}

// open opens a target. A run of the user's own history that is of another tile than the usual one is opened with the
// tile that it names, which the command is about from then on. A run in a file or in a lab's history may name a
// stranger's tile, and opening a tile can run its author's code: there the user has to give --tile.
func (d *design) open(ctx context.Context, t *station.Target) (*station.Chip, error) {
	c, err := t.Open(ctx)
	var other *station.OtherTile
	if !errors.As(err, &other) || d.tile != usual || !ownRun(t.Transport) {
		return c, err
	}
	at := slices.Index(other.Target, "--tile") + 1
	if at == 0 || at >= len(other.Target) {
		return nil, err
	}
	name := native.TileName{Where: other.Target[at], Working: working}
	opened, oerr := name.Open(ctx)
	if oerr != nil || opened.Name() != other.Tile {
		return nil, err // the sentence that says what to give
	}
	d.tile, d.name, t.Tile = opened, other.Target[at], opened
	return t.Open(ctx)
}

// ownRun reports whether a transport is a run of the user's own history, by number.
func ownRun(transport string) bool {
	run, is := strings.CutPrefix(transport, "replay:")
	_, err := strconv.Atoi(run)
	return is && (err == nil || run == "last")
}

// close ends with the tile, if a command line named one.
func (d *design) close() {
	if d.tile != usual {
		tile.Done(d.tile)
	}
}

// texts returns the values of a repeatable flag, if the command has it.
func texts(cmd *cobra.Command, name string) []string {
	values, err := cmd.Flags().GetStringArray(name)
	if err != nil {
		return nil
	}
	return values
}
