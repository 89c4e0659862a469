package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
)

// runWords defines RUN in a command's help.
const runWords = "RUN is a recording, which bench run --record wrote, or the number of a run in the history, or last."

// A runFinder opens a RUN. Its zero value searches the user's own history.
type runFinder struct {
	history.Finder
	design *design
}

// flags adds the flags of a command about runs of one tile.
func (f *runFinder) flags(cmd *cobra.Command, d *design) {
	d.tileFlag(cmd)
	f.init(cmd, d)
}

// init makes the finder search the history of a design's environment, and write notes to standard error.
func (f *runFinder) init(cmd *cobra.Command, d *design) {
	f.design, f.Env = d, d.env
	told := ""
	f.OnNote = func(note string) {
		if note != told {
			fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s\n", note)
		}
		told = note
	}
}

// enterInto returns the history to enter a run into, or "" with a note if its path is unknown.
func (f *runFinder) enterInto(cmd *cobra.Command) string {
	dir, err := history.Dir(f.Env)
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: this run is not in the history: %v\n", err)
	}
	return dir
}

// fileName returns a file name for RUN, without extension. number is its number in the history, or 0: tomorrow another
// run is the last one.
func fileName(run string, number int) string {
	if number > 0 {
		return strconv.Itoa(number)
	}
	return strings.ReplaceAll(strings.TrimSuffix(filepath.Base(run), ".rec"), ":", "-")
}

// recording opens the recording of RUN with its board and its revision.
func (f runFinder) recording(run string) (*station.Chip, error) { return f.compared(run, "") }

// compared opens the recording of RUN to compare it with a revision; "" is its own.
func (f runFinder) compared(run, revision string) (*station.Chip, error) {
	t := native.New("replay:" + run)
	t.Tile, t.TileName, t.FindRecording, t.Revision = f.design.Tile, f.design.TileName, f.Find, revision
	c, err := t.Open(context.Background())
	f.design.takeTileOf(&t)
	return c, err
}

// all opens the recordings of runs that are looked at together.
func (f runFinder) all(runs []string, tell func(all []*station.Chip) error) error {
	var all []*station.Chip
	for _, run := range runs {
		c, err := f.recording(run)
		if other, is := errors.AsType[*station.OtherTileError](err); is && len(all) > 0 {
			return failure.Usagef("%s is of the tile %s, and %s of %s: only runs of one tile can be compared", run,
				other.Was, runs[0], other.Is)
		}
		if err != nil {
			return err
		}
		defer c.Close()
		all = append(all, c)
	}
	return tell(all)
}

// pair returns two runs to history.
func pair(names [2]string, a, b *station.Chip) *history.RunPair {
	return &history.RunPair{Names: names, Recordings: [2]*report.Recording{a.Recording, b.Recording},
		Tiles: [2]tile.Tile{a.Tile, b.Tile}}
}

// complete returns an error for an incomplete recording, which its report states.
func complete(c *station.Chip) error {
	if c.Recording.CutReason == "" {
		return nil
	}
	return failure.AlreadyPrinted(failure.Bench)
}
