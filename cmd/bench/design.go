package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/tile/factory"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/utf"
)

// usual is the default tile.
const usual = utf.TT09

// A design is a command's tile, from --tile or the usual one.
type design struct {
	tile     tile.Tile
	name     string        // by which the user names it; "" is the usual one
	patience time.Duration // for the answer of a board; 0 is the usual one
}

// usualDesign returns the design of a command line without --tile.
func usualDesign() *design { return &design{tile: usual} }

// factoryTile is the design that shows every line at both levels.
var factoryTile = factory.Tile{}.Name()

// tileless are the commands that speak of no tile, so that a variable which names a broken one is not in their way.
var tileless = []string{"bench demo", "bench board", "bench shuttle", "bench park", "bench help", "bench completion",
	"bench designs", "bench __complete", "bench __completeNoDesc"}

// speaksOfTile reports whether a command, or its parent, uses a tile. The root command does not.
func speaksOfTile(cmd *cobra.Command) bool {
	for c := cmd; c.HasParent(); c = c.Parent() {
		if slices.Contains(tileless, c.CommandPath()) {
			return false
		}
	}
	return cmd.HasParent()
}

// take opens the tile of the command line or the environment.
func (d *design) take(cmd *cobra.Command) error {
	given := cmd.Flags().Lookup("tile")
	where := given.Value.String()
	switch {
	case !speaksOfTile(cmd) && given.Changed:
		return failure.Usagef("%s does not take --tile", cmd.CommandPath())
	case !speaksOfTile(cmd):
		return nil
	case given.Changed && cmd.CommandPath() == "bench history":
		return failure.Usagef("%s does not take --tile: its table names the tile of each run", cmd.CommandPath())
	}
	if where == "" && !given.Changed {
		return forgotten(cmd)
	}
	t, err := tileName(cmd, where).Open(cmd.Context())
	if err == nil {
		d.tile, d.name = t, where
	}
	return err
}

// tileName returns a tile's name with the flags that apply to its own gates as well as to a simulation.
func tileName(cmd *cobra.Command, where string) *native.TileName {
	texts := func(name string) []string {
		values, _ := cmd.Flags().GetStringArray(name) // of a command that has it
		return values
	}
	text := func(name string) string {
		if f := cmd.Flags().Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	return &native.TileName{Where: where, Working: cli.Working, Check: cmd.CommandPath() == "bench tile check",
		Against: station.Against(text("against")), Simulation: station.Simulation{
			Defines: texts("define")}}
}

// bringsTile reports whether a command takes its tile from a RUN or a pack, or is about words or past runs.
func bringsTile(cmd *cobra.Command) bool {
	path := strings.Fields(cmd.CommandPath())
	if strings.Contains(cmd.Use, "[RUN") && cmd.Flags().NArg() == 0 && len(path) == 2 { // the tile's own vectors
		return false
	}
	again := cmd.Flags().Lookup("again")
	return strings.Contains(cmd.Use, "RUN") || again != nil && again.Changed ||
		slices.Contains([]string{"history", "explain"}, path[1])
}

// forgotten notes on standard error that the given file, or the current folder, is of the project of another tile than
// the usual one. For an import that is an error, since its waveforms are of that tile.
func forgotten(cmd *cobra.Command) error {
	files, _ := cmd.Flags().GetStringArray("file")
	if cmd.Name() == "import" {
		files = cmd.Flags().Args()
	}
	p := project.Around(files)
	if p == nil || p.Top == usual.Project() || bringsTile(cmd) {
		return nil
	}
	if cmd.Name() == "import" {
		return failure.Usagef("nothing was imported: %s is the project of %s: add --tile %s, or --tile %s for the "+
			"chip %[4]s", p.Folder(), p.Top, p.Dir, usual.Name())
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s is the project of %s, and without --tile %s this command is about the "+
		"chip %s\n", p.Folder(), p.Top, p.Dir, usual.Name())
	return nil
}

// sources returns the user's name of a tile that its author's sources describe, or "".
func (d *design) sources() string {
	if p := gates.ProjectOf(d.tile); p != nil && p.Netlist == "" {
		return d.name
	}
	return ""
}

// follow makes the command one about the tile of an opened target: a run of the user's own history brings its own.
func (d *design) follow(t *station.Target) {
	if t.TileName != "" {
		d.tile, d.name = t.Tile, t.TileName
	}
}

// close ends with the tile, if a command line named one.
func (d *design) close() {
	if d.tile != usual {
		tile.Done(d.tile)
	}
}
