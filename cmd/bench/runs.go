package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/runs/compare"
	"utfbench/runs/explain"
	"utfbench/runs/history"
	"utfbench/station"
	"utfbench/station/native"
)

// runWords defines RUN in a command's help.
const runWords = "RUN is a recording, which bench run --record wrote, or the number of a run in the history, or\n" +
	"last, or lab:NUMBER of a run in the lab's history."

// A runFinder opens a RUN. Its zero value searches the user's own history.
type runFinder struct {
	history.Finder
	design *design
}

func (f *runFinder) flags(cmd *cobra.Command, d *design) {
	f.design = d
	f.askLab(cmd)
	f.Tell = func(note string) { fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s\n", note) }
	cmd.Flags().StringVar(&f.DB, "db", "", "the history's file (default: BENCH_DB, or history.db in the user's folder "+
		"for data)")
}

// askLab has runs of the lab's history found too.
func (f *runFinder) askLab(cmd *cobra.Command) {
	f.Lab = func(run string) (string, error) { return fetchRun(cmd, run) }
}

// enterInto returns the history to enter a run into, or "" with a note if its path is unknown.
func (f *runFinder) enterInto(cmd *cobra.Command) string {
	file, err := f.File()
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: this run is not in the history: %v\n", err)
		return ""
	}
	return file
}

// fileName returns a file name for RUN, without extension.
func fileName(run string) string {
	return strings.ReplaceAll(strings.TrimSuffix(filepath.Base(run), ".rec"), ":", "-")
}

// recording opens the recording of RUN with its board and its revision.
func (f runFinder) recording(run string) (*station.Chip, error) { return f.compared(run, "") }

// compared opens the recording of RUN to compare it with a revision; "" is its own.
func (f runFinder) compared(run, revision string) (*station.Chip, error) {
	t := native.New("replay:" + run)
	t.Tile, t.TileName, t.Recordings, t.Revision = f.design.tile, f.design.name, f.Find, revision
	c, err := t.Open(context.Background())
	f.design.follow(&t)
	return c, err
}

// all opens the recordings of runs that are looked at together.
func (f runFinder) all(runs []string, tell func(first *station.Chip, all []explain.Run) error) error {
	var first *station.Chip
	var all []explain.Run
	for _, run := range runs {
		c, err := f.recording(run)
		if err != nil {
			return err
		}
		defer c.Close()
		if first == nil {
			first = c
		}
		all = append(all, explain.NewRun(run, c.Recording))
	}
	return tell(first, all)
}

// both opens two recordings to compare them.
func (f runFinder) both(runs []string, tell func(*compare.Runs) error) error {
	var both compare.Runs
	for i, run := range runs {
		c, err := f.recording(run)
		if err != nil {
			return err
		}
		defer c.Close()
		both.Names[i], both.Recordings[i], both.Tiles[i] = run, c.Recording, c.Tile
	}
	return tell(&both)
}
