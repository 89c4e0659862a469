package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport/rp2040/demoboard"
)

// usualTile is the default tile.
const usualTile = utf.TT09

// A design is the subject of a command: the target that its flags set, and the target's tile.
type design struct {
	station.Target
	env      *files.Env
	runs     history.Finder // the user's history
	progress *cli.Progress
	boards   func() []demoboard.Port // lists the boards that are plugged in, without opening a port
}

// usualDesign returns the design of a command line without flags: the default tile on the mock.
func usualDesign(env *files.Env) *design {
	d := &design{Target: native.NewTarget("mock"), env: env, progress: cli.NewProgress(env),
		boards: demoboard.PluggedInBoards}
	told := ""
	d.runs = history.Finder{Env: env, OnNote: func(note string) {
		if note != told {
			fmt.Fprintf(env.Stderr, "bench: %s\n", note)
		}
		told = note
	}}
	d.ShowActivity, d.FindRecording = d.progress.ShowActivity, d.runs.Find
	return d
}

// factoryTile is the name of the design that shows every line at both levels.
var factoryTile = tile.FactoryTest{}.Name()

func (d *design) tileFlag(cmd *cobra.Command) { cmd.Flags().AddGoFlag(d.Options().Lookup("tile")) }

// open opens the tile that the command line or the environment selects.
func (d *design) open(cmd *cobra.Command) error {
	given := cmd.Flags().Lookup("tile")
	switch {
	case given == nil:
		return nil
	case !given.Changed && cli.Origin(given) == "":
		return d.checkForgotten(cmd)
	}
	d.WithoutGates = cmd.CommandPath() == "bench tile check"
	return d.OpenTile(cmd.Context())
}

// bringsTile reports whether a command gets its tile from a RUN or a replay, or needs none.
func bringsTile(cmd *cobra.Command) bool {
	path := strings.Fields(cmd.CommandPath())
	if strings.Contains(cmd.Use, "[RUN") && cmd.Flags().NArg() == 0 && len(path) == 2 { // the tile's own vectors
		return false
	}
	again, transport := cmd.Flags().Lookup("again"), cmd.Flags().Lookup("transport")
	return strings.Contains(cmd.Use, "RUN") || again != nil && again.Changed || path[1] == "explain" ||
		transport != nil && strings.Contains(transport.Value.String(), "replay:")
}

// checkForgotten prints a note on standard error if the given file or the working directory belongs to the project of a
// tile other than the default, or if that project cannot be read. For an import it returns an error, since the
// waveforms belong to the project's tile.
func (d *design) checkForgotten(cmd *cobra.Command) error {
	files, _ := cmd.Flags().GetStringArray("file")
	if cmd.Name() == "import" {
		files = cmd.Flags().Args()
	}
	here := d.env.Path(".")
	p := project.FromSources(here, files)
	if bringsTile(cmd) || p != nil && p.Top == usualTile.Project() {
		return nil
	}
	if p == nil {
		_, err := os.Stat(filepath.Join(here, project.InfoName))
		if _, broken := project.Open(here); err == nil && broken != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "bench: this command is about the chip %s, since the project in "+
				"this folder cannot be read: %v\n", usualTile.Name(), broken)
		}
		return nil
	}
	if cmd.Name() == "import" {
		return failure.Usagef("nothing was imported: %s is the project of %s: add --tile %s, or --tile %s for the "+
			"chip %[4]s", p.DescribeFolder(here), p.Top, p.Dir, usualTile.Name())
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s is the project of %s, and without --tile %s this command is about the "+
		"chip %s\n", p.DescribeFolder(here), p.Top, p.Dir, usualTile.Name())
	return nil
}

// doubtful returns the user's name for the tile if bench tile check fails or reports something in its sources, or "".
func (d *design) doubtful() string {
	p := gates.ProjectOf(d.Tile)
	if found, err := gates.CheckTile(d.Tile); p == nil || p.Netlist != "" || err == nil && len(found) == 0 {
		return ""
	}
	return d.TileName
}

// takeTileOf selects the tile of an opened target, since a run in the user's history may have brought another.
func (d *design) takeTileOf(t *station.Target) {
	if t.TileName != "" {
		d.Tile, d.TileName = t.Tile, t.TileName
	}
}

// close closes the tile if the command line named one.
func (d *design) close() {
	if d.Tile != usualTile {
		tile.CloseReference(d.Tile)
	}
}

// runWords explains RUN in the help of commands.
const runWords = "RUN is a recording, which bench run --record wrote, or the number of a run in the history, or last."

// enterInto returns the path of the history in which to record a run, or, after printing a note, "" if it is unknown.
func (d *design) enterInto() string {
	dir, err := history.Dir(d.env)
	if err != nil {
		fmt.Fprintf(d.env.Stderr, "bench: this run is not in the history: %v\n", err)
	}
	return dir
}

// recording opens the recording of a RUN, with the board and the revision of the run.
func (d *design) recording(run string) (*station.Chip, error) { return d.compared(run, "") }

// compared opens the recording of a RUN for comparison with a revision, or with the run's own if revision is "".
func (d *design) compared(run, revision string) (*station.Chip, error) {
	t := native.NewTarget("replay:" + run)
	t.Tile, t.TileName, t.FindRecording, t.Revision = d.Tile, d.TileName, d.runs.Find, revision
	c, err := t.Open(context.Background())
	d.takeTileOf(&t)
	return c, err
}

// withRecordings calls do with the open recordings of runs that are examined together.
func (d *design) withRecordings(runs []string, do func(all []*station.Chip) error) error {
	var all []*station.Chip
	for _, run := range runs {
		c, err := d.recording(run)
		if other, is := errors.AsType[*station.OtherTileError](err); is && len(all) > 0 {
			return failure.Usagef("%s is of the tile %s, and %s of %s: only runs of one tile can be compared", run,
				other.Recorded, runs[0], other.Current)
		}
		if other, is := errors.AsType[*station.OtherSourcesError](err); is && len(runs) > 1 {
			return failure.Usagef("%s is of other sources (%s) than the tile now has (%s): only runs of the present "+
				"sources can be compared", run, other.Recorded, other.Current)
		}
		if err != nil {
			return err
		}
		defer c.Close()
		all = append(all, c)
	}
	return do(all)
}

func pair(names [2]string, a, b *station.Chip) *history.RunPair {
	return &history.RunPair{Names: names, Recordings: [2]*report.Recording{a.Recording, b.Recording},
		Tiles: [2]tile.Tile{a.Tile, b.Tile}}
}

func complete(c *station.Chip) error {
	if c.Recording.CutReason == "" {
		return nil
	}
	return failure.AlreadyPrinted(failure.Bench)
}
