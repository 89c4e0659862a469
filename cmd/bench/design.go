package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/internal/terminal"
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
	name string // by which the user names it; "" is the usual one
}

// usualDesign returns the design of a command line without --tile.
func usualDesign() *design { return &design{tile: usual} }

// tileFlag adds --tile to every command.
func tileFlag(f *pflag.FlagSet) {
	new(target).optionFlags(f, "tile")
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
	name := native.TileName{Where: where, Working: terminal.Working, Check: checks(cmd), Simulation: station.Simulation{
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

// follow makes the command one about the tile of an opened target: a run of the user's own history brings its own.
func (d *design) follow(t *station.Target) {
	if t.TileName != d.name && t.TileName != "" {
		d.tile, d.name = t.Tile, t.TileName
	}
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
