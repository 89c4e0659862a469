package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"utfbench/desk"
	"utfbench/internal/cmdline"
	"utfbench/runs/compare"
	"utfbench/runs/history"
)

// runWords says in a command's help what a RUN is.
const runWords = "RUN is a recording, which bench run --record wrote, or the number of a run in the history, or last."

// A runFinder knows what a user means by RUN. Its zero value looks into the user's own history.
type runFinder struct {
	db string // --db
}

func (f *runFinder) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.db, "db", "", "the history's SQLite file (default: BENCH_DB, or history.db in the "+
		"user's folder for data)")
}

// file is the history.
func (f *runFinder) file() (string, error) {
	if f.db != "" {
		return f.db, nil
	}
	return history.File()
}

// enterInto is the history to enter a run into; "" when it is not known where that is, which is told.
func (f *runFinder) enterInto(cmd *cobra.Command) string {
	file, err := f.file()
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: this run is not in the history: %v\n", err)
		return ""
	}
	return file
}

// find gives the path of the recording that RUN names.
func (f *runFinder) find(run string) (string, error) {
	number, err := f.number(run)
	if err != nil || number == 0 {
		return run, err
	}
	file, err := f.file()
	if err != nil {
		return "", err
	}
	path := history.Recording(file, number)
	for _, p := range []string{path, path + ".part"} { // the second of a run that goes on, or died
		if _, err := os.Stat(p); err == nil {
			return p, nil
		}
	}
	words := []string{"history"}
	if f.db != "" {
		words = append(words, "--db", f.db)
	}
	return "", fmt.Errorf("run %d has no recording %s, since pruning takes recordings away, or that there never was "+
		"one; this lists the runs: %s",
		number, path, cmdline.Line(words...))
}

// number gives that of a run in the history, 0 for a path.
func (f *runFinder) number(run string) (int, error) {
	n, err := strconv.Atoi(run)
	switch {
	case err == nil && n < 1:
		return 0, fmt.Errorf("run %s: runs are numbered from 1", run)
	case err == nil:
		return n, nil
	case run != "last":
		return 0, nil
	}
	h, err := f.open()
	if err != nil {
		return 0, err
	}
	defer h.Close()
	r, err := h.Get(0)
	if err != nil {
		return 0, benchFault(err)
	}
	if r == nil {
		return 0, errors.New("last: no run is in the history yet")
	}
	return r.Number, nil
}

// entered tells of a run of the history; nothing for a path, or a run that is not there.
func (f *runFinder) entered(run string, tell func(*history.History, *history.Run) error) error {
	number, err := f.number(run)
	if err != nil || number == 0 {
		return err
	}
	h, err := f.open()
	if err != nil {
		return err
	}
	defer h.Close()
	r, err := h.Get(number)
	if err == nil && r != nil {
		err = tell(h, r)
	}
	if err != nil {
		return benchFault(err)
	}
	return nil
}

// since says since when the board of a failing run fails; nothing for a path.
func (f *runFinder) since(w io.Writer, run string) error {
	return f.entered(run, func(h *history.History, r *history.Run) error { return h.WriteSince(w, r) })
}

// open opens a history to look at it.
func (f *runFinder) open() (*history.History, error) {
	file, err := f.file()
	if err != nil {
		return nil, err
	}
	h, err := history.OpenOld(file)
	var refused history.Refused
	switch {
	case errors.As(err, &refused):
		return nil, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no history %s yet: the first bench run begins it", file)
	case history.Damaged(err):
		return nil, benchFault(fmt.Errorf("%w; the next bench run sets it aside and begins a new one", err))
	case err != nil:
		return nil, benchFault(err)
	}
	return h, nil
}

// recording opens the recording of RUN with its board and its revision.
func (f runFinder) recording(run string) (*chip, error) {
	t := desk.Target{Tile: theTile, Transport: "replay:" + run, Recordings: f.find}
	c, err := t.Open(context.Background())
	if err != nil {
		return nil, err
	}
	return &chip{Chip: c, target: c.Recording.Start.Target}, nil
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
